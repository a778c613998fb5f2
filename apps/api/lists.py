"""What every API list shares: its pages, and what may stand in a query."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_to_bytes

from django.utils.translation import gettext as _
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from apps.api.problems import QueryError

_LARGEST = 2**63 - 1


class Pages(CursorPagination):
    """A hundred rows a page, in order of their number; ``next`` and ``previous`` are addresses."""

    page_size = 100
    ordering = "pk"
    cursor_query_description = "Where the page begins; taken from “next” and “previous”."

    def decode_cursor(self, request: Request) -> Cursor | None:
        """A cursor that no list handed out is a 400, not an error of the database."""
        try:
            cursor = super().decode_cursor(request)
            position: Any = cursor.position if cursor else None
            if position is not None and not 0 <= int(position) <= _LARGEST:
                raise ValueError(position)
        except Exception as error:
            raise QueryError({self.cursor_query_param: [_("This is no cursor of this list.")]}) from error
        return cursor


def query_checked(request: Request) -> None:
    """Refuse a query that is no Unicode text, or holds a NUL: 400, with the parameter named."""
    for part in request.META.get("QUERY_STRING", "").split("&"):
        name, _equals, value = part.partition("=")
        for piece in (name, value):
            try:
                # Lone surrogates are not encodable in UTF-8, so strict decoding refuses them.
                text = unquote_to_bytes(piece.encode("utf-8", "surrogateescape")).decode("utf-8")
            except UnicodeError:
                raise QueryError({_shown(name): [_("This is not UTF-8 text.")]}) from None
            if "\0" in text:
                raise QueryError({_shown(name): [_("NUL characters are not allowed.")]})


def query_known(request: Request, names: set[str]) -> None:
    """Refuse a parameter that the list does not know, that is empty, or that is there twice: a misspelt or
    forgotten filter must not return everything."""
    unknown = sorted(set(request.query_params) - names)
    if unknown:
        known = ", ".join(sorted(names))
        raise QueryError(
            {
                name: [_("There is no such filter here; known are: %(names)s.") % {"names": known}]
                for name in unknown
            }
        )
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise QueryError({name: [_("This parameter is there more than once.")]})
        if values[0] == "":
            raise QueryError({name: [_("This parameter is empty; give it a value, or leave it out.")]})


def _shown(name: str) -> str:
    return (
        unquote_to_bytes(name.encode("utf-8", "replace")).decode("utf-8", "replace").replace("\0", "")
        or "query"
    )
