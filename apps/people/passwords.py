"""Changing a password on one's own page, and setting a new one by a link.

A link is made by an admin of a study for one of its members, by whoever hosts the server (``manage.py
password_link``), or asked for by mail where the host has set mail up. It is shown or sent once, works once,
and ends every session of its user.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import SignInLink, User, digest_of, new_token
from apps.frame.public_address import whole
from apps.people.services import LinkError
from apps.studies import audit
from apps.studies.models import Membership, Role, Study

logger = logging.getLogger(__name__)

LINK_HOURS = 24
# A mail asked for again sooner is not sent: nobody's mailbox is filled by others.
MAIL_MINUTES = 5


@transaction.atomic
def password_change(*, user: User, password: str, old: str = "") -> None:
    """A new password for somebody who is signed in; ValidationError by field.

    ``old`` is asked for where there is one: who came by a one-time link alone may have none.
    """
    held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if held.has_usable_password() and not held.check_password(old):
        raise ValidationError({"old": _("This is not your present password.")})
    _set(held, password)
    audit.record("password.changed", study=None, actor=held, subject=held)


def refusal_of_link(*, actor: User, study: Study, user: User) -> str:
    """Why an admin of ``study`` may not make a link for a member; "" where they may.

    Whoever holds the link gets all that the account may do, so it must be no more than what the admin rules
    over already.
    """
    if user == actor:
        return _("Your own password is changed on your own page.")
    beyond = user.is_staff or user.is_superuser or (user.may_create_studies and not actor.may_create_studies)
    elsewhere = Membership.objects.filter(user=user).exclude(
        study__in=Membership.objects.filter(user=actor, role=Role.ADMIN).values("study")
    )
    if beyond or elsewhere.exists():
        return _(
            "This account opens more than the studies that you administer. Whoever hosts this server can "
            "make the link."
        )
    return ""


@transaction.atomic
def password_link_for_member(*, actor: User, study: Study, user: User) -> str:
    """The token of a link, made by a study's admin; PermissionDenied with the reason where they may not."""
    if reason := refusal_of_link(actor=actor, study=study, user=user):
        raise PermissionDenied(reason)
    token = password_link_create(user=user, actor=actor)
    audit.record("password_link.created", study=study, actor=actor, subject=user)
    return token


@transaction.atomic
def password_link_create(*, user: User, actor: User | None) -> str:
    """The token of a link that sets the user's password, once; earlier ones that wait work no more."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    now = timezone.now()
    SignInLink.objects.filter(user=user, sets_password=True, used_at=None, expires_at__gt=now).update(
        expires_at=now
    )
    token = new_token()
    SignInLink.objects.create(
        user=user,
        token_digest=digest_of(token),
        sets_password=True,
        created_by=actor,
        expires_at=now + timedelta(hours=LINK_HOURS),
    )
    return token


def password_link_mail(*, email: str) -> None:
    """Send a link to the address if it is somebody's; who asks is told the same in either case.

    A mail that can't be sent is the host's affair and stands in the log.
    """
    user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if user is None or _was_just_mailed(user):
        return
    link = whole(reverse("people:password_reset", args=[password_link_create(user=user, actor=None)]))
    text = _(
        "Somebody, probably you, asked for a new password at %(server)s.\n\n"
        "Set it here, within a day: %(link)s\n\n"
        "If it was not you, do nothing: the old password stays."
    ) % {"server": settings.PUBLIC_URL or "Polarlab", "link": link}
    try:
        send_mail(_("A new password"), text, settings.DEFAULT_FROM_EMAIL, [user.email])
    except (OSError, SMTPException) as error:
        logger.error("A mail with a password link was not sent: %s. Look at EMAIL_URL.", error)
    else:
        audit.record("password_link.mailed", study=None, subject=user)


def _was_just_mailed(user: User) -> bool:
    recent = timezone.now() - timedelta(minutes=MAIL_MINUTES)
    return SignInLink.objects.filter(
        user=user, sets_password=True, created_by=None, created_at__gt=recent
    ).exists()


def password_link_open(token: str) -> SignInLink:
    """The unused link of an active user; LinkError where there is none."""
    link = (
        SignInLink.objects.filter(
            token_digest=digest_of(token), sets_password=True, used_at=None, expires_at__gt=timezone.now()
        )
        .select_related("user")
        .first()
    )
    if link is None or not link.user.is_active:
        raise LinkError(_("This link was used before, was replaced by a newer one, or has run out."))
    return link


@transaction.atomic
def password_link_use(*, token: str, password: str) -> User:
    """Set the password; the link is used up, once, and every session of the user ends."""
    user = User.objects.select_for_update(no_key=True).get(pk=password_link_open(token).user_id)
    link = password_link_open(token)  # as it is now, that nobody else can use it
    _set(user, password)
    SignInLink.objects.filter(pk=link.pk).update(used_at=timezone.now())
    audit.record("password_link.used", study=None, actor=user, subject=user)
    return user


def _set(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise ValidationError({"password": error.messages}) from error
    user.set_password(password)
    user.save(update_fields=["password"])
