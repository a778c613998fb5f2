"""The pairs that models get wrong: all of the chosen models, or so many of them, against one reference.

The database does the looking; the numbers of the pairs come back, and a page of them is read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from django.db.models import (
    Case,
    F,
    FilteredRelation,
    FloatField,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, NullIf
from django.db.models.lookups import IsNull
from django.utils.translation import gettext_lazy as _

from apps.comparison.judges import Judges, judges_of
from apps.comparison.pairs import compared, predicted, two_way
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


def references_there(dataset: Dataset) -> list[str]:
    """The references that have a label for at least one pair, the usual one first. Five queries."""
    gold = GoldLabel.objects.filter(pair__dataset=dataset)
    there = {name: gold.filter(source=source).exists() for name, source in _GOLD.items()}
    there["human"] = judges_of(dataset).answers().exists()
    there["calculus"] = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True).exists()
    return [name for name in REFERENCES if there[name]]


def hard_numbers(asked: Hard) -> list[int]:
    """The numbers of the pairs, in order. One query, two against people."""
    if not asked.runs:
        return []
    found = _with_wrong(_labelled(asked), asked)
    found = found.filter(wrong__gte=asked.wrong)
    if asked.order == SURE:
        return list(found.order_by(F("sure_of_it").desc(nulls_last=True), "pk").values_list("pk", flat=True))
    return list(found.order_by("pk").values_list("pk", flat=True))


def _labelled(asked: Hard) -> QuerySet[Any]:
    """The pairs with the columns ``wanted`` (the reference's label) and ``run_<pk>``; people's answers are
    only added up where they are the reference, and the direction is only looked for where it is asked."""
    pairs, name = comparable(asked.dataset), asked.reference
    if name == "human" or asked.direction:
        judges = judges_of(asked.dataset) if name == "human" else Judges((), ())
        found = compared(pairs, judges, asked.runs).annotate(wanted=F(_COLUMNS.get(name, name)))
        if asked.direction:
            found = found.filter(place="" if asked.direction == "none" else asked.direction)
    else:
        found = pairs.annotate(**_reference(name)).annotate(wanted=two_way("of_reference__label"))
        for run in asked.runs:
            relation = FilteredRelation("predictions", condition=Q(predictions__run=run.pk))
            found = found.annotate(**{f"of_{predicted(run)}": relation})
            found = found.annotate(**{predicted(run): two_way(f"of_{predicted(run)}__label")})
    labels = [asked.label] if asked.label else [ENTAILMENT, NON_ENTAILMENT]
    labelled: QuerySet[Any] = found.filter(wanted__in=labels)
    return labelled


def _reference(name: str) -> dict[str, FilteredRelation]:
    if name == "calculus":
        condition = Q(calculus_labels__is_current=True)
        return {"of_reference": FilteredRelation("calculus_labels", condition=condition)}
    condition = Q(gold_labels__source=_GOLD[name])
    return {"of_reference": FilteredRelation("gold_labels", condition=condition)}


def _with_wrong(found: QuerySet[Any], asked: Hard) -> QuerySet[Any]:
    """Adds ``wrong``, how many of the runs say the other label, and where it is asked for ``sure_of_it``, the
    mean probability that those with probabilities give to it."""
    wrongs, sures = [], []
    for run in asked.runs:
        name = predicted(run)
        is_wrong = Q(wanted=ENTAILMENT, **{name: NON_ENTAILMENT}) | Q(
            wanted=NON_ENTAILMENT, **{name: ENTAILMENT}
        )
        wrongs.append(Case(When(is_wrong, then=Value(1)), default=Value(0), output_field=IntegerField()))
        if asked.order == SURE:
            entailed = Cast(KeyTextTransform(ENTAILMENT, f"of_{name}__scores"), FloatField())
            of_wrong: Any = Case(When(wanted=ENTAILMENT, then=Value(1.0) - entailed), default=entailed)
            sures.append(Case(When(is_wrong, then=of_wrong), default=None, output_field=FloatField()))
    found = found.annotate(wrong=reduce(add, wrongs))
    if not sures:
        return found
    total: Any = reduce(add, [Coalesce(sure, Value(0.0)) for sure in sures])
    number: Any = reduce(
        add,
        [Case(When(IsNull(sure, True), then=Value(0.0)), default=Value(1.0)) for sure in sures],
    )
    sure: QuerySet[Any] = found.annotate(sure_of_it=total / NullIf(number, Value(0.0)))
    return sure


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
