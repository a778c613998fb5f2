"""What an experiment came to: for each training, test and contestant the shares that were right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, stdev

from django.utils.translation import gettext as _

from apps.experiments.models import Cell, Experiment
from apps.experiments.protocols import Protocol, TestPlan
from apps.experiments.services import CALCULUS, MAJORITY, UNTRAINED, Scores, protocol_of
from apps.inference.networks import networks
from apps.jobs.models import Job


@dataclass(frozen=True)
class Reached:
    """Mean and deviation over seeds (None of one) of the share that is right, as shares of 1."""

    mean: float
    sd: float | None
    seeds: int


@dataclass
class Line:
    """A training with one of its tests: how many pairs, what each contestant reached, what is published (in
    %: mean, and deviation where it is printed)."""

    training: str
    test: str
    pairs: int = 0
    reached: dict[str, Reached] = field(default_factory=dict)
    published: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """Trainings by state, and the seconds that those which are over took."""

    total: int
    done: int
    failed: int
    seconds: float


def title_of(contestant: str) -> str:
    """A contestant's name for readers."""
    if contestant == CALCULUS:
        return _("calculus")
    if contestant == MAJORITY:
        return _("most frequent label")
    if contestant.startswith(UNTRAINED):
        return _("%(network)s, untrained") % {"network": title_of(contestant.removeprefix(UNTRAINED))}
    offer = networks().get(contestant)
    return offer.title if offer else contestant


def cells_of(experiment: Experiment) -> list[Cell]:
    """Every cell with its split, training and runs. Two queries."""
    found = Cell.objects.filter(split__experiment=experiment).select_related(
        "split", "training__job", "training__model"
    )
    return list(found.defer("training__options").prefetch_related("training__runs").order_by("pk"))


def scores_in(cell: Cell) -> Scores | None:
    """What a cell came to; None while it is not over."""
    if cell.training is None:
        return cell.scores or None
    runs = list(cell.training.runs.all())
    return runs[0].scores if runs else None


def progress_of(cells: Sequence[Cell]) -> Progress:
    trainings = [cell.training for cell in cells if cell.training]
    states = [training.job.state if training.job else "" for training in trainings]
    return Progress(
        total=len(trainings),
        done=states.count(Job.State.DONE),
        failed=states.count(Job.State.FAILED) + states.count(Job.State.CANCELLED),
        seconds=sum(run.seconds for training in trainings for run in training.runs.all()),
    )


def contestants_of(experiment: Experiment, cells: Sequence[Cell]) -> list[str]:
    """The experiment's contestants: its networks, the same untrained, the calculus, the most frequent label,
    and those whose answers were brought in."""
    trained = list(experiment.spec["sizes"]["networks"])
    own = [*trained, *(f"{UNTRAINED}{each}" for each in trained), CALCULUS, MAJORITY]
    return list(dict.fromkeys([*own, *(cell.contestant for cell in cells)]))


def lines_of(experiment: Experiment, cells: Sequence[Cell]) -> list[Line]:
    """The table, line by line in the protocol's order."""
    protocol = protocol_of(experiment)
    shares: dict[tuple[str, str, str], list[float]] = {}
    pairs: dict[tuple[str, str], int] = {}
    for cell in cells:
        scores = scores_in(cell)
        for test in protocol.tests_after(cell.split.training) if scores else []:
            right, count = counts_of(test, scores or {})
            if count:
                shares.setdefault((cell.split.training, test.name, cell.contestant), []).append(right / count)
                key = cell.split.training, test.name
                # The calculus is counted as it goes on.
                pairs[key] = max(pairs.get(key, 0), count)
    return [
        Line(
            training,
            test.name,
            pairs.get((training, test.name), 0),
            {
                contestant: Reached(mean(found), stdev(found) if len(found) > 1 else None, len(found))
                for (own, name, contestant), found in shares.items()
                if (own, name) == (training, test.name)
            },
            _published(protocol, training, test.name),
        )
        for training in protocol.trainings
        for test in protocol.tests_after(training)
    ]


def counts_of(test: TestPlan, scores: Mapping[str, Mapping[str, Sequence[int]]]) -> tuple[int, int]:
    """Right and all of a test's pairs: its own, those of one direction of another, or those of several."""
    names = test.sum or (test.within or test.name,)
    counts = [scores.get(name, {}).get(test.direction or "all", (0, 0)) for name in names]
    return sum(right for right, _pairs in counts), sum(pairs for _right, pairs in counts)


def _published(protocol: Protocol, training: str, test: str) -> Mapping[str, Sequence[float]]:
    return protocol.published.get(training, {}).get(test, {})


def published_networks(protocol: Protocol) -> list[str]:
    """The networks that the paper's table has, in its order."""
    return list(
        dict.fromkeys(name for tests in protocol.published.values() for row in tests.values() for name in row)
    )
