"""Two scripts at one row: a change with ``If-Match`` is made only where the row is still as it was read
(RFC 9110, section 13.1.1).

What is read at an address that may be changed comes with an ``ETag``, a digest of it without what moves by
itself (counts). PATCH, PUT, DELETE and the actions of a row take it back in ``If-Match``; where the row has
changed meanwhile they are answered by 412, with the row as it is now, and nothing is done. Without the header
a change is made to whatever is there: what a PATCH leaves out stays as it is in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException
from rest_framework.request import Request, override_method
from rest_framework.response import Response

from apps.frame.edit_forms import digest_of

HEADER = "If-Match"


class Changed(APIException):
    """The row is not what the sender has read; ``current`` is what it is now."""

    status_code = 412
    default_code = "changed"

    def __init__(self, current: Any) -> None:
        self.current = current
        super().__init__(_("It was changed after you had read it. “current” is how it stands now."))


def tag_of(data: Any, moving: Collection[str]) -> str:
    """The ETag of an answer; the names ``moving`` are left out of it."""
    steady = {name: value for name, value in data.items() if name not in moving}
    return f'"{digest_of(steady)}"'


def where_unchanged(
    view: Any, request: Request, do: Callable[[], Response], *args: Any, **kwargs: Any
) -> Response:
    """``do()`` of a viewset if the row is still what ``If-Match`` names: locked from the look to the end."""
    wanted = {tag.strip().removeprefix("W/") for tag in request.headers[HEADER].split(",")}
    with transaction.atomic():
        view.hold()
        current = _read(view, request, *args, **kwargs)
        if "*" not in wanted and tag_of(current, view.moving) not in wanted:
            raise Changed(current)
        return do()


def _read(view: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
    """What a GET of the address answers; of an action by POST, its row's: what it adds to has no tag."""
    if not hasattr(view, "action_map"):  # a view of this address alone: what it shows is what it changes
        with override_method(view, request, "GET") as reading:
            return view.get(reading, *args, **kwargs).data
    name = "retrieve" if request.method == "POST" else view.action_map.get("get", "retrieve")
    with override_method(view, request, "GET") as reading:
        view.action = name
        return getattr(view, name)(reading, *args, **kwargs).data
