"""Records of JSON lines, or of one array of objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.corpora.sources import LONGEST_LINE, FileProblem, Source, lines_of, text_of
from apps.imports.records.record import Record, Records

# What other programs write for "not a number" and the infinities is no value.
_JSON = json.JSONDecoder(parse_constant=lambda _name: None)
_BETWEEN = re.compile(r"[\s,]*")


def json_records(source: Source) -> Records:
    """JSON lines, or one array of objects; the columns are those of the first object."""
    rows = _array_rows(source) if source.first_character() == "[" else _json_rows(source)
    head = next(rows, None)
    columns = tuple(head.cells) if isinstance(head, Record) else ()
    return Records(columns, rows if head is None else chain([head], rows))


def _json_rows(source: Source) -> Iterator[Record | RowError]:
    number = 0
    for line, text in lines_of(source):
        if not text.strip():
            continue
        number += 1
        try:
            found = _JSON.decode(text)
        except (ValueError, RecursionError) as error:
            yield RowError(number, line, "", _("No JSON: %(error)s") % {"error": _reason(error)})
            continue
        if not isinstance(found, dict):
            yield RowError(number, line, "", _("A JSON object is wanted on each line."))
            continue
        yield Record(number, line, _cells(found))


def _array_rows(source: Source) -> Iterator[Record | RowError]:
    """The objects of one array, as they are read. Where one can't be, nothing after it can."""
    pieces = text_of(source)
    text, number = next(pieces, ""), 0
    place = text.index("[") + 1
    line = 1 + text.count("\n", 0, place)
    while True:
        start = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]
        line += text.count("\n", place, start)
        place = start
        try:
            found, end = _JSON.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            if text.startswith("]", place):
                return
            piece = next(pieces, "") if len(text) - place <= LONGEST_LINE else ""
            if not piece:
                raise FileProblem(_("No JSON: %(error)s") % {"error": _reason(error)}, line) from None
            text, place = text[place:] + piece, 0
            continue
        number += 1
        if isinstance(found, dict):
            yield Record(number, line, _cells(found))
        else:
            yield RowError(number, line, "", _("A JSON object is wanted as each item of the list."))
        line += text.count("\n", place, end)
        place = end


def _cells(found: dict[str, Any]) -> dict[str, Any]:
    """An object's cells. Label Studio's tasks have what was labelled in ``data``, and each person's choice
    deep in ``annotations``."""
    data, annotations = found.get("data"), found.get("annotations")
    if isinstance(data, dict) and isinstance(annotations, list):
        found = {**data, "id": found.get("id"), "annotations": [_choice(one) for one in annotations]}
    return {key.lower(): value for key, value in found.items()}


def _choice(annotation: Any) -> str:
    """The first choice of a Label Studio annotation; "" where it was cancelled or has none."""
    try:
        if annotation.get("was_cancelled"):
            return ""
        values = (result["value"].get("choices") for result in annotation["result"])
        return str(next((choices[0] for choices in values if choices), ""))
    except (AttributeError, KeyError, TypeError):
        return ""


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)
