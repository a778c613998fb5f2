"""Making studies, their members, and the participants behind judgements."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.frame.texts import line_checked
from apps.studies import audit, departure
from apps.studies.models import Membership, Participant, Role, Study

SAME_STUDY_SECONDS = 30


@transaction.atomic
def study_create(*, actor: User, name: str, description: str = "") -> Study:
    """A new study with its maker as admin and researcher."""
    name = name.strip()
    if not name:
        raise ValidationError({"name": _("Give the study a name.")})
    name = line_checked(name, "name")
    just_now = timezone.now() - timedelta(seconds=SAME_STUDY_SECONDS)
    same = Study.objects.filter(created_by=actor, name=name, created_at__gte=just_now).first()
    if same:  # the second click on the same button
        return same
    base = slugify(name)[:50] or "study"
    slug, number = base, 1
    while Study.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    study = Study.objects.create(name=name, slug=slug, description=description, created_by=actor)
    for role in (Role.ADMIN, Role.RESEARCHER):
        Membership.objects.create(study=study, user=actor, role=role)
    audit.record("study.created", study=study, actor=actor, subject=study, name=name)
    return study


@transaction.atomic
def study_update(
    *, study: Study, actor: User, name: str | None = None, description: str | None = None
) -> Study:
    """Change a study's name or description; its address stays, since links lead to it."""
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if name is not None and not name.strip():
        raise ValidationError({"name": _("Give the study a name.")})
    wanted = {"name": line_checked(name, "name") if name else None, "description": description}
    changed = {key: new for key, new in wanted.items() if new is not None and new != getattr(held, key)}
    if changed:
        Study.objects.filter(pk=held.pk).update(**changed)
        audit.record("study.changed", study=held, actor=actor, subject=held, changed=sorted(changed))
        held.refresh_from_db()
    return held


@transaction.atomic
def membership_remove(*, membership: Membership, actor: User) -> None:
    """Take a role away. The last admin stays; a removed annotator's leases are freed. What they judged stays
    where it is, as of somebody who left; invited again, they go on as the same participant."""
    study, user = membership.study, membership.user
    admins = Membership.objects.select_for_update().filter(study=study, role=Role.ADMIN)
    if membership.role == Role.ADMIN and admins.count() == 1:
        raise ValidationError(_("A study keeps at least one admin."))
    membership.delete()
    audit.record("membership.removed", study=study, actor=actor, subject=user, role=membership.role)
    if not Membership.objects.filter(study=study, user=user).exists():
        for participant in Participant.objects.filter(study=study, user=user):
            departure.tell(participant)


@transaction.atomic
def study_leave(*, study: Study, user: User) -> None:
    """Leave with every role, as :func:`membership_remove` of each; the last admin stays, with all of them."""
    for membership in Membership.objects.filter(study=study, user=user).select_related("study", "user"):
        membership_remove(membership=membership, actor=user)


def participant_for(study: Study, user: User) -> Participant:
    """The user's participant in the study, made on first need."""
    found = Participant.objects.filter(study=study, user=user).first()
    if found:
        return found
    try:
        with transaction.atomic():
            participant = Participant.objects.create(study=study, user=user, pseudonym=new_pseudonym())
            # Without their name: the trail must not say whose pseudonym it is.
            audit.record("participant.created", study=study, participant=participant, subject=participant)
            return participant
    except IntegrityError:  # made by another request of the same person in the meantime
        return Participant.objects.get(study=study, user=user)


@transaction.atomic
def participant_simulate(*, study: Study, actor: User, pseudonym: str) -> Participant:
    """A participant who is a program; marked as simulated wherever it shows."""
    participant = Participant.objects.create(study=study, pseudonym=pseudonym, simulated=True)
    audit.record("participant.simulated", study=study, actor=actor, subject=participant)
    return participant


def new_pseudonym() -> str:
    return f"a{secrets.token_hex(4)}"


def release_pseudonym(participant: Participant, salt: str) -> str:
    """The name of a participant in a published file: a salted hash, so that releases can't be joined."""
    return hashlib.sha256(f"{salt}:{participant.pseudonym}".encode()).hexdigest()[:12]
