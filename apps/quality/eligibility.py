"""Who may work in a campaign: what they declared, the allow-list, the quiz, and pauses.

:func:`refusal` is the gate through which every hand-out goes; it costs nothing where a campaign asks
for nothing. Whoever is refused is told why, before any work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.campaigns.reasons import NothingNow
from apps.frame.clock import database_now
from apps.quality import places, quizzes
from apps.quality.models import AllowedPerson, Declaration, Quality, QualityAction, Refusal
from apps.quality.models.eligibility import RefusalBy
from apps.quality.settings import quality_or_none
from apps.studies import audit
from apps.studies.access import RESEARCH
from apps.studies.models import Membership, Participant

DECLARE = "declare"
NOT_ELIGIBLE = "not-eligible"
QUIZ_FAILED = "quiz-failed"
PAUSED = "paused-for-you"


#: What whoever is refused can do about it themselves (:attr:`Refused.remedy`).
CORRECT, RETRY = "correct", "retry"


@dataclass(frozen=True)
class Refused(NothingNow):
    """A refusal of one person, said in full by ``detail``.

    ``by`` is what they were refused by (:class:`Refusal.By`; "" where that is nothing about them), ``said``
    what they had said, and ``remedy`` what they may do about it themselves.
    """

    by: str = ""
    said: str = ""
    remedy: str = ""

    @property
    def text(self) -> str:
        return self.detail

    @property
    def may_change(self) -> bool:
        return False

    @property
    def is_final(self) -> bool:
        """Whether the campaign is none of theirs, and nothing that they can say changes it."""
        return self.by in (Refusal.By.LIST, Refusal.By.MEMBERS, Refusal.By.QUIZ) and not self.remedy


def refusal(campaign: Campaign, participant: Participant) -> NothingNow | None:
    """Why this person gets nothing from the campaign, or None. None to five queries.

    A participant who is not stored yet (a member who never worked in the study) is looked at as well.
    """
    quality = quality_or_none(campaign)
    if quality is None:
        return None
    if found := _refused_by_list(quality, campaign, participant):
        return found
    if participant.pk is None:
        return None
    pauses = QualityAction.objects.filter(
        campaign=campaign, participant=participant, kind=QualityAction.Kind.PAUSE, undone_at=None
    )
    if pauses.exists():
        return Refused(PAUSED, detail=_("Your work here is paused. What you sent is stored, and paid."))
    if asks_to_declare(quality):
        said = Declaration.objects.filter(participant=participant).first()
        if found := refused_by_declaration(quality, said):
            return found
    return _refused_by_quiz(quality, participant) if quality.quiz_size else None


def _refused_by_quiz(quality: Quality, participant: Participant) -> Refused | None:
    quiz = quizzes.quiz_of(quality, participant)
    if not quiz.is_failed:
        return None
    if quizzes.may_retry(quality, participant, quiz):
        text = _("You did not pass the quiz at the beginning. You may try it again, with other questions.")
        return Refused(QUIZ_FAILED, detail=text, by=Refusal.By.QUIZ, remedy=RETRY)
    text = _("You did not pass the quiz at the beginning, so there is no more work for you here.")
    return Refused(QUIZ_FAILED, detail=text, by=Refusal.By.QUIZ)


def asks_to_declare(quality: Quality) -> bool:
    return bool(quality.languages or quality.countries or asks_for_numbers(quality))


def asks_for_numbers(quality: Quality) -> bool:
    """Whether people are asked for the panel's numbers, rather than the panel filtering by them."""
    wanted = quality.approved_tasks is not None or quality.approval_rate is not None
    return wanted and quality.numbers_from == Quality.NumbersFrom.DECLARED


def _refused_by_list(quality: Quality, campaign: Campaign, participant: Participant) -> Refused | None:
    """By whom the campaign was given to: the study's annotators, a panel's people, those on its list."""
    is_member = not participant.panel and not participant.simulated
    if quality.uses_allow_list and not is_listed(campaign, participant):
        text = _("This work is open to a list of people that you are not on.")
        return Refused(NOT_ELIGIBLE, detail=text, by=Refusal.By.LIST)
    if quality.members_work or quality.uses_allow_list or not is_member:
        return None
    if is_listed(campaign, participant) or _researches(participant):
        return None
    text = _("This work is for people who come from a panel.")
    return Refused(NOT_ELIGIBLE, detail=text, by=Refusal.By.MEMBERS)


def _researches(participant: Participant) -> bool:
    """Whether somebody is researcher or admin of the study: they may try what others work on."""
    return Membership.objects.filter(
        study=participant.study_id, user=participant.user_id, role__in=RESEARCH
    ).exists()


def is_listed(campaign: Campaign, participant: Participant) -> bool:
    """By pseudonym, panel id or e-mail address, whatever their capitals."""
    listed = AllowedPerson.objects.filter(campaign=campaign).values_list("name", flat=True)
    return bool(names_of(participant) & {name.casefold() for name in listed})


