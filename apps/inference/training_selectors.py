"""What the pages of training sets, trainings and learning curves read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from django.db.models import Count, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.inference.curve_svg import Line, chart
from apps.inference.training_models import LearningCurve, Training, TrainingRun, TrainingSet
from apps.inference.trainings import final_runs, point_name
from apps.studies.access import within
from apps.studies.models import Study

DIRECTIONS = ("upward", "downward", "non-monotone")


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation (None of one run) of shares."""

    mean: float
    sd: float | None
    runs: int


@dataclass(frozen=True)
class Score:
    """What a training's runs reached on a source of its test part: all of it, and by direction (in the order
    of DIRECTIONS; None where it has none)."""

    source: str
    pairs: int
    overall: Spread
    directions: list[Spread | None]


def sets_of(study: Study) -> QuerySet[TrainingSet]:
    """The study's sets that are of no learning curve or other series, newest first, without their rows."""
    found = within(TrainingSet, study).filter(curve=None, is_listed=True).defer("rows")
    return found.annotate(training_count=Count("trainings")).order_by("-pk")


def trainings_of(study: Study) -> QuerySet[Training]:
    """The study's trainings that are of no learning curve or other series, newest first."""
    found = within(Training, study).filter(training_set__curve=None, training_set__is_listed=True)
    return found.select_related("training_set", "job__study", "model").defer("training_set__rows")


def curves_of(study: Study) -> QuerySet[LearningCurve]:
    found = within(LearningCurve, study).select_related("job__study")
    return found.annotate(set_count=Count("training_sets")).order_by("-pk")


def spread(shares: Sequence[float]) -> Spread | None:
    """None of no share."""
    if not shares:
        return None
    return Spread(mean(shares), stdev(shares) if len(shares) > 1 else None, len(shares))


def scores_of(training: Training, runs: Sequence[TrainingRun]) -> list[Score]:
    """Mean and deviation over the final runs, for each source of the test part."""
    runs = final_runs(training, list(runs))
    found = []
    for source in sorted({source for run in runs for source in run.scores}):
        counts = [run.scores[source] for run in runs if source in run.scores]
        overall = spread([_share(one["all"]) for one in counts])
        if overall is None:
            continue
        by_way = [spread([_share(one[way]) for one in counts if way in one]) for way in DIRECTIONS]
        found.append(Score(source, counts[0]["all"][1], overall, by_way))
    return found


def _share(counts: Sequence[int]) -> float:
    return counts[0] / counts[1]


def epoch_charts(epochs: Sequence[Mapping[str, Any]]) -> list[tuple[str, SafeString]]:
    """Two charts of ``epochs`` (with ``run``, ``number`` and what they came to): the loss, and accuracy on
    the training and on the validation part. Empty of none."""
    if not epochs:
        return []
    runs: dict[int, list[Mapping[str, Any]]] = {}
    for epoch in epochs:
        runs.setdefault(epoch.get("run", 0), []).append(epoch)
    last = max(epoch["number"] for epoch in epochs)
    step = max(1, -(-last // 10))
    places = [(float(n), str(n)) for n in sorted({1, last, *range(step, last - step // 2, step)})]

    def lines(name: str, style: str) -> list[Line]:
        return [
            Line(style, [(one["number"], one[name], None) for one in run if one[name] is not None])
            for run in runs.values()
        ]

    worst = max(epoch["loss"] for epoch in epochs)
    accuracy = [*lines("train_accuracy", "train"), *lines("validation_accuracy", "validation")]
    return [
        (
            _("Loss"),
            chart(lines("loss", "train"), title=_("Loss by epoch"), top=worst, places=places, form="%.2f"),
        ),
        (_("Accuracy"), chart(accuracy, title=_("Accuracy by epoch"), top=1.0, places=places, form="%.1f")),
    ]


@dataclass(frozen=True)
class CurvePoint:
    """One point of a learning curve: its training, and its scores where there are any yet."""

    name: str
    training: Training | None
    scores: list[Score]


def curve_points(curve: LearningCurve) -> tuple[list[CurvePoint], list[tuple[str, SafeString]]]:
    """Every point, and for each source of the test part the three charts of MED's Figure 2. Two queries."""
    trainings = {
        training.training_set.name: training
        for training in Training.objects.filter(training_set__curve=curve)
        .select_related("training_set", "job__study")
        .defer("training_set__rows")
        .prefetch_related("runs")
    }
    spec = curve.spec
    series = [
        (
            _("only %(way)s") % {"way": _(way)},
            [(str(size), size, float(way == "upward")) for size in spec["sizes"]],
        )
        for way in spec["directions"]
    ]
    if spec["ratios"]:
        of_ratios = [(f"{100 * ratio:g} %", spec["ratio_size"], ratio) for ratio in spec["ratios"]]
        title = _("%(size)d rows, by the upward share") % {"size": spec["ratio_size"]}
        series.append((title, of_ratios))
    points: dict[str, CurvePoint] = {}
    charts = []
    for title, places in series:
        reached = []
        for label, size, upward in places:
            name = point_name(curve.name, size, upward)
            training = trainings.get(name)
            scores = scores_of(training, list(training.runs.all())) if training else []
            points.setdefault(name, CurvePoint(name, training, scores))
            reached.append((label, scores))
        charts += _direction_charts(title, reached)
    return list(points.values()), charts


def _direction_charts(title: str, reached: Sequence[tuple[str, list[Score]]]) -> list[tuple[str, SafeString]]:
    places = [(float(number), label) for number, (label, _scores) in enumerate(reached)]
    found = []
    for source in dict.fromkeys(score.source for _label, scores in reached for score in scores):
        lines = []
        for at, (style, mark) in enumerate((("up", "↑"), ("down", "↓"))):
            points = []
            for number, (_label, scores) in enumerate(reached):
                share = next((s.directions[at] for s in scores if s.source == source), None)
                if share is not None:
                    points.append((float(number), share.mean, share.sd))
            lines.append(Line(style, points, mark))
        name = f"{source}, {title}"
        if any(line.points for line in lines):
            found.append((name, chart(lines, title=name, top=1.0, places=places, form="%.1f")))
    return found
