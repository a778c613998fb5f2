"""Who is signed in, in one look-up: a session's row names its user, and both are read together.

Django's own two look-ups (the session, and the user that its contents name) were a tenth of the statements
of an annotator's answer.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware, auser
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from apps.accounts.models import Session, User
from apps.frame.rows import columns, row_of, width


class SessionStore(DatabaseStore):
    """``holder`` is the session's user, once it was loaded."""

    holder: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        return row

    def _get_session_from_db(self) -> Session | None:
        sql = f"""
        SELECT {columns(Session, "session")}, {columns(User, "holder")}
        FROM accounts_session session LEFT JOIN accounts_user holder ON holder.id = session.user_id
        WHERE session.session_key = %s AND session.expire_date > %s"""  # noqa: S608 - names of columns
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(sql, [self.session_key, now])
            found = cursor.fetchone()
        if found is None:
            self._session_key = None
            return None
        session = row_of(Session, found[: width(Session)])
        self.holder = row_of(User, found[width(Session) :]) if session.user_id else None
        return session


class SignedIn(AuthenticationMiddleware):
    """Django's middleware, with the user that came with the session."""

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: user_of(request))  # type: ignore[assignment]
        request.auser = partial(auser, request)


def user_of(request: HttpRequest) -> User | AnonymousUser:
    """Who is signed in, after the checks that Django makes; whatever does not pass them is left to Django."""
    session: Any = request.session
    named, backend = session.get(SESSION_KEY), session.get(BACKEND_SESSION_KEY)
    user: User | None = session.holder
    if (
        user is None
        or str(user.pk) != named
        or backend not in settings.AUTHENTICATION_BACKENDS
        or not user.is_active
        or not constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    ):
        return get_user(request)
    return user
