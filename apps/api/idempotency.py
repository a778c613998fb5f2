"""A POST with an ``Idempotency-Key`` is done once; sent again within a day, it gets the same answer.

The answer is stored in the transaction of its effect: either both are there or neither is. Only what
succeeded is kept, since what failed has changed nothing and may be tried again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.api.models import KeptAnswer
from apps.api.problems import Conflict, HeaderError, KeyReused

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT_FOR = timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


def once(request: Request, do: Callable[[], Response], *, shown_once: Collection[str] = ()) -> Response:
    """``do()`` under the request's key, or what it was answered before; without a key, ``do()``.

    The fields ``shown_once`` are not kept: a repeated answer has null in their place.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return do()
    if not _KEY.fullmatch(key):
        raise HeaderError({HEADER: [_("A key has 1 to 255 visible ASCII characters, such as a UUID.")]})
    user, route = cast(User, request.user), f"{request.method} {request.path}"[:300]
    digest = _digest(request)
    with transaction.atomic():
        _claim(user, route, key)
        found = KeptAnswer.objects.filter(user=user, route=route, key=key).first()
        if found and found.created_at > timezone.now() - KEPT_FOR:
            return _again(found, digest)
        if found:  # too old, and not swept yet
            found.delete()
        response = do()
        KeptAnswer.objects.create(
            user=user,
            route=route,
            key=key,
            digest=digest,
            status=response.status_code,
            location=response.headers.get("Location", ""),
            body=_kept(response.data, shown_once),
            created_at=timezone.now(),
        )
        return response


def answers_expire() -> int:
    """Forget the answers that are older than a day; returns how many. One query."""
    return KeptAnswer.objects.filter(created_at__lte=timezone.now() - KEPT_FOR).delete()[0]


def _again(found: KeptAnswer, digest: str) -> Response:
    if found.digest != digest:
        raise KeyReused(_("This key was sent with another body before. Take a new key for a new request."))
    headers = {REPLAYED: "true"} | ({"Location": found.location} if found.location else {})
    return Response(json.loads(found.body) if found.body else None, status=found.status, headers=headers)


def _claim(user: User, route: str, key: str) -> None:
    """Hold the key until the transaction ends; Conflict where somebody else does.

    PostgreSQL has locks on a number for this, which no crash leaves behind. On SQLite the transaction itself
    lets one writer in at a time: the second waits, and finds the answer of the first.
    """
    if connection.vendor != "postgresql":
        return
    name = hashlib.sha256(f"{user.pk} {route} {key}".encode()).digest()
    number = int.from_bytes(name[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        (held,) = cast(tuple[bool], cursor.fetchone())
    if not held:
        raise Conflict(_("A request with this key is being done at this moment. Ask again in a while."))


def _digest(request: Request) -> str:
    """SHA-256 of what was sent, as it was understood: a form's boundary, drawn anew for each request, and
    the spaces of a JSON text are no difference."""
    whole = hashlib.sha256()
    data: Any = request.data
    if hasattr(data, "lists"):
        for name, values in sorted(data.lists()):
            for value in values:
                whole.update(json.dumps([name, _plain(value)]).encode())
    else:
        whole.update(json.dumps(data, sort_keys=True).encode())
    return whole.hexdigest()


def _plain(value: Any) -> Any:
    if not isinstance(value, UploadedFile):
        return str(value)
    content = hashlib.sha256()
    for chunk in value.chunks():
        content.update(chunk)
    value.seek(0)
    return [value.name, content.hexdigest()]


def _kept(data: Any, shown_once: Collection[str]) -> str:
    if data is None:
        return ""
    if shown_once:
        data = {name: None if name in shown_once else value for name, value in data.items()}
    return JSONRenderer().render(data).decode()
