"""People who sign in, and the tokens that let them in.

Tokens are shown once and stored as SHA-256 digests.
"""

from __future__ import annotations

import hashlib
import secrets
from importlib import import_module
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A person with an account; the e-mail address is the name to sign in with."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    may_create_studies = models.BooleanField(_("may create studies"), default=False)
    one_key_answers = models.BooleanField(
        _("one-key answers"), default=True, help_text=_("A single key press answers a question.")
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return self.name or self.email


class Session(AbstractBaseSession):
    """A browser's session with the user whom it signs in, so that one look-up finds both (sessions.py)."""

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="sessions")

    class Meta(AbstractBaseSession.Meta):
        pass

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Whichever the settings name, as Django's own middleware asks for it."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class SignInLink(models.Model):
    """A link that signs one existing user in, once; with ``sets_password``, by choosing a new password."""

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_in_links")
    token_digest = models.CharField(max_length=64, unique=True)
    sets_password = models.BooleanField(default=False)
    # Nobody where its user asked for it by mail.
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link for {self.user}"


class Scope(models.TextChoices):
    """What a token may do, within what its user may do."""

    READ = "read", _("read everything that the pages show")
    WRITE = "write", _("write: studies, corpora, blanks, campaigns, pairs, models, jobs")
    PEOPLE = "people", _("people: members and invitations, annotators' standing and pay")
    RELEASE = "release", _("release: freeze and publish datasets")


def reading_alone() -> list[str]:
    """What tokens could do before they had scopes, and what every token can."""
    return [Scope.READ.value]


class ApiToken(models.Model):
    """A key for the API; it acts for its user, within the user's studies and the token's scopes."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=80)
    scopes = models.JSONField(_("scopes"), default=reading_alone)
    token_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name
