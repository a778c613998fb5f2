"""What rooms below show of the answers to campaigns: how many somebody gave, how a set's blanks fared."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from apps.campaigns.models import Judgement
from apps.corpora.models import BlankSet
from apps.corpora.pilots import BlankAnswer


def answers_given() -> Coalesce:
    """How many answers a participant gave, test questions aside; for a query of participants."""
    given = Judgement.objects.filter(participant=OuterRef("pk"), item__is_test=False).order_by()
    counted = given.values("participant").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


def answers_to(blank_set: BlankSet) -> Iterator[BlankAnswer]:
    """Every answer to the blanks of a set. One query."""
    judgements = Judgement.objects.filter(item__blank__blank_set=blank_set)
    for text, reason in judgements.values_list("item__blank__text", "skip_reason"):
        yield BlankAnswer(text, bool(reason), reason == Judgement.SkipReason.TOO_GENERAL)
