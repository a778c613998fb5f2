"""Errors as problem details (RFC 9457): ``application/problem+json``, whatever went wrong.

``type`` is the address of the problem's entry on the documentation page, ``title`` its name, ``detail``
what happened this time, ``instance`` the path that was asked. Where a part of what was sent is at fault,
``errors`` has a line for each: ``detail``, and ``pointer`` (JSON pointer into the body), ``parameter``
(of the query) or ``header``.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.core import exceptions as django_errors
from django.core.signals import got_request_exception
from django.http import Http404
from django.utils.encoding import escape_uri_path
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.preconditions import Changed

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
# What Django and REST framework call errors that belong to no single field.
_NO_FIELD = ("__all__", "non_field_errors")


@dataclass(frozen=True)
class Kind:
    """A kind of problem: its word (the end of ``type``), HTTP status, title, and what to do about it."""

    word: str
    status: int
    title: str | Promise
    text: str | Promise


KINDS = {
    kind.word: kind
    for kind in (
        Kind("malformed", 400, gettext_lazy("The request can't be read"),
             gettext_lazy("The body is no JSON, or no form, or the request breaks off.")),
        Kind("query", 400, gettext_lazy("A parameter makes no sense"),
             gettext_lazy("“errors” names each parameter of the query, or header, and says what is wrong.")),
        Kind("unauthenticated", 401, gettext_lazy("No valid token"),
             gettext_lazy("Send a known token that was not revoked: “Authorization: Bearer TOKEN”.")),
        Kind("forbidden", 403, gettext_lazy("Not with your role"),
             gettext_lazy("Your role in this study does not include it.")),
        Kind("scope", 403, gettext_lazy("Not with this token"),
             gettext_lazy("The token lacks the scope that “detail” names; make one that has it.")),
        Kind("not-found", 404, gettext_lazy("Nothing here"),
             gettext_lazy("There is nothing at this address, or it is in none of your studies.")),
        Kind("method", 405, gettext_lazy("Not with this method"),
             gettext_lazy("The header “Allow” lists the methods that the address takes.")),
        Kind("not-acceptable", 406, gettext_lazy("No answer in this format"),
             gettext_lazy("Answers are application/json.")),
        Kind("conflict", 409, gettext_lazy("Not in this state"),
             gettext_lazy("It is being done at this moment, or can't be done as things stand.")),
        Kind("changed", 412, gettext_lazy("Changed since it was read"),
             gettext_lazy("“If-Match” names another state; “current” is the present one. Nothing was done.")),
        Kind("too-large", 413, gettext_lazy("Too large"), gettext_lazy("Split what you send.")),
        Kind("media-type", 415, gettext_lazy("Not in this format"),
             gettext_lazy("Bodies are application/json; files come as multipart/form-data.")),
        Kind("invalid", 422, gettext_lazy("What was sent can't be taken"),
             gettext_lazy("“errors” points at each field and says what is wrong. Nothing was changed.")),
        Kind("key-reused", 422, gettext_lazy("Another request had this key"),
             gettext_lazy("Each request has an Idempotency-Key of its own; its repetition has the same.")),
        Kind("too-many", 429, gettext_lazy("Too many requests"),
             gettext_lazy("Wait as many seconds as the header “Retry-After” says.")),
        Kind("unexpected", 500, gettext_lazy("An error of this server"),
             gettext_lazy("It was written to the server's log; nothing was changed.")),
        Kind("damaged", 503, gettext_lazy("A file of this server is damaged"),
             gettext_lazy("It was written to the server's log. “detail” says what is wrong with the file.")),
    )
}  # fmt: skip


class QueryError(exceptions.ValidationError):
    """A parameter of the query that makes no sense, by its name."""


class HeaderError(exceptions.ValidationError):
    """A header that makes no sense, by its name."""


class ScopeMissing(exceptions.PermissionDenied):
    """The token does not have the scope that this needs."""


class Conflict(exceptions.APIException):
    """It can't be done as things stand, and might be later."""

    status_code = 409
    default_code = "conflict"


class Damaged(exceptions.APIException):
    """A file that should be there, whole, is not."""

    status_code = 503
    default_code = "damaged"


class KeyReused(exceptions.APIException):
    """The Idempotency-Key belongs to another request."""

    status_code = 422
    default_code = "key-reused"


