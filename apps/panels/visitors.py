"""How somebody without an account comes to the work pages: by a signed name in the address.

A frame of another site keeps no cookies, so a visit's pages need none. They stand under
``/visit/<token>/``, and the rest of the path is the page's usual one: the middleware takes the token
off and makes it the prefix of every address that the page writes. The token alone gives the right,
therefore a request under it is nobody's who is signed in, and a form needs no token against forgery:
who could forge it would have to know the visit's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import get_script_prefix, set_script_prefix
from django.utils import translation

from apps.panels.models import Visit
from apps.panels.platforms import FRAME_HOSTS

_signer = signing.Signer(salt="panels.visit", sep="~")
_PATH = re.compile(r"^/visit/(?P<token>[^/]+)(?P<rest>/(?:work|panel)/.*)$")


class Visitor(AnonymousUser):
    """The person behind a visit: let in, without an account and its settings."""

    one_key_answers = True

    @property
    def is_authenticated(self) -> bool:  # type: ignore[override]
        return True

    @property
    def is_anonymous(self) -> bool:  # type: ignore[override]
        return False


def token_of(visit: Visit) -> str:
    """The visit's name in addresses: the same whenever it is asked for."""
    return _signer.sign(str(visit.pk))


def address_of(visit: Visit, rest: str) -> str:
    """The address of a page (its path without the leading slash) under the visit's token."""
    return f"{get_script_prefix()}visit/{token_of(visit)}/{rest}"


def visit_named(token: str) -> Visit | None:
    """The visit behind a token; None for a forged one. One query."""
    try:
        pk = int(_signer.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    rows = Visit.objects.select_related("participant", "panel__campaign__study", "panel__campaign__dataset")
    return rows.filter(pk=pk).first()


def let_be_framed(response: HttpResponseBase, submit_to: str = "") -> None:
    """Allow Mechanical Turk's sites to show the page in a frame, and its form to be sent there."""
    extra = cast(Any, response)
    extra.xframe_options_exempt = True
    extra._csp_replace = {"frame-ancestors": list(FRAME_HOSTS)}
    if submit_to:
        extra._csp_update = {"form-action": [submit_to]}


class VisitMiddleware:
    """Serves ``/visit/<token>/…``. Stands last, so that whoever is signed in is known and forgotten."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        # Django keeps the first reading with the prefix of that moment.
        _ = settings.STATIC_URL

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        match = _PATH.match(request.path_info)
        if match is None:
            return self.get_response(request)
        visit = visit_named(match["token"])
        if visit is None:
            raise Http404
        prefix = get_script_prefix()
        set_script_prefix(f"{prefix}visit/{match['token']}/")
        request.path_info = match["rest"]
        request.user = Visitor()
        extra = cast(Any, request)
        extra.visit = visit
        extra._dont_enforce_csrf_checks = True
        if visit.language:
            translation.activate(visit.language)
        try:
            response = _first(visit, match["rest"], request) or self.get_response(request)
        finally:
            set_script_prefix(prefix)
        if visit.panel.is_framed:
            let_be_framed(response, visit.submit_to)
        return response


def _first(visit: Visit, rest: str, request: HttpRequest) -> HttpResponseBase | None:
    """Where somebody has to go before, or instead of, the work: consent, or the end."""
    if not rest.startswith("/work/"):
        return None
    if not visit.may_work:
        return redirect("visit:consent")
    if rest == "/work/":
        return redirect("work:campaign", visit.panel.campaign_id)
    if (
        visit.finished_at and request.method == "GET" and rest.count("/") == 3
    ):  # the next card, not a sent one
        return redirect("visit:finish")
    return None
