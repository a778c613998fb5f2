"""Models against people's soft labels: how probable each model finds entailment, beside the share of people
who say it. A model can be nearer to people than to gold: where people differ, it should not be sure.

The soft label of a pair is the share of entailment among its answers that stand and are labels (two-way);
*unnatural* is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.comparison.judges import Judges
from apps.comparison.pairs import labelled
from apps.comparison.tallied import each
from apps.dashboard.selectors import comparable
from apps.datasets.labels import ENTAILMENT, NO_LABEL
from apps.datasets.models import Dataset
from apps.inference.models import Prediction, Run
from measures.predictions import Bin, brier, calibration_curve, calibration_error, cross_entropy
from measures.ratings import pearson
from measures.undefined import Undefined


@dataclass(frozen=True)
class Foresight:
    """How well one judge foresees people, on ``pairs``: ``entropy`` is the mean cross-entropy in bits,
    ``distance`` the Brier score, ``error`` the expected calibration error over ``curve``, r Pearson's;
    ``right`` of ``with_gold`` of the same pairs as the file's label has it. Undefined says why."""

    name: str
    pairs: int
    entropy: float | Undefined
    distance: float | Undefined
    error: float | Undefined
    r: float | Undefined
    right: int
    with_gold: int
    curve: list[Bin]
    run: int | None = None


@dataclass(frozen=True)
class _Pair:
    soft: float
    gold: str


def foresight(dataset: Dataset, judges: Judges, runs: Sequence[Run]) -> list[Foresight]:
    """People's own shares first (their cross-entropy is what nobody can go below), then the runs that have
    probabilities, the nearest to people first. One query, and one a run."""
    pairs = _soft(dataset, judges)
    if not pairs:
        return []
    own = {pk: pair.soft for pk, pair in pairs.items()}
    found = [_of(run.model.name, pairs, _said(run, pairs), run.pk) for run in runs]
    return [
        _of("", pairs, own),
        *sorted((one for one in found if one.pairs), key=lambda one: (_number(one.entropy), one.name)),
    ]


def _soft(dataset: Dataset, judges: Judges) -> dict[int, _Pair]:
    rows = each(labelled(comparable(dataset)), judges, ("pk", "file_label"))
    found = {
        pk: _Pair(said.entailments / (said.entailments + said.non_entailments), gold)
        for (pk, gold), said in rows
        if said.entailments + said.non_entailments
    }
    return dict(sorted(found.items()))


def _said(run: Run, pairs: dict[int, _Pair]) -> dict[int, float]:
    """The probability of entailment of each pair that has one."""
    rows = Prediction.objects.filter(run=run).order_by("pk").values_list("pair_id", "scores")
    return {
        pair: min(1.0, max(0.0, float(scores[ENTAILMENT])))
        for pair, scores in rows.iterator(chunk_size=2000)
        if pair in pairs and isinstance(scores.get(ENTAILMENT), int | float)
    }


def _of(name: str, pairs: dict[int, _Pair], said: dict[int, float], run: int | None = None) -> Foresight:
    numbers = [pk for pk in pairs if pk in said]
    probabilities, softs = [said[pk] for pk in numbers], [pairs[pk].soft for pk in numbers]
    with_gold = [pk for pk in numbers if pairs[pk].gold != NO_LABEL]
    curve = calibration_curve(probabilities, softs)
    bits = [
        cross_entropy({"e": soft, "n": 1 - soft}, {"e": p, "n": 1 - p})
        for p, soft in zip(probabilities, softs, strict=True)
    ]
    return Foresight(
        name,
        len(numbers),
        sum(bits) / len(bits) if bits else Undefined.NOTHING_OBSERVED,
        brier(probabilities, softs),
        calibration_error(curve),
        pearson(probabilities, softs),
        sum((said[pk] > 0.5) == (pairs[pk].gold == ENTAILMENT) for pk in with_gold),
        len(with_gold),
        curve,
        run,
    )


def _number(value: float | Undefined) -> float:
    return float("inf") if isinstance(value, Undefined) else value
