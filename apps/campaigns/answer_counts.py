"""What rooms below show of the answers to campaigns: how many somebody gave, how a set's blanks fared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Count

from apps.campaigns.models import Judgement
from apps.corpora.models import BlankSet
from apps.corpora.pilots import BlankAnswer
from apps.studies.models import Study
from apps.tallies.selectors import Found, read

ANSWERS = "campaigns.answers"


def answers_given(study: Study) -> Found:
    """How many answers each participant of a study gave, by number as text, test questions aside; kept."""
    return read(study, ANSWERS)


def answers_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[int, int]:
    """One query."""
    given = Judgement.objects.filter(guideline__campaign__study=study, item__is_test=False).order_by()
    return dict(given.values_list("participant").annotate(n=Count("pk")))


def answers_to(blank_set: BlankSet) -> Iterator[BlankAnswer]:
    """Every answer to the blanks of a set. One query."""
    judgements = Judgement.objects.filter(item__blank__blank_set=blank_set)
    for text, reason in judgements.values_list("item__blank__text", "skip_reason"):
        yield BlankAnswer(text, bool(reason), reason == Judgement.SkipReason.TOO_GENERAL)
