"""What campaigns keep about a person, and what they give back when the person is erased."""

from __future__ import annotations

from django.utils.translation import ngettext

from apps.campaigns.models import Judgement
from apps.campaigns.services import leases_release
from apps.people.erasure import Outcome
from apps.studies.models import Participant


def describe(participant: Participant) -> Outcome:
    """One query."""
    answers = Judgement.objects.filter(participant=participant).count()
    text = ngettext(
        "%(n)d answer with its times and earlier versions: it counts and is released as before.",
        "%(n)d answers with their times and earlier versions: they count and are released as before.",
        answers,
    )
    return Outcome(stays=[text % {"n": answers}])


def forget(participant: Participant) -> None:
    leases_release(participant=participant)
