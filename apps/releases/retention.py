"""What releases say before what they tell of is deleted."""

from __future__ import annotations

from django.utils.translation import ngettext

from apps.campaigns.models import Campaign, Judgement
from apps.releases.models import Release


def before_deleting_a_campaign(campaign: Campaign) -> tuple[list[str], list[str]]:
    releases = Release.objects.filter(dataset=campaign.dataset_id, frozen_at__isnull=False).count()
    if not releases or not Judgement.objects.filter(item__campaign=campaign).exists():
        return [], []
    text = ngettext(
        "%(n)d release of its dataset tells where pairs and answers come from. Archive it instead.",
        "%(n)d releases of its dataset tell where pairs and answers come from. Archive it instead.",
        releases,
    )
    return [text % {"n": releases}], []
