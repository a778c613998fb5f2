"""What predictions are measured against, and what models learn from: calculus, people, gold.

Each reference is a mapping from a pair's number to a label, which leaves a pair out that it says nothing of,
and the same as a column for queries, which read no more pairs than they show. Rooms above register further
sources when Django starts: people's majority comes from apps/comparison/majority.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from apps.datasets.labels import UNNATURAL
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel

CALCULUS = "calculus"
_GOLD = "gold:"


@dataclass(frozen=True)
class Reference:
    """``key`` names it in addresses, ``title`` on the screen. ``column`` is its label of the pair that a
    row's ``pair_id`` names, NULL where it has none; ``read`` gets all its labels, by pair."""

    key: str
    title: str
    column: Subquery
    read: Callable[[], dict[int, str]]

    @cached_property
    def labels(self) -> dict[int, str]:
        return self.read()


#: What a room above has to say of a dataset's pairs; None where nothing. Models learn from it where there is
#: no gold label.
Source = Callable[[Dataset], Reference | None]

_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source; adding one twice changes nothing."""
    if source not in _sources:
        _sources.append(source)


def references_of(dataset: Dataset, keys: Collection[str] | None = None) -> list[Reference]:
    """Every reference that says something of the dataset's pairs. Four queries, whatever its size; where it
    was found out before which do, by their ``keys``, two at most."""
    found = []
    of_calculus = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    if CALCULUS in keys if keys is not None else of_calculus.exists():
        found.append(
            Reference(
                CALCULUS,
                _("calculus"),
                _column(CalculusLabel.objects.filter(is_current=True)),
                lambda: calculus_of(dataset),
            )
        )
    if keys is None:
        gold, asked = list(_gold(dataset).values_list("source", flat=True).distinct()), True
    else:
        gold = [key.removeprefix(_GOLD) for key in keys if key.startswith(_GOLD)]
        asked = len(keys) > len(found) + len(gold)
    found += [reference for source in _sources if asked and (reference := source(dataset))]
    return found + [_gold_reference(dataset, source) for source in gold]


def _gold_reference(dataset: Dataset, source: str) -> Reference:
    return Reference(
        f"{_GOLD}{source}",
        _("gold label (%(source)s)") % {"source": source},
        _column(GoldLabel.objects.filter(source=source).exclude(label=UNNATURAL)),
        lambda: gold_of(dataset).get(source, {}),
    )


def _column(labels: QuerySet[Any]) -> Subquery:
    """The label of a row's pair, of which there is one at most."""
    return Subquery(labels.filter(pair=OuterRef("pair_id")).order_by().values("label")[:1])


def training_labels(dataset: Dataset) -> dict[int, str]:
    """The label to learn a pair by: its gold label, or else what another source says (the human majority).
    Three queries.

    Where sources of gold differ, the first by name decides.
    """
    found: dict[int, str] = {}
    for source in reversed(_sources):
        if reference := source(dataset):
            found.update(reference.labels)
    for labels in reversed(gold_of(dataset).values()):
        found.update(labels)
    return found


def calculus_of(dataset: Dataset) -> dict[int, str]:
    """The current calculus label of each pair. One query."""
    rows = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    return dict(rows.values_list("pair_id", "label"))


def gold_of(dataset: Dataset) -> dict[str, dict[int, str]]:
    """Gold labels by their source; that a researcher calls a pair unnatural is none. One query."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for source, pair, label in _gold(dataset).values_list("source", "pair_id", "label"):
        found[source][pair] = label
    return dict(found)


def calculus_directions(dataset: Dataset) -> dict[int, str]:
    """The direction that the calculus found for each pair, where it found one. One query."""
    rows = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True).exclude(direction="")
    return dict(rows.values_list("pair_id", "direction"))


def _gold(dataset: Dataset) -> QuerySet[GoldLabel]:
    return GoldLabel.objects.filter(pair__dataset=dataset).exclude(label=UNNATURAL).order_by("source")
