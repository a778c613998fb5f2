"""What is read out of a file: its sentences, and what is wrong with the rest; and the plainest format, lines.

Tables, CoNLL-U and CCG have modules of their own: :mod:`.tables`, :mod:`.conllu` and :mod:`.ccg`.

Reading never stops at a bad row: it yields the rows that are good and a numbered error for each that
is not, and leaves it to the import what to do about them. Rows count from 1 without the header; lines
are those of the file.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.frame.texts import OVERRIDE
from natlog.tree import Tree

MAXIMUM_BYTES = 20 * 1024 * 1024
MAXIMUM_CHARACTERS = 5_000
# As many as one web request stores in a few seconds.
MAXIMUM_ROWS = 100_000

LINE_END = re.compile(r"\r\n|\r|\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Format(models.TextChoices):
    LINES = "lines", gettext_lazy("one sentence a line")
    CSV = "csv", gettext_lazy("CSV, a column of it")
    TSV = "tsv", gettext_lazy("TSV, a column of it")
    CONLLU = "conllu", gettext_lazy("CoNLL-U")
    CCG = "ccg", gettext_lazy("CCG derivations (C&C or Jigg XML, AUTO)")

    @property
    def is_table(self) -> bool:
        return self in (Format.CSV, Format.TSV)

    @classmethod
    def of_file(cls, name: str) -> Format:
        """The format that a file's name says; lines for any other."""
        extension = name.lower().rpartition(".")[2]
        known = {"csv": cls.CSV, "tsv": cls.TSV, "conllu": cls.CONLLU, "conll": cls.CONLLU}
        return {**known, "xml": cls.CCG, "auto": cls.CCG}.get(extension, cls.LINES)


@dataclass(frozen=True)
class Row:
    """A sentence of the file, with its row's number and the line it begins at; its ``tree`` where the file's
    own parse is kept."""

    number: int
    line: int
    text: str
    external_id: str = ""
    tree: Tree | None = None


@dataclass(frozen=True)
class RowError:
    """What is wrong with one row; ``column`` names the header where there is one."""

    number: int
    line: int
    column: str
    message: str

    def __str__(self) -> str:
        place = _("row %(row)d (line %(line)d)") % {"row": self.number, "line": self.line}
        if self.column:
            place += ", " + _("column “%(column)s”") % {"column": self.column}
        return f"{place}: {self.message}"


@dataclass(frozen=True)
class Reading:
    """Everything that a file holds, good and bad, in the file's order."""

    rows: tuple[Row, ...]
    errors: tuple[RowError, ...]

    def limited(self, maximum: int = MAXIMUM_ROWS) -> Reading:
        """The first ``maximum`` rows; where there are more, one error that stands for the rest."""
        if len(self.rows) <= maximum:
            return self
        over = self.rows[maximum]
        message = _("At most %(limit)s rows are taken at once; this one and %(n)s after it are not.") % {
            "limit": number_format(maximum, force_grouping=True),
            "n": number_format(len(self.rows) - maximum - 1, force_grouping=True),
        }
        return Reading(self.rows[:maximum], (*self.errors, RowError(over.number, over.line, "", message)))


def sentence_digest(text: str) -> str:
    """SHA-256 of the text's NFC form: composed and decomposed letters are the same sentence."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode()).hexdigest()


def text_problem(text: str) -> str:
    """Why a text cannot be stored as a sentence, or "" when it can."""
    if not text.strip():
        return _("The cell is empty.")
    if len(text) > MAXIMUM_CHARACTERS:
        return _("The sentence has %(n)s characters; at most %(limit)s are stored.") % {
            "n": number_format(len(text), force_grouping=True),
            "limit": number_format(MAXIMUM_CHARACTERS, force_grouping=True),
        }
    if "\0" in text:
        return _("The text holds a NUL character (U+0000).")
    if _SURROGATE.search(text):
        return _("The text holds half a character (a lone surrogate).")
    if OVERRIDE.search(text):
        return _("This text holds an invisible character that turns its direction (U+202D or U+202E).")
    return ""


def nul_lines(text: str, limit: int = 5) -> list[int]:
    """The first lines that hold a NUL character: a sign that the file is no text at all."""
    if "\0" not in text:
        return []
    return [number for number, line in enumerate(LINE_END.split(text), 1) if "\0" in line][:limit]


def read_lines(text: str) -> Reading:
    """One sentence a line; blank lines count as lines and hold nothing."""
    return _collect(
        Row(number, number, line.strip())
        for number, line in enumerate(LINE_END.split(text), 1)
        if line.strip()
    )


def _collect(candidates: Iterator[Row]) -> Reading:
    rows: list[Row] = []
    errors: list[RowError] = []
    for row in candidates:
        if problem := text_problem(row.text):
            errors.append(RowError(row.number, row.line, "", problem))
        else:
            rows.append(row)
    return Reading(tuple(rows), tuple(errors))
