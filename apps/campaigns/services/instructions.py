"""Which version of the instructions somebody has read: the last that was put before them."""

from __future__ import annotations

from django.db import transaction

from apps.campaigns.models import Campaign, Tally
from apps.campaigns.services.locks import tally_lock
from apps.studies.models import Participant


@transaction.atomic
def instructions_read(*, campaign: Campaign, participant: Participant) -> None:
    """The participant has read the version in force, and begins."""
    tally = tally_lock(campaign=campaign.pk, participant=participant.pk)
    Tally.objects.filter(pk=tally.pk).update(read_version=campaign.guideline.version)
