"""Campaigns among the rooms of a study."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext

from apps.campaigns.models import Campaign, Judgement
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.rooms import Contents, Room


def _campaigns(study: Study) -> Contents:
    judgements = within(Judgement, study).filter(item__is_test=False).count()
    text = ngettext("%(n)d judgement", "%(n)d judgements", judgements) % {"n": judgements}
    count = within(Campaign, study).count()
    return Contents(count, ngettext("campaign", "campaigns", count), text)


CAMPAIGNS = Room(
    name="campaigns",
    title=gettext_lazy("Campaigns"),
    place=30,
    address="campaigns:list",
    contents=_campaigns,
    first=gettext_lazy("Give a set of blanks to annotators."),
    rows=lambda study: within(Campaign, study),
)