def names_of(participant: Participant) -> set[str]:
    """All that a list may call somebody, without capitals."""
    names = {participant.pseudonym, participant.external_id}
    if participant.user:
        names.add(participant.user.email)
    return {name.casefold() for name in names if name}


def refused_by_declaration(quality: Quality, said: Declaration | None) -> Refused | None:
    """By what somebody said of themselves; asked (``DECLARE``) where that is not all the campaign wants."""
    if said is None or is_incomplete(quality, said):
        return Refused(DECLARE, detail=_("Please answer a few questions about yourself first."))
    for by, value, text in _unmet(quality, said):
        may_correct = said.corrected_at is None and not (by in _NUMBERS and said.numbers_from_panel)
        return Refused(
            NOT_ELIGIBLE, detail=text, by=by, said=str(value), remedy=CORRECT if may_correct else ""
        )
    return None


_NUMBERS = (Refusal.By.APPROVED_TASKS, Refusal.By.APPROVAL_RATE)


def _unmet(quality: Quality, said: Declaration) -> Iterator[tuple[RefusalBy, str | int, str]]:
    """What of a declaration does not suffice: by what, what was said, and the sentence to say."""
    if quality.languages and said.language not in quality.languages:
        names = ", ".join(places.language_name(code) for code in quality.languages)
        text = _("This work is for native speakers of: %(names)s.") % {"names": names}
        yield Refusal.By.LANGUAGE, said.language, text
    if quality.countries and said.country not in quality.countries:
        names = ", ".join(places.country_name(code) for code in quality.countries)
        yield Refusal.By.COUNTRY, said.country, _("This work is for people in: %(names)s.") % {"names": names}
    if not asks_for_numbers(quality):
        return
    tasks, rate = quality.approved_tasks, quality.approval_rate
    if tasks is not None and (said.approved_tasks or 0) < tasks:
        text = ngettext(
            "This work needs %(n)d task approved before.",
            "This work needs %(n)d tasks approved before.",
            tasks,
        )
        yield Refusal.By.APPROVED_TASKS, said.approved_tasks or 0, text % {"n": tasks}
    if rate is not None and (said.approval_rate or 0) < rate:
        text = _("This work needs an approval rate of at least %(n)d %%.") % {"n": rate}
        yield Refusal.By.APPROVAL_RATE, said.approval_rate or 0, text


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
    _refuse_nonsense(language, country, approved_tasks, approval_rate)
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


def _refuse_nonsense(
    language: str, country: str, approved_tasks: int | None, approval_rate: int | None
) -> None:
    if language and language not in dict(places.languages_to_choose()):
        raise ValidationError({"language": _("This is not one of the languages.")})
    if country and country not in dict(places.countries()):
        raise ValidationError({"country": _("This is not one of the countries.")})
    if approval_rate is not None and not 0 <= approval_rate <= 100:
        raise ValidationError({"approval_rate": _("A rate is between 0 and 100 %.")})
    if approved_tasks is not None and approved_tasks < 0:
        raise ValidationError({"approved_tasks": _("A number of tasks is not below 0.")})


@transaction.atomic
def declaration_correct(*, participant: Participant, **fields: Any) -> Declaration:
    """Put right what somebody said by a slip: once, and what they had said first is kept beside it.

    ``fields`` are :func:`declaration_record`'s. The same answers as before use nothing up. ValidationError
    for a second correction, and for numbers that the panel told.
    """
    _refuse_nonsense(
        fields.get("language", ""),
        fields.get("country", ""),
        fields.get("approved_tasks"),
        fields.get("approval_rate"),
    )
    said = Declaration.objects.select_for_update(no_key=True).filter(participant=participant).first()
    if said is None:
        raise ValidationError(_("There is nothing to correct yet."))
    changed = {name: fields[name] for name in fields if fields[name] != getattr(said, name)}
    if not changed:
        return said
    if said.corrected_at:
        raise ValidationError(_("You have corrected this before. Please write to the people of the study."))
    if said.numbers_from_panel and changed.keys() & {"approved_tasks", "approval_rate"}:
        raise ValidationError(_("These numbers are the panel's."))
    said.before = {name: getattr(said, name) for name in changed}
    for name, value in changed.items():
        setattr(said, name, value)
    said.corrected_at = database_now()
    said.save()
    audit.record(
        "declaration.corrected",
        study=participant.study,
        participant=participant,
        subject=said,
        changed=sorted(changed),
    )
    return said


@transaction.atomic
def declaration_forget(*, participant: Participant, actor: User) -> None:
    """Have somebody asked again, who slipped in the list of countries, say."""
    Declaration.objects.filter(participant=participant).delete()
    audit.record("declaration.forgotten", study=participant.study, actor=actor, participant=participant)
