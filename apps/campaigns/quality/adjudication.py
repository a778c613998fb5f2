"""The queue of pairs on which people did not come to one word, for a researcher to decide.

A pair is *tied* where no answer has more than half of its judgements, *disputed* where more than half give
one label and the calculus another. What is decided is a gold label (apps/datasets/services.py).
"""

from __future__ import annotations

from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Value, When

from apps.campaigns.models import Campaign, Item
from apps.datasets.comparison import NO_LABEL, NO_MAJORITY, TIE, ComparedPairs, compared
from apps.datasets.models import ENTAILMENT, NON_ENTAILMENT, UNNATURAL, Pair

TIED, DISPUTED = "tied", "disputed"
KINDS = (TIED, DISPUTED)


def queue(campaign: Campaign, kinds: tuple[str, ...] = KINDS) -> ComparedPairs:
    """The campaign's pairs that wait for a decision, with ``why`` (tied or disputed), ties first.

    Only pairs whose item is complete: nobody decides while answers are still coming. One query.
    """
    labels = [ENTAILMENT, NON_ENTAILMENT]
    complete = Item.objects.filter(campaign=campaign, is_complete=True, is_test=False, pair=OuterRef("pk"))
    pairs = compared(Pair.objects.filter(Exists(complete)))
    why = Case(
        When(human__in=[TIE, NO_MAJORITY], then=Value(TIED)),
        When(
            Q(human__in=[*labels, UNNATURAL]) & ~Q(calculus=F("human")) & ~Q(calculus=NO_LABEL),
            then=Value(DISPUTED),
        ),
        default=Value(""),
        output_field=CharField(),
    )
    found: ComparedPairs = pairs.filter(adjudicated=NO_LABEL).annotate(why=why).filter(why__in=kinds)
    return found.order_by("-why", "pk")


def counts(campaign: Campaign) -> dict[str, int]:
    """How many pairs wait, by kind. One query."""
    kinds = list(queue(campaign).values_list("why", flat=True))
    return {kind: kinds.count(kind) for kind in KINDS}


def next_after(campaign: Campaign, kinds: tuple[str, ...], after: int | None) -> Any:
    """The pair of the queue behind number ``after`` in its order, going round; None where it is empty."""
    numbers = list(queue(campaign, kinds).values_list("pk", flat=True))
    if not numbers:
        return None
    if after not in numbers:
        later = [pk for pk in numbers if after is not None and pk > after]
        return (later or numbers)[0]
    return numbers[(numbers.index(after) + 1) % len(numbers)]
