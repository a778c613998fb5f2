"""Bodies as they come: JSON that the database can hold, and forms with a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import JSONParser

# More than this is no request of this API, and would exhaust the reader's stack.
_DEEPEST = 40


class Json(JSONParser):
    """JSON objects without NUL characters, lone surrogates and numbers beyond all bounds: what no text
    and no column holds is refused at the door."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            data: Any = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("This JSON is nested too deeply.")) from None
        if not isinstance(data, dict):
            raise ParseError(_("The body must be a JSON object: {…}."))
        if wrong := next(_unfit(data, ()), None):
            raise ValidationError(_nested(*wrong))
        return data


def _nested(path: tuple[str | int, ...], text: str) -> Any:
    """The message at its place, as a serializer would have it; names without what made them a fault."""
    found: Any = [text]
    for word in reversed(path):
        found = {str(word).replace("\0", "").encode("utf-8", "replace").decode(): found}
    return found


def _unfit(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if len(path) > _DEEPEST:
        yield path[:1], _("This is nested too deeply.")
    elif isinstance(value, str):
        if "\0" in value:
            yield path, _("NUL characters are not allowed.")
        elif not _is_text(value):
            yield path, _("This is no Unicode text: it has half of a surrogate pair.")
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, _("This number is too large.")
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _unfit(name, (*path, name))
            yield from _unfit(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _unfit(inner, (*path, place))


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
