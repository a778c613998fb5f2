"""What predictions are measured against, and what models learn from: calculus, people, gold.

Each reference is a mapping from a pair's number to a label; a pair it says nothing of is left out. Rooms
above register further sources when Django starts: people's majority comes from apps/comparison/majority.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.datasets.labels import UNNATURAL
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel

CALCULUS = "calculus"


@dataclass(frozen=True)
class Reference:
    """``key`` names it in addresses, ``title`` on the screen."""

    key: str
    title: str
    labels: dict[int, str]


#: What a room above has to say of a dataset's pairs. Models learn from it where there is no gold label.
Source = Callable[[Dataset], Reference]

_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source; adding one twice changes nothing."""
    if source not in _sources:
        _sources.append(source)


def references_of(dataset: Dataset) -> list[Reference]:
    """Every reference that has a label for at least one pair. Four queries."""
    found = [
        Reference(CALCULUS, _("calculus"), calculus_of(dataset)),
        *(source(dataset) for source in _sources),
    ]
    found += [
        Reference(f"gold:{source}", _("gold label (%(source)s)") % {"source": source}, labels)
        for source, labels in gold_of(dataset).items()
    ]
    return [reference for reference in found if reference.labels]


def training_labels(dataset: Dataset) -> dict[int, str]:
    """The label to learn a pair by: its gold label, or else what another source says (the human majority).
    Three queries.

    Where sources of gold differ, the first by name decides.
    """
    found: dict[int, str] = {}
    for source in reversed(_sources):
        found.update(source(dataset).labels)
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
    rows = GoldLabel.objects.filter(pair__dataset=dataset).exclude(label=UNNATURAL).order_by("source")
    for source, pair, label in rows.values_list("source", "pair_id", "label"):
        found[source][pair] = label
    return dict(found)


def calculus_directions(dataset: Dataset) -> dict[int, str]:
    """The direction that the calculus found for each pair, where it found one. One query."""
    rows = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True).exclude(direction="")
    return dict(rows.values_list("pair_id", "direction"))
