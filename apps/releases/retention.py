"""What releases say before their study, their dataset, or a campaign on it, is deleted."""

from __future__ import annotations

from django.utils.translation import ngettext

from apps.campaigns.models import Campaign, Judgement
from apps.datasets.models import Dataset
from apps.releases.models import Release
from apps.studies.models import Study


def before_deleting_a_study(study: Study) -> tuple[list[str], list[str]]:
    releases = Release.objects.filter(dataset__study=study, frozen_at__isnull=False).count()
    kept = ngettext(
        "%(n)d release is published. Archive the study instead.",
        "%(n)d releases are published. Archive the study instead.",
        releases,
    )
    return [kept % {"n": releases}] if releases else [], []


def before_deleting_a_dataset(dataset: Dataset) -> tuple[list[str], list[str]]:
    releases = Release.objects.filter(dataset=dataset, frozen_at__isnull=False).count()
    kept = ngettext(
        "%(n)d release of it is published. Archive it instead.",
        "%(n)d releases of it are published. Archive it instead.",
        releases,
    )
    return [kept % {"n": releases}] if releases else [], []


def before_deleting_a_campaign(campaign: Campaign) -> tuple[list[str], list[str]]:
    releases = Release.objects.filter(dataset=campaign.dataset_id, frozen_at__isnull=False).count()
    if not releases or not Judgement.objects.filter(item__campaign=campaign).exists():
        return [], []
    kept = ngettext(
        "%(n)d release of its dataset tells where pairs and answers come from. Archive it instead.",
        "%(n)d releases of its dataset tell where pairs and answers come from. Archive it instead.",
        releases,
    )
    return [kept % {"n": releases}], []