# The first that fits; the narrower stands before the wider.
_KIND_OF: tuple[tuple[type[Exception], str], ...] = (
    (QueryError, "query"),
    (HeaderError, "query"),
    (exceptions.ValidationError, "invalid"),
    (django_errors.ValidationError, "invalid"),
    (exceptions.ParseError, "malformed"),
    (exceptions.NotAuthenticated, "unauthenticated"),
    (exceptions.AuthenticationFailed, "unauthenticated"),
    (ScopeMissing, "scope"),
    (exceptions.PermissionDenied, "forbidden"),
    (django_errors.PermissionDenied, "forbidden"),
    (exceptions.NotFound, "not-found"),
    (Http404, "not-found"),
    (exceptions.MethodNotAllowed, "method"),
    (exceptions.NotAcceptable, "not-acceptable"),
    (exceptions.UnsupportedMediaType, "media-type"),
    (exceptions.Throttled, "too-many"),
    (Conflict, "conflict"),
    (Changed, "changed"),
    (KeyReused, "key-reused"),
    (Damaged, "damaged"),
    (django_errors.RequestDataTooBig, "too-large"),
    (django_errors.SuspiciousOperation, "malformed"),
)


def handle(error: Exception, context: dict[str, Any]) -> Response:
    """REST framework's hook: the answer to any exception of a view."""
    from rest_framework.views import set_rollback

    request: Request = context["request"]
    word = next((word for kind, word in _KIND_OF if isinstance(error, kind)), "unexpected")
    if word == "invalid" and request.method in ("GET", "HEAD"):
        word = "query"  # the only thing to be wrong about a reading is its query
    if word == "unexpected":
        logger.error("API: %s %s", request.method, request.path, exc_info=error)
        got_request_exception.send(sender=None, request=request._request)
    set_rollback()
    kind = KINDS[word]
    place = {"query": "parameter", "invalid": "pointer"}.get(word, "")
    errors = list(_errors(error, "header" if isinstance(error, HeaderError) else place)) if place else []
    body: dict[str, Any] = {
        "type": f"/api/v1/docs/#problem-{word}",
        "title": str(kind.title),
        "status": kind.status,
        "detail": _detail(error, kind, errors),
        "instance": escape_uri_path(request.path),
    }
    if place:
        body["errors"] = errors
    if isinstance(error, Changed):
        body["current"] = error.current
    response = Response(body, status=kind.status, headers=_headers(error), content_type=CONTENT_TYPE)
    response.exception = True
    return response


def _detail(error: Exception, kind: Kind, errors: list[dict[str, str]]) -> str:
    if errors:
        return " ".join(dict.fromkeys(item["detail"] for item in errors))[:1000]
    if isinstance(error, exceptions.APIException) and kind.word not in ("not-found", "unauthenticated"):
        return str(error.detail)
    if isinstance(error, exceptions.NotFound | exceptions.AuthenticationFailed):
        return str(error.detail)
    if isinstance(error, django_errors.PermissionDenied) and str(error):
        return str(error)
    return str(kind.text)


def _headers(error: Exception) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers


def _errors(error: Exception, place: str) -> Iterator[dict[str, str]]:
    if isinstance(error, django_errors.ValidationError):
        found: Any = error.message_dict if hasattr(error, "error_dict") else error.messages
    else:
        found = getattr(error, "detail", str(error))
    for path, text in _flat(found, ()):
        if not path:
            yield {"detail": text, **({"pointer": "#"} if place == "pointer" else {})}
        elif place == "pointer":
            yield {"detail": text, "pointer": pointer_of(path)}
        else:
            yield {"detail": text, place: str(path[0])}


def _flat(found: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every message in a nest of dictionaries and lists, with the way to it."""
    if isinstance(found, dict):
        for name, inner in found.items():
            yield from _flat(inner, path if name in _NO_FIELD else (*path, name))
    elif isinstance(found, list | tuple):
        for place, inner in enumerate(found):
            # A list of messages stands at its field; a list of dictionaries is one for each row.
            yield from _flat(inner, (*path, place) if isinstance(inner, dict) and inner else path)
    else:
        yield path, str(found)


def pointer_of(path: tuple[str | int, ...]) -> str:
    """A JSON pointer as the fragment of an address (RFC 6901, section 6).

    >>> pointer_of(("premises", 0)), pointer_of(("a/b",))
    ('#/premises/0', '#/a~1b')
    """
    words = (str(word).replace("~", "~0").replace("/", "~1") for word in path)
    return "#/" + "/".join(quote(word, safe="~") for word in words)


def nothing_here() -> exceptions.NotFound:
    """For an address that the API does not have."""
    return exceptions.NotFound(
        _("There is nothing at this address; addresses end in “/”, and /api/v1/docs/ lists them.")
    )
