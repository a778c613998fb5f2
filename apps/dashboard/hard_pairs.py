"""The pairs that models get wrong: all of the chosen models, or so many of them, against one reference.

The database does the looking; the numbers of the pairs come back, and a page of them is read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import FloatField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from apps.comparison.judges import Judges, judges_of
from apps.comparison.pairs import compared, labelled, predicted
from apps.comparison.tallied import each
from apps.dashboard.selectors import comparable
from apps.datasets.labels import ADJUDICATION, ENTAILMENT, FILE, NON_ENTAILMENT
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair
from apps.inference.models import Prediction, Run

# Whose labels models are held against, those that come first being the usual ones.
REFERENCES = {
    "file": _("file"),
    "adjudicated": _("adjudicated"),
    "human": _("people"),
    "calculus": _("calculus"),
}
PAIR, SURE = "pair", "sure"
_GOLD = {"file": FILE, "adjudicated": ADJUDICATION}
# Their columns in ``compared``, where these are called otherwise.
_COLUMNS = {"file": "file_label"}
_BATCH = 500


@dataclass(frozen=True)
class Hard:
    """Which pairs: wrong by at least ``wrong`` of ``runs``, against ``reference``; "" for any ``direction``
    and any ``label`` of the reference; ``order`` by number, or by how sure the wrong models are."""

    dataset: Dataset
    runs: Sequence[Run]
    reference: str
    wrong: int
    direction: str = ""
    label: str = ""
    order: str = PAIR


@dataclass(frozen=True)
class HardPair:
    """A pair with its reference's label, and each run's label and probability of entailment, in order (None
    where it has none)."""

    pair: Any
    wanted: str
    said: list[tuple[str | None, float | None, bool]] = field(default_factory=list)


def references_there(dataset: Dataset, stored: Sequence[str] | None = None) -> list[str]:
    """The references that have a label for at least one pair, the usual one first. Five queries, two where it
    is known which of the ``stored`` ones do."""
    there = {*(references_stored(dataset) if stored is None else stored)}
    if judges_of(dataset).answers().exists():
        there.add("human")
    return [name for name in REFERENCES if name in there]


def references_stored(dataset: Dataset) -> list[str]:
    """Those that don't hang on what people answer. Three queries."""
    gold = GoldLabel.objects.filter(pair__dataset=dataset)
    there = [name for name, source in _GOLD.items() if gold.filter(source=source).exists()]
    calculus = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    return [*there, "calculus"] if calculus.exists() else there


def hard_numbers(asked: Hard) -> list[int]:
    """The numbers of the pairs, in order. One query, two against people."""
    if not asked.runs:
        return []
    judges = judges_of(asked.dataset) if asked.reference == "human" else Judges((), ())
    names = [predicted(run) for run in asked.runs]
    pairs = labelled(comparable(asked.dataset), asked.runs)
    if asked.direction:
        pairs = pairs.filter(place="" if asked.direction == "none" else asked.direction)
    columns = ["pk", *names, *_sures(names, asked.order), *_stored(asked.reference)]
    pairs = pairs.annotate(**_sures(names, asked.order))
    labels = [asked.label] if asked.label else [ENTAILMENT, NON_ENTAILMENT]
    found: list[tuple[float, int]] = []
    for row, answers in each(pairs, judges, columns):
        of_pair = dict(zip(columns, row, strict=True), human=answers.human)
        wanted = of_pair[_COLUMNS.get(asked.reference, asked.reference)]
        wrong = [name for name in names if {wanted, of_pair[name]} == {ENTAILMENT, NON_ENTAILMENT}]
        if wanted in labels and len(wrong) >= asked.wrong:
            sures = [of_pair[f"sure_{name}"] for name in wrong] if asked.order == SURE else []
            found.append(
                (-_mean([1.0 - p if wanted == ENTAILMENT else p for p in sures if p is not None]), row[0])
            )
    return [number for _sure, number in sorted(found)]


def _stored(reference: str) -> list[str]:
    """The reference's column; people's answers are in none."""
    return [] if reference == "human" else [_COLUMNS.get(reference, reference)]


def _sures(names: Sequence[str], order: str) -> dict[str, Any]:
    """Where it is asked for: how probable each run finds entailment."""
    if order != SURE:
        return {}
    return {
        f"sure_{name}": Cast(KeyTextTransform(ENTAILMENT, f"of_{name}__scores"), FloatField())
        for name in names
    }


def _mean(sures: Sequence[float]) -> float:
    """How sure wrong models are on average, of those with probabilities; without any, least of all."""
    return sum(sures) / len(sures) if sures else -1.0


def hard_rows(asked: Hard, numbers: Sequence[int]) -> list[HardPair]:
    """A page of pairs in the order of ``numbers``. Four queries."""
    judges = judges_of(asked.dataset) if asked.reference == "human" else Judges((), ())
    found = compared(Pair.objects.filter(pk__in=numbers), judges).prefetch_related("premises")
    pairs = {pair.pk: pair for pair in found}
    said: dict[int, dict[int, Prediction]] = {}
    for one in Prediction.objects.filter(run__in=asked.runs, pair__in=numbers):
        said.setdefault(one.pair_id, {})[one.run_id] = one
    return [_row(asked, pairs[number], said.get(number, {})) for number in numbers if number in pairs]


def _row(asked: Hard, pair: Any, said: dict[int, Prediction]) -> HardPair:
    wanted: str = getattr(pair, _COLUMNS.get(asked.reference, asked.reference))
    cells: list[tuple[str | None, float | None, bool]] = []
    for run in asked.runs:
        one = said.get(run.pk)
        is_wrong = one is not None and (one.label == ENTAILMENT) != (wanted == ENTAILMENT)
        cells.append((one.label, one.scores.get(ENTAILMENT), is_wrong) if one else (None, None, False))
    return HardPair(pair, wanted, cells)


def as_csv(asked: Hard, numbers: Sequence[int]) -> Iterator[str]:
    """The pairs as CSV, in English: number, texts, direction, the reference's label, and for each model its
    label and its probability of entailment."""
    names = [f"{run.model.name} ({run.pk})" for run in asked.runs]
    head = [(f"{name}: label", f"{name}: p(entailment)") for name in names]
    yield csv_line(["pair_id", "premise", "hypothesis", "direction", asked.reference, *_flat(head)])
    for start in range(0, len(numbers), _BATCH):
        for row in hard_rows(asked, numbers[start : start + _BATCH]):
            pair = row.pair
            texts = [pair.pk, pair.premise, pair.hypothesis, pair.place, row.wanted]
            yield csv_line([*texts, *_flat((label, score) for label, score, _wrong in row.said)])


def _flat(pairs: Any) -> list[Any]:
    return [item for pair in pairs for item in pair]


def csv_line(cells: Sequence[Any]) -> str:
    """A line of a list of pairs as CSV; what is not there is empty."""
    text = io.StringIO(newline="")
    csv.writer(text).writerow(["" if cell is None else cell for cell in cells])
    return text.getvalue()
