"""Who may work in a campaign: what they declared, the allow-list, the quiz, and pauses.

:func:`refusal` is the gate through which every hand-out goes; it costs nothing where a campaign asks
for nothing. Whoever is refused is told why, before any work.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.campaigns.models import AllowedPerson, Campaign, Declaration, Quality, QualityAction
from apps.campaigns.quality import places, testing
from apps.campaigns.reasons import NothingNow
from apps.studies import audit
from apps.studies.clock import database_now
from apps.studies.models import Participant

DECLARE = "declare"
NOT_ELIGIBLE = "not-eligible"
QUIZ_FAILED = "quiz-failed"
PAUSED = "paused-for-you"


@dataclass(frozen=True)
class Refused(NothingNow):
    """A refusal of one person, said in full by ``detail``."""

    @property
    def text(self) -> str:
        return self.detail

    @property
    def may_change(self) -> bool:
        return False


def refusal(campaign: Campaign, participant: Participant) -> NothingNow | None:
    """Why this person gets nothing from the campaign, or None. None to four queries."""
    quality = campaign.quality_or_none
    if quality is None:
        return None
    pauses = QualityAction.objects.filter(
        campaign=campaign, participant=participant, kind=QualityAction.Kind.PAUSE, undone_at=None
    )
    if pauses.exists():
        return Refused(PAUSED, detail=_("Your work here is paused. What you sent is stored, and paid."))
    if quality.uses_allow_list and not _is_allowed(campaign, participant):
        return Refused(NOT_ELIGIBLE, detail=_("This work is open to a list of people that you are not on."))
    if asks_to_declare(quality) and (found := _refused_by_declaration(quality, participant)):
        return found
    if quality.quiz_size and testing.quiz_of(quality, participant).is_failed:
        return Refused(
            QUIZ_FAILED,
            detail=_("You did not pass the quiz at the beginning, so there is no more work for you here."),
        )
    return None


def asks_to_declare(quality: Quality) -> bool:
    return bool(quality.languages or quality.countries or asks_for_numbers(quality))


def asks_for_numbers(quality: Quality) -> bool:
    """Whether people are asked for the panel's numbers, rather than the panel filtering by them."""
    wanted = quality.approved_tasks is not None or quality.approval_rate is not None
    return wanted and quality.numbers_from == Quality.NumbersFrom.DECLARED


def _is_allowed(campaign: Campaign, participant: Participant) -> bool:
    """By pseudonym, panel id or e-mail address, whatever their capitals."""
    names = {participant.pseudonym, participant.external_id}
    if participant.user:
        names.add(participant.user.email)
    listed = AllowedPerson.objects.filter(campaign=campaign).values_list("name", flat=True)
    known = {name.casefold() for name in names if name}
    return any(name.casefold() in known for name in listed)


def _refused_by_declaration(quality: Quality, participant: Participant) -> NothingNow | None:
    said = Declaration.objects.filter(participant=participant).first()
    if said is None or is_incomplete(quality, said):
        return Refused(DECLARE, detail=_("Please answer a few questions about yourself first."))
    if quality.languages and said.language not in quality.languages:
        names = ", ".join(places.language_name(code) for code in quality.languages)
        return Refused(
            NOT_ELIGIBLE, detail=_("This work is for native speakers of: %(names)s.") % {"names": names}
        )
    if quality.countries and said.country not in quality.countries:
        names = ", ".join(places.country_name(code) for code in quality.countries)
        return Refused(NOT_ELIGIBLE, detail=_("This work is for people in: %(names)s.") % {"names": names})
    return _refused_by_numbers(quality, said) if asks_for_numbers(quality) else None


def is_incomplete(quality: Quality, said: Declaration) -> bool:
    """Whether the campaign wants to know something that the person has not been asked yet."""
    numbers = (
        asks_for_numbers(quality)
        and not said.numbers_from_panel
        and (
            (said.approved_tasks is None and quality.approved_tasks is not None)
            or (said.approval_rate is None and quality.approval_rate is not None)
        )
    )
    return bool(
        numbers or (quality.languages and not said.language) or (quality.countries and not said.country)
    )


def _refused_by_numbers(quality: Quality, said: Declaration) -> NothingNow | None:
    tasks, rate = quality.approved_tasks, quality.approval_rate
    if tasks is not None and (said.approved_tasks or 0) < tasks:
        text = ngettext(
            "This work needs %(n)d task approved before.",
            "This work needs %(n)d tasks approved before.",
            tasks,
        )
        return Refused(NOT_ELIGIBLE, detail=text % {"n": tasks})
    if rate is not None and (said.approval_rate or 0) < rate:
        text = _("This work needs an approval rate of at least %(n)d %%.")
        return Refused(NOT_ELIGIBLE, detail=text % {"n": rate})
    return None


# ---- What people say of themselves -------------------------------------------------------------


@transaction.atomic
def declaration_record(
    *,
    participant: Participant,
    language: str = "",
    country: str = "",
    approved_tasks: int | None = None,
    approval_rate: int | None = None,
    from_panel: bool = False,
) -> Declaration:
    """Keep what somebody says of themselves, or what their panel tells of them (``from_panel``).

    Each thing is asked once: what is known already stays, except that a panel's numbers replace
    declared ones.
    """
    if language and language not in dict(places.languages_to_choose()):
        raise ValidationError({"language": _("This is not one of the languages.")})
    if country and country not in dict(places.countries()):
        raise ValidationError({"country": _("This is not one of the countries.")})
    if approval_rate is not None and not 0 <= approval_rate <= 100:
        raise ValidationError({"approval_rate": _("A rate is between 0 and 100 %.")})
    if approved_tasks is not None and approved_tasks < 0:
        raise ValidationError({"approved_tasks": _("A number of tasks is not below 0.")})
    said, _new = Declaration.objects.select_for_update(no_key=True).get_or_create(participant=participant)
    said.language = said.language or language
    said.country = said.country or country
    if from_panel or not said.numbers_from_panel:
        for name, value in (("approved_tasks", approved_tasks), ("approval_rate", approval_rate)):
            if value is not None and (from_panel or getattr(said, name) is None):
                setattr(said, name, value)
        said.numbers_from_panel |= from_panel
    said.declared_at = database_now()
    said.save()
    audit.record(
        "declaration.recorded",
        study=participant.study,
        participant=participant,
        subject=said,
        from_panel=from_panel,
    )
    return said


@transaction.atomic
def declaration_forget(*, participant: Participant, actor: User) -> None:
    """Have somebody asked again, who slipped in the list of countries, say."""
    Declaration.objects.filter(participant=participant).delete()
    audit.record("declaration.forgotten", study=participant.study, actor=actor, participant=participant)
