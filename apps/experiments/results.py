"""What an experiment came to: for each training, test and contestant the shares that were right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import mean, stdev

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.comparison.scores import HUMAN, SINGLE
from apps.experiments.measures import MEASURES, RIGHT, Measure, Scores, added
from apps.experiments.models import Cell, Experiment
from apps.experiments.people import PEOPLE
from apps.experiments.plans import Protocol, TestPlan
from apps.experiments.services import CALCULUS, GRAMMAR, MAJORITY, UNTRAINED, protocol_of, readers_of
from apps.inference.networks import networks
from apps.jobs.models import Job

#: As SyGNS's tables call the forms.
FORM_TITLES = {"fol": "FOL", "clf": "DRS", "vf": "VF"}


@dataclass(frozen=True)
class Seed:
    """What one seed came to, as a share of 1. ``rows`` is the seed by which its rows were dealt, 0 where
    every seed has the same."""

    rows: int
    seed: int
    share: float


@dataclass(frozen=True)
class Reached:
    """Mean and deviation over seeds (None of one) of the share that is right, and each seed's. ``missing``
    are the seeds that are wanted and not there."""

    mean: float
    sd: float | None
    by_seed: Sequence[Seed]
    missing: int = 0

    @property
    def seeds(self) -> int:
        return len(self.by_seed)


@dataclass
class Line:
    """A training with one of its tests and what is measured: how many pairs (or sentences), what each
    contestant reached, what is published (in %: mean, and deviation where it is printed). With a ``form``
    contestants are named without theirs."""

    training: str
    test: str
    pairs: int = 0
    reached: dict[str, Reached] = field(default_factory=dict)
    published: Mapping[str, Sequence[float]] = field(default_factory=dict)
    measure: Measure = RIGHT
    form: str = ""


@dataclass(frozen=True)
class Progress:
    """Trainings by state, and the seconds of training of those which are over. ``failed`` are the cancelled
    ones too, ``silent`` those whose worker says nothing any more.

    What is left is of those that learn: an untrained network answers at once. ``learnt`` of them are over,
    which took ``spent`` seconds in all, ``waiting`` have not begun; ``going`` are, of each that runs, the
    seconds since it began and those that the rest of its epochs take (None: not known yet)."""

    total: int
    done: int
    failed: int
    running: int
    seconds: float
    silent: int = 0
    learnt: int = 0
    spent: float = 0.0
    waiting: int = 0
    going: Sequence[tuple[float, int | None]] = ()

    @property
    def seconds_left(self) -> int | None:
        """What is left at the mean of those that are over (of none yet: at what those that run will have
        taken), as many side by side as now, and not before the slowest of those that run; None before
        anything is known."""
        whole = [seconds + epochs for seconds, epochs in self.going if epochs is not None]
        if not self.going or not (self.learnt or whole):
            return None
        mean_of_one = self.spent / self.learnt if self.learnt else mean(whole)
        left = [_left_of(seconds, epochs, mean_of_one) for seconds, epochs in self.going]
        return round(max(*left, (sum(left) + self.waiting * mean_of_one) / len(left)))


def _left_of(seconds: float, epochs: int | None, mean_of_one: float) -> float:
    """Of a training that runs: the rest of what others took, since it may end before its last epoch as they
    did; of one that already took longer, all of its epochs."""
    if seconds < mean_of_one:
        return mean_of_one - seconds
    return mean_of_one if epochs is None else epochs


def title_of(contestant: str) -> str:
    """A contestant's name for readers."""
    if contestant == CALCULUS:
        return _("calculus")
    if contestant == MAJORITY:
        return _("most frequent label")
    if contestant in PEOPLE:
        return _("people, majority") if contestant == HUMAN else _("people, each answer")
    if contestant.startswith(UNTRAINED):
        return _("%(network)s, untrained") % {"network": title_of(contestant.removeprefix(UNTRAINED))}
    name, form = parted(contestant)
    if form:
        return f"{title_of(name)}, {FORM_TITLES[form]}"
    if name == GRAMMAR.strip():
        return _("grammar")
    # A preset's variant of a network has its name and more: minilm –Hyp.
    network, space, variant = contestant.partition(" ")
    offer = networks().get(network)
    return f"{offer.title}{space}{variant}" if offer else contestant


