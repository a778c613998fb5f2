"""Sentences out of CoNLL-U (https://universaldependencies.org/format.html), each block checked.

Only the text comes in: a sentence is parsed here like any other, and the file's own analysis is not taken
over. It is checked all the same, since a broken block is seldom broken in one column alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.corpora.formats.readings import LINE_END, Reading, Row, RowError, text_problem

COLUMNS = 10
_ID, _HEAD = 0, 6
_WORD = re.compile(r"[1-9][0-9]*")
_RANGE = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY_NODE = re.compile(r"(0|[1-9][0-9]*)\.([1-9][0-9]*)")

Line = tuple[int, str]
Fault = tuple[int, str, str]
"""The line of the file, the column's name or "", and what is wrong."""


def read_conllu(text: str) -> Reading:
    """One sentence a block: its ``# text``, or its words joined as ``SpaceAfter`` says.

    A block with a fault is one error, at the first line that is wrong: not ten columns, ids out of order,
    a head that is no word of the sentence.
    """
    import conllu
    from conllu.exceptions import ParseException

    rows: list[Row] = []
    errors: list[RowError] = []
    for number, block in enumerate(_blocks(text), 1):
        if fault := _fault(block):
            errors.append(RowError(number, *fault))
            continue
        line = block[0][0]
        try:
            parsed = conllu.parse("\n".join(content for _line, content in block) + "\n")
        except ParseException as error:
            errors.append(RowError(number, line, "", _("No CoNLL-U: %(error)s") % {"error": error}))
            continue
        sentence = next((_row(number, line, tokens) for tokens in parsed if tokens), None)
        if sentence is None:
            errors.append(RowError(number, line, "", _("The block has no tokens.")))
        elif problem := text_problem(sentence.text):
            errors.append(RowError(number, line, "text", problem))
        else:
            rows.append(sentence)
    return Reading(tuple(rows), tuple(errors))


def _blocks(text: str) -> Iterator[list[Line]]:
    """Runs of non-blank lines, each with its number in the file."""
    lines: list[Line] = []
    for number, line in enumerate([*LINE_END.split(text), ""], 1):
        if line.strip():
            lines.append((number, line))
        elif lines:
            yield lines
            lines = []


def _fault(block: list[Line]) -> Fault | None:
    """The first thing that is wrong with a block's table, from the top."""
    lines = [(number, line.split("\t")) for number, line in block if not line.startswith("#")]
    for number, cells in lines:
        if len(cells) != COLUMNS:
            found = ngettext(
                "The line has %(n)d column; CoNLL-U has ten, with a tab between two.",
                "The line has %(n)d columns; CoNLL-U has ten, with a tab between two.",
                len(cells),
            )
            return number, "", found % {"n": len(cells)}
    return _id_fault(lines) or _head_fault(lines)


def _id_fault(lines: list[tuple[int, list[str]]]) -> Fault | None:
    """Words count from 1; a range stands before its first word, an empty node after its word."""
    last, last_empty, range_end = 0, 0, 0
    for number, cells in lines:
        name = cells[_ID]
        if _WORD.fullmatch(name) and int(name) == last + 1:
            last, last_empty = last + 1, 0
        elif (found := _RANGE.fullmatch(name)) and last + 1 == int(found[1]) < int(found[2]):
            if range_end > last:
                return number, "ID", _("The range %(id)s overlaps the one before it.") % {"id": name}
            range_end = int(found[2])
        elif (found := _EMPTY_NODE.fullmatch(name)) and (int(found[1]), int(found[2])) == (
            last,
            last_empty + 1,
        ):
            last_empty += 1
        else:
            message = _("The id “%(id)s” stands where word %(expected)d is due.")
            return number, "ID", message % {"id": name, "expected": last + 1}
    if range_end > last:
        message = _("A range ends at word %(end)d, but the sentence has %(n)d.")
        return lines[-1][0], "ID", message % {"end": range_end, "n": last}
    return None


def _head_fault(lines: list[tuple[int, list[str]]]) -> Fault | None:
    """A word's head is 0 or another word of the sentence; ``_`` where the file has no analysis."""
    words = sum(_WORD.fullmatch(cells[_ID]) is not None for _number, cells in lines)
    for number, cells in lines:
        head = cells[_HEAD]
        if not _WORD.fullmatch(cells[_ID]) or head in ("_", "0"):
            continue
        if not _WORD.fullmatch(head) or int(head) > words:
            message = ngettext(
                "The head “%(head)s” is no word of this sentence of %(n)d word.",
                "The head “%(head)s” is no word of this sentence of %(n)d words.",
                words,
            )
            return number, "HEAD", message % {"head": head, "n": words}
        if head == cells[_ID]:
            return number, "HEAD", _("Word %(id)s is its own head.") % {"id": head}
    return None


def _row(number: int, line: int, tokens: object) -> Row:
    metadata = tokens.metadata  # type: ignore[attr-defined]
    text = metadata.get("text") or _joined(tokens)
    return Row(number, line, text.strip(), (metadata.get("sent_id") or "")[:200])


def _joined(tokens: object) -> str:
    """The words as written: a multiword token stands for its words, empty nodes for nothing."""
    pieces: list[str] = []
    covered = 0
    for token in tokens:  # type: ignore[attr-defined]
        place = token["id"]
        if isinstance(place, tuple):
            if place[1] == ".":
                continue
            covered = place[2]
        elif place <= covered:
            continue
        glued = (token.get("misc") or {}).get("SpaceAfter") == "No"
        pieces.append(token["form"] + ("" if glued else " "))
    return "".join(pieces)
