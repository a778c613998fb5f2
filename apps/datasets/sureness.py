"""How sure the calculus is of its labels, and what they rest on: filters and counts of pairs by it.

A current label has a ``confidence`` in [0, 1] (docs/natlog.md), and says whether it takes words whose
relation no source knows to be more specific (``assumed``). Each pair's label is looked up by an index that
holds both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from apps.datasets.models import CalculusLabel, NotRead, Pair

# The confidences that pages offer, each with how many pairs would remain.
STEPS = (0.5, 0.8, 0.9, 0.95)
# What is known of the assumption under a label.
ASSUMED, NOT_ASSUMED, NOT_KNOWN = "yes", "no", "not-known"
_STORED = {ASSUMED: True, NOT_ASSUMED: False, NOT_KNOWN: None}


def of_sureness(
    pairs: QuerySet[Pair], least: float | None = None, below: float | None = None, assumed: str = ""
) -> QuerySet[Pair]:
    """The pairs whose current label has a confidence of ``least`` or more, less than ``below``, and rests on
    the assumption or not (``ASSUMED`` …). None and "" ask nothing. No query."""
    asked: dict[str, Any] = {}
    if least is not None:
        asked["confidence__gte"] = least
    if below is not None:
        asked["confidence__lt"] = below
    if assumed == NOT_KNOWN:
        asked["assumed__isnull"] = True
    elif assumed:
        asked["assumed"] = _STORED[assumed]
    if not asked:
        return pairs
    current = CalculusLabel.objects.filter(pair=OuterRef("pk"), is_current=True, **asked)
    return pairs.filter(Exists(current))


def not_read(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """The pairs that the calculus did not read when it was asked last. No query."""
    return pairs.filter(Exists(NotRead.objects.filter(pair=OuterRef("pk"))))


@dataclass(frozen=True)
class Sureness:
    """Of some pairs: how many have a label, how many of these reach each of ``STEPS``, and how many rest on
    the assumption, or may."""

    labelled: int
    reaching: list[tuple[float, int]]
    assumed: int
    assumed_not_known: int


def sureness(pairs: Any) -> Sureness:
    """``pairs`` are a query of pairs, or of their numbers. One query."""
    current = CalculusLabel.objects.filter(is_current=True, pair__in=pairs).order_by()
    found = current.aggregate(
        labelled=Count("pk"),
        resting=Count("pk", filter=Q(assumed=True)),
        not_known=Count("pk", filter=Q(assumed=None)),
        **{f"step_{at}": Count("pk", filter=Q(confidence__gte=step)) for at, step in enumerate(STEPS)},
    )
    reaching = [(step, found.pop(f"step_{at}")) for at, step in enumerate(STEPS)]
    return Sureness(found["labelled"], reaching, found["resting"], found["not_known"])
