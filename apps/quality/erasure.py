"""What quality keeps about a person, and what it forgets when the person is erased."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.people.erasure import Outcome
from apps.quality.eligibility import names_of
from apps.quality.models import AllowedPerson, Declaration, QualityAction, Refusal
from apps.studies.models import Participant


def describe(participant: Participant) -> Outcome:
    """Three queries."""
    outcome = Outcome()
    if Declaration.objects.filter(participant=participant).exists():
        outcome.goes.append(_("What they said of themselves: language, country, numbers from a panel."))
    if _listed(participant):
        outcome.goes.append(_("Their name on lists of who may work."))
    if _notes(participant).exists():
        outcome.goes.append(_("Notes that researchers wrote about them."))
    return outcome


def forget(participant: Participant) -> None:
    AllowedPerson.objects.filter(pk__in=_listed(participant)).delete()
    Declaration.objects.filter(participant=participant).delete()
    Refusal.objects.filter(participant=participant).update(said="")
    _notes(participant).update(note="")


def _listed(participant: Participant) -> list[int]:
    names = names_of(participant)
    entries = AllowedPerson.objects.filter(campaign__study=participant.study_id).values_list("pk", "name")
    return [pk for pk, name in entries if name.casefold() in names]


def _notes(participant: Participant) -> QuerySet[QualityAction]:
    """What somebody wrote; a block's own word stays."""
    return QualityAction.objects.filter(participant=participant).exclude(note__in=["", "blocked"])
