"""Erasing a participant: forgetting who somebody is, and keeping what they judged.

Rooms that keep something about people register at start-up (in an ``AppConfig.ready``) what they say of it
beforehand and what they forget, so that this one need not know them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.people.models import Invitation
from apps.studies import audit
from apps.studies.models import AuditEvent, Membership, Participant, Role, Study


@dataclass
class Outcome:
    """What erasing means for one person, in sentences: what goes, what stays, and what to do before."""

    goes: list[str] = field(default_factory=list)
    stays: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.goes += other.goes
        self.stays += other.stays
        self.before += other.before


Describe = Callable[[Participant], Outcome]
Forget = Callable[[Participant], None]

_rooms: list[tuple[Describe, Forget]] = []


def add_room(describe: Describe, forget: Forget) -> None:
    if (describe, forget) not in _rooms:
        _rooms.append((describe, forget))


def outcome_of(participant: Participant) -> Outcome:
    """What erasing this person would do. Nothing is changed."""
    found = _own(participant)
    for describe, _forget in _rooms:
        found.add(describe(participant))
    return found


@transaction.atomic
def participant_erase(*, participant: Participant, actor: User | None) -> None:
    """Forget who a participant is; the judgements stay under the pseudonym. Done again it changes nothing.

    Their role of annotator goes, so that they don't come back unseen under another pseudonym; and with it the
    account, where it is good for nothing else.
    """
    held = Participant.objects.select_for_update(no_key=True).get(pk=participant.pk)
    if held.erased_at:
        return
    user = held.user
    for _describe, forget in _rooms:
        forget(held)
    held.user = None
    held.external_id = ""
    held.erased_at = timezone.now()
    held.save(update_fields=["user", "external_id", "erased_at"])
    if user:
        _forget_user(held, user)
    audit.record("participant.erased", study=held.study, actor=actor, participant=held, subject=held)
    participant.refresh_from_db()


def _forget_user(participant: Participant, user: User) -> None:
    """Whatever in the study leads from the person to the pseudonym. The role goes without a line of its own:
    beside that of the erasing it would say whose pseudonym it was."""
    study = participant.study
    AuditEvent.objects.filter(study=study, actor=user, participant=participant).update(actor=None)
    AuditEvent.objects.filter(
        study=study, actor=user, object_type="participant", object_id=participant.pk
    ).update(actor=None)
    Membership.objects.filter(study=study, user=user, role=Role.ANNOTATOR).delete()
    Invitation.objects.filter(study=study, accepted_by=user).update(email="")
    if not account_is_needed(user):
        account_delete(user)


def account_is_needed(user: User, without: Study | None = None) -> bool:
    """Whether an account is good for something (but for annotating in the study ``without``)."""
    memberships, participants = user.memberships.all(), user.participants.all()
    if without:
        memberships = memberships.exclude(study=without, role=Role.ANNOTATOR)
        participants = participants.exclude(study=without)
    return (
        user.may_create_studies
        or user.is_staff
        or user.is_superuser
        or memberships.exists()
        or participants.exists()
        or Study.objects.filter(created_by=user).exists()
    )


def account_delete(user: User) -> None:
    """The account, and the address wherever else it is written down."""
    Invitation.objects.filter(email=user.email).update(email="")
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(username=user.email).delete()
    user.delete()


def _own(participant: Participant) -> Outcome:
    stays = [_("The pseudonym %(name)s.") % {"name": participant.pseudonym}]
    user = participant.user
    if user is None:
        goes = [_("Their identifier at the panel. Coming again, they are a new person here.")]
        return Outcome(goes if participant.external_id else [], stays)
    goes = [_("The link from the pseudonym to the account (name and e-mail address).")]
    if Membership.objects.filter(study=participant.study, user=user, role=Role.ANNOTATOR).exists():
        goes.append(_("Their role of annotator in this study."))
    if account_is_needed(user, without=participant.study):
        stays.append(_("Their account, which is good for more than annotating here; and other roles."))
    else:
        goes.append(_("The account itself, with its password: it is good for nothing else."))
    return Outcome(goes, stays)
