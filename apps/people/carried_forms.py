"""Forms that were sent too late: their fields are carried through signing in, and sent afterwards.

Somebody writes, the session ends meanwhile, and the form is sent to a page that wants them signed in.
Instead of a bare redirect, which loses what was written, the sign-in page carries the fields, and once
its reader is signed in shows them with a button that sends them where they were going. The same page
stands where a form's token is out of date because its writer signed in again elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.people.forms import SignInForm

#: The most that is carried, in characters. More is no form that a person filled in.
LIMIT = 200_000
_NOT_CARRIED = ("csrfmiddlewaretoken", "carried", "next")


@dataclass(frozen=True)
class Carried:
    """The fields of a form in their order, and where it was going (a path of this site)."""

    target: str
    fields: tuple[tuple[str, str], ...]

    def as_text(self) -> str:
        return json.dumps([list(field) for field in self.fields], ensure_ascii=False)

    @property
    def written(self) -> list[str]:
        """What a person would miss: the values with a word in them."""
        return [
            value for _name, value in self.fields if any(character.isspace() for character in value.strip())
        ]


def carried_from(request: HttpRequest) -> Carried | None:
    """The form that was just sent; None for files, secrets, what is too long, and what has no fields."""
    if request.method != "POST" or request.FILES or not request.POST:
        return None
    fields = tuple(
        (name, str(value))
        for name, values in request.POST.lists()
        if name not in _NOT_CARRIED
        for value in values
    )
    if not fields or any("password" in name for name, _value in fields):
        return None
    carried = Carried(request.get_full_path(), fields)
    return carried if len(carried.as_text()) <= LIMIT else None


def carried_through(text: str, target: str) -> Carried | None:
    """What the sign-in page carried (its field ``carried``); None where that is nothing or broken."""
    try:
        rows = json.loads(text) if 0 < len(text) <= LIMIT else []
        fields = tuple((str(name), str(value)) for name, value in rows)
    except (TypeError, ValueError):
        return None
    return Carried(target, fields) if fields and target else None


class SignInCarriesForms(LoginRequiredMiddleware):
    """Django's middleware, with a sign-in page that keeps a form sent by nobody who is signed in."""

    def handle_no_permission(  # type: ignore[override]
        self, request: HttpRequest, view_func: Callable[..., Any]
    ) -> HttpResponse:
        carried = carried_from(request)
        if carried is None:
            return super().handle_no_permission(request, view_func)
        context = {"form": SignInForm(request), "next": carried.target, "carried": carried}
        return render(request, "accounts/sign_in.html", context)


def trusted_origins(request: HttpRequest) -> list[str]:
    """Where this server's own forms come from, by what it sees of the request and by its settings."""
    return [f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS]


def carried_out_of_date(request: HttpRequest) -> Carried | None:
    """A form whose token is out of date, that its writer may send again; None for every other failure.

    Only where the browser itself says that it comes from one of this site's pages (the Origin header),
    and the person is signed in; they have to press a button once more.
    """
    came = request.headers.get("Origin", "")
    if not came or came not in trusted_origins(request) or not request.user.is_authenticated:
        return None
    return carried_from(request)