def parted(contestant: str) -> tuple[str, str]:
    """A contestant that writes meanings: its name without its form, and the form; else its name, and ""."""
    name, _space, form = contestant.rpartition(" ")
    return (name, form) if name and form in FORM_TITLES else (contestant, "")


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


def errors_in(cell: Cell) -> list[dict[str, str]]:
    """A few of a cell's wrong meanings."""
    if cell.training is None:
        return list(cell.errors)
    return [error for run in cell.training.runs.all() for error in run.errors]


def progress_of(cells: Sequence[Cell]) -> Progress:
    now = timezone.now()
    trainings = [cell.training for cell in cells if cell.training]
    states = [training.job.state if training.job else "" for training in trainings]
    learning = [
        cell.training.job
        for cell in cells
        if cell.training and cell.training.job and not cell.contestant.startswith(UNTRAINED)
    ]
    over = [job for job in learning if job.state == Job.State.DONE and job.finished_at and job.started_at]
    going = [job for job in learning if job.state == Job.State.RUNNING and not job.is_stalled]
    silent = sum(bool(training.job and training.job.is_stalled) for training in trainings)
    return Progress(
        total=len(trainings),
        done=states.count(Job.State.DONE),
        failed=states.count(Job.State.FAILED) + states.count(Job.State.CANCELLED),
        running=states.count(Job.State.RUNNING) - silent,
        silent=silent,
        seconds=sum(run.seconds for training in trainings for run in training.runs.all()),
        learnt=len(over),
        spent=sum(_seconds(job.started_at, job.finished_at) for job in over),
        waiting=sum(job.state == Job.State.QUEUED or job.is_stalled for job in learning),
        going=[(_seconds(job.started_at, now), job.seconds_left) for job in going],
    )


def _seconds(begun: datetime | None, end: datetime | None) -> float:
    return (end - begun).total_seconds() if begun and end else 0.0


def states_of(experiments: Sequence[Experiment]) -> dict[int, str]:
    """Each experiment's state by its id, in a word: it goes on while one of its jobs does, and has failed
    where one has. Two queries."""
    ids = [each.pk for each in experiments]
    found: dict[int, set[str]] = {pk: set() for pk in ids}
    trained = Cell.objects.filter(split__experiment__in=ids).exclude(training__job=None)
    for pk, state in trained.values_list("split__experiment", "training__job__state").distinct():
        found[pk].add(state)
    own = Experiment.objects.filter(pk__in=ids).values_list("pk", "job__state", "calculus_job__state")
    for pk, *states in own:
        found[pk].update(state for state in states if state)
    return {pk: _state(states) for pk, states in found.items()}


def _state(states: set[str]) -> str:
    if states & {Job.State.QUEUED, Job.State.RUNNING}:
        return _("goes on")
    if Job.State.FAILED in states:
        return _("failed")
    return _("cancelled") if Job.State.CANCELLED in states else _("over")


def rows_short(experiment: Experiment) -> dict[str, int]:
    """How many rows trainings got (the fewest of all seeds) that got fewer than the sizes say, since their
    selections have no more."""
    protocol, sizes = protocol_of(experiment), experiment.spec["sizes"]
    forms = len(sizes.get("forms", ())) or 1
    short: dict[str, int] = {}
    for training, counts in experiment.splits.values_list("training", "training_set__counts"):
        got = sum(counts.get("train", {}).get("source", {}).values()) // forms
        if got < round(protocol.trainings[training].share * sizes["train"]):
            short[training] = min(got, short.get(training, got))
    return short


def contestants_of(experiment: Experiment, cells: Sequence[Cell]) -> list[str]:
    """The experiment's contestants: its networks, the same untrained, the calculus, the most frequent label,
    and those whose answers were brought in."""
    trained = list(experiment.spec["sizes"]["networks"])
    sizes = experiment.spec["sizes"]
    own = [*trained, *(f"{UNTRAINED}{each}" for each in trained), *readers_of(sizes)]
    own += [] if sizes.get("forms") else [MAJORITY]
    return list(dict.fromkeys([*own, *(cell.contestant for cell in cells)]))


