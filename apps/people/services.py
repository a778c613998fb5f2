"""Inviting people, letting them in, and their API tokens."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import ApiToken, Scope, SignInLink, User, digest_of, new_token
from apps.people.models import Invitation
from apps.studies import audit
from apps.studies.models import Membership, Study

INVITATION_DAYS = 14
MOST_INVITED = 200
LONGEST_ADDRESS = 254


class LinkError(Exception):
    """A link that lets nobody in, with the reason in words."""


@transaction.atomic
def invitation_create(
    *, actor: User | None, study: Study | None = None, role: str = "", email: str = ""
) -> tuple[Invitation, str]:
    """A new invitation and its token, which is shown once. Without a study: may create studies."""
    token = new_token()
    invitation = Invitation.objects.create(
        study=study,
        role=role,
        email=email.strip().lower(),
        token_digest=digest_of(token),
        created_by=actor,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
    )
    audit.record("invitation.created", study=study, actor=actor, subject=invitation, role=role)
    return invitation, token


@dataclass(frozen=True)
class Invited:
    """What came of inviting several people: a link for each, and who is in already."""

    links: list[tuple[Invitation, str]]
    members: list[str]


@transaction.atomic
def invitations_create(*, actor: User, study: Study, role: str, emails: Collection[str]) -> Invited:
    """An invitation for each address, once. Who has the role already gets none; an open invitation of the
    same address and role is replaced, since its link can't be shown again. ValidationError names every
    address that is none, and then nobody is invited."""
    wanted = list(dict.fromkeys(email.strip().lower() for email in emails if email.strip()))
    if len(wanted) > MOST_INVITED:
        raise ValidationError({"emails": _("At most %(n)d at once.") % {"n": MOST_INVITED}})
    if wrong := [email for email in wanted if not _is_address(email)]:
        text = _("Not an e-mail address: %(names)s.") % {"names": ", ".join(wrong)}
        raise ValidationError({"emails": text})
    held = Membership.objects.filter(study=study, role=role, user__email__in=wanted)
    members = set(held.values_list("user__email", flat=True))
    links = []
    for email in wanted:
        if email not in members:
            for open_one in Invitation.objects.filter(study=study, role=role, email=email, accepted_at=None):
                invitation_withdraw(invitation=open_one, actor=actor)
            links.append(invitation_create(actor=actor, study=study, role=role, email=email))
    return Invited(links, sorted(members))


def _is_address(email: str) -> bool:
    try:
        validate_email(email)
    except ValidationError:
        return False
    return len(email) <= LONGEST_ADDRESS


def invitation_open(token: str) -> Invitation:
    """The invitation behind a token; LinkError when it is unknown, used or too old."""
    invitation = Invitation.objects.filter(token_digest=digest_of(token)).select_related("study").first()
    if invitation is None:
        raise LinkError(_("This invitation is not known here. Was the link copied whole?"))
    if invitation.accepted_at:
        raise LinkError(_("This invitation has been used. Sign in with your e-mail address instead."))
    if not invitation.is_open:
        raise LinkError(_("This invitation has run out. Ask for a new one."))
    return invitation


@transaction.atomic
def invitation_withdraw(*, invitation: Invitation, actor: User) -> None:
    """Close an open invitation; one that was accepted stays as it is."""
    now = timezone.now()
    if Invitation.objects.filter(pk=invitation.pk, accepted_at=None, expires_at__gt=now).update(
        expires_at=now
    ):
        audit.record("invitation.withdrawn", study=invitation.study, actor=actor, subject=invitation)


@transaction.atomic
def invitation_accept(*, token: str, user: User) -> Invitation:
    """Give an existing user what the invitation offers."""
    invitation_open(token)
    invitation = Invitation.objects.select_for_update().get(token_digest=digest_of(token))
    if not invitation.is_open:
        raise LinkError(_("This invitation has been used. Sign in with your e-mail address instead."))
    invitation.accepted_by, invitation.accepted_at = user, timezone.now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    if invitation.study:
        Membership.objects.get_or_create(study=invitation.study, user=user, role=invitation.role)
    else:
        User.objects.filter(pk=user.pk).update(may_create_studies=True)
    audit.record("invitation.accepted", study=invitation.study, actor=user, subject=invitation)
    return invitation


@transaction.atomic
def invitation_register(*, token: str, email: str, name: str, password: str) -> User:
    """Make an account out of an invitation. An address that has one must sign in first."""
    invitation_open(token)
    email = email.strip().lower()
    if User.objects.filter(email=email).exists():
        raise ValidationError({"email": _("This address has an account. Sign in, then open the link again.")})
    user = User(email=email, name=name.strip())
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise ValidationError({"password": error.messages}) from error
    user.set_password(password)
    user.save()
    invitation_accept(token=token, user=user)
    return user


def sign_in_link_create(*, user: User, hours: int = 24) -> str:
    """The token of a link that signs ``user`` in once."""
    token = new_token()
    SignInLink.objects.create(
        user=user, token_digest=digest_of(token), expires_at=timezone.now() + timedelta(hours=hours)
    )
    audit.record("sign_in_link.created", study=None, subject=user)
    return token


def sign_in_link_open(token: str) -> SignInLink:
    """The unused link of an active user; LinkError where there is none."""
    link = (
        SignInLink.objects.select_for_update(of=("self",))
        .filter(
            token_digest=digest_of(token), sets_password=False, used_at=None, expires_at__gt=timezone.now()
        )
        .select_related("user")
        .first()
    )
    if link is None or not link.user.is_active:
        raise LinkError(_("This sign-in link was used before or has run out."))
    return link


@transaction.atomic
def sign_in_link_use(token: str) -> User:
    """The user behind an unused link; the link is used up by this call."""
    link = sign_in_link_open(token)
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    audit.record("sign_in_link.used", study=None, actor=link.user, subject=link.user)
    return link.user


@transaction.atomic
def api_token_create(*, user: User, name: str, scopes: Collection[str] = ()) -> tuple[ApiToken, str]:
    """A new API token and its secret, which is shown once. It reads, and does what ``scopes`` add."""
    if unknown := set(scopes) - set(Scope.values):
        raise ValidationError(
            {"scopes": _("There is no scope “%(name)s”.") % {"name": ", ".join(sorted(unknown))}}
        )
    held = [scope for scope in Scope.values if scope == Scope.READ or scope in scopes]
    secret = new_token()
    token = ApiToken.objects.create(
        user=user, name=name.strip() or "token", token_digest=digest_of(secret), scopes=held
    )
    audit.record("api_token.created", study=None, actor=user, subject=token, scopes=held)
    return token, secret


def api_token_revoke(*, token: ApiToken, actor: User) -> None:
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        audit.record("api_token.revoked", study=None, actor=actor, subject=token)