def lines_of(experiment: Experiment, cells: Sequence[Cell], group: str = "exact") -> list[Line]:
    """The table of one of the protocol's ``measures``, line by line in the protocol's order."""
    protocol, sizes = protocol_of(experiment), experiment.spec["sizes"]
    told = [(cell, scores) for cell in cells if (scores := scores_in(cell))]
    reads = experiment.calculus_job
    if reads is not None and reads.state != Job.State.DONE:  # counted test by test: no figure is whole yet
        readers = readers_of(sizes)
        told = [(cell, scores) for cell, scores in told if cell.contestant not in readers]
    # Where each seed has rows of its own, whoever is tested on them is so once for each.
    each = sizes["seeds"] if protocol.shuffled else 0
    wanted = defaultdict(lambda: each, dict.fromkeys(sizes["networks"], sizes["seeds"]))
    lines = []
    for training in protocol.trainings:
        own = [(cell, scores) for cell, scores in told if cell.split.training == training]
        for test in protocol.tests_after(training):
            for measure in MEASURES[group]:
                line = _line(protocol, training, test, measure, own, wanted)
                if line.reached or group == "exact":
                    lines.append(line)
    return lines


def by_form(lines: Sequence[Line], forms: Sequence[str]) -> list[Line]:
    """Each line of meanings as one of each form that its measure is for, as a paper's table has them."""
    found = []
    for line in lines:
        for form in forms:
            reached = {name: each for key, each in line.reached.items() if (name := _of(key, form))}
            if form in line.measure.forms and (reached or line.measure == RIGHT):
                published = {name: each for key, each in line.published.items() if (name := _of(key, form))}
                found.append(replace(line, reached=reached, published=published, form=form))
    return found


def _of(contestant: str, form: str) -> str:
    """Its name without the form; "" where it has another."""
    name, own = parted(contestant)
    return name if own == form else ""


def _line(
    protocol: Protocol,
    training: str,
    test: TestPlan,
    measure: Measure,
    told: Sequence[tuple[Cell, Scores]],
    wanted: Mapping[str, int],
) -> Line:
    shares: dict[str, list[Seed]] = {}
    pairs = 0
    for cell, scores in told:
        counts = counts_of(test, scores, measure)
        figure = measure.figure(counts) if counts else None
        if figure is not None:
            shares.setdefault(cell.contestant, []).append(Seed(cell.split.seed, cell.seed, figure))
            # The calculus is counted as it goes on; of people's answers there are several a pair.
            pairs = max(pairs, counts_of(test, scores)[1] if cell.contestant != SINGLE else 0)
    reached = {name: _reached(found, wanted[name]) for name, found in shares.items()}
    return Line(
        training, test.name, pairs, reached, _published(protocol, training, test.name, measure), measure
    )


def _reached(seeds: Sequence[Seed], wanted: int) -> Reached:
    shares = [each.share for each in seeds]
    order = sorted(seeds, key=lambda each: (each.rows, each.seed))
    deviation = stdev(shares) if len(shares) > 1 else None
    return Reached(mean(shares), deviation, order, max(0, wanted - len(shares)))


def counts_of(test: TestPlan, scores: Scores, measure: Measure = RIGHT) -> list[int]:
    """A test's counts: its own, those of one direction of another, or those of several; empty of none, and
    where one of the several has none."""
    names = test.sum or (test.within or test.name,)
    key = test.direction or "all" if measure == RIGHT else measure.key
    if not all(key in scores.get(name, {}) for name in names):
        return []
    return added([scores[name][key] for name in names])


def _published(
    protocol: Protocol, training: str, test: str, measure: Measure
) -> Mapping[str, Sequence[float]]:
    """The figures of one measure, by contestant."""
    found = protocol.published.get(training, {}).get(test, {})
    if not protocol.forms:
        return found
    own: dict[str, Sequence[float]] = {}
    for name, figures in found.items():
        for form in measure.forms:
            contestant, place, measured = name.partition(f" {form}")
            if place and measured.strip() == measure.published:
                own[f"{contestant}{place}"] = figures
    return own


def published_shares(published: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float | None]]:
    """A line's published figures as shares of 1: mean, and deviation where one is printed."""
    return {
        name: (round(found[0] / 100, 6), round(found[1] / 100, 6) if len(found) > 1 else None)
        for name, found in published.items()
    }


def published_networks(lines: Sequence[Line]) -> list[str]:
    """The networks that the paper's table has, in its order."""
    return list(dict.fromkeys(name for line in lines for name in line.published))
