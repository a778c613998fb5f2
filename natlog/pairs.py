"""Reading premise–hypothesis pairs from the layouts that inference datasets come in.

MNLI-style TSV or CSV with a header, JSON lines, two bare columns, FraCaS XML. Problems that are no pair
(FraCaS: several premises, no defined answer) are left out, and counted. Every error names the file and
the line.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PREMISE_NAMES = ("sentence1", "premise", "sentence_a", "p")
HYPOTHESIS_NAMES = ("sentence2", "hypothesis", "sentence_b", "h")
LABEL_NAMES = ("gold_label", "gold", "label", "entailment_label")
GENRE_NAMES = ("genre", "genres")
LABELS = {
    "entailment": "entailment",
    "yes": "entailment",
    "neutral": "neutral",
    "unknown": "neutral",
    "non-entailment": "non-entailment",
    "non_entailment": "non-entailment",
    "not_entailment": "non-entailment",
    "contradiction": "contradiction",
    "no": "contradiction",
    "e": "entailment",
    "n": "neutral",
    "c": "contradiction",
}


class PairFileError(ValueError):
    """A pair file that cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One inference problem; ``label`` is the file's own (normalised), "" where it has none.

    ``line`` is the line of the file it starts on (the problem's number for FraCaS).
    """

    premise: str
    hypothesis: str
    label: str = ""
    genre: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A problem of a file that is no pair with a label: its texts, its number, and why."""

    premises: tuple[str, ...]
    hypothesis: str
    line: int
    why: str


def read_pairs(path: str, left_out: list[LeftOut] | None = None) -> list[Pair]:
    """Every pair of a file, in order; ``-`` is standard input. Raises :class:`PairFileError`.

    Problems that are no pair are added to ``left_out``.
    """
    name = "standard input" if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise PairFileError(f"{name}: {error.strerror or error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise PairFileError(f"{name}, line {line}: not UTF-8 text (byte {error.start})") from error
    left_out = [] if left_out is None else left_out
    pairs = []
    for item in parse_problems(text, name):
        if isinstance(item, Pair):
            pairs.append(item)
        else:
            left_out.append(item)
    if not pairs:
        raise PairFileError(f"{name}: no pair found")
    return pairs


def parse_problems(text: str, name: str = "text") -> Iterator[Pair | LeftOut]:
    """The pairs in a file's text, whatever its layout, and what is none; ``name`` is what errors call it."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first.lstrip().startswith("{"):
        return _json_lines(text, name)
    if first.lstrip().startswith("<"):
        return _fracas(text, name)
    return _table(text, first, name)


def _json_lines(text: str, name: str) -> Iterator[Pair]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise PairFileError(f"{name}, line {number}: not JSON: {error.msg}") from error
        if not isinstance(row, dict):
            raise PairFileError(f"{name}, line {number}: a JSON object is wanted on each line")
        yield _pair({str(key).lower(): value for key, value in row.items()}, name, number)


def _table(text: str, first: str, name: str) -> Iterator[Pair]:
    separator = next((mark for mark in ("\t", ",", ";") if _is_header(first.split(mark))), "")
    if not separator:
        yield from _bare_columns(text, name)
        return
    # MNLI's and MED's files don't quote; a comma-separated file must.
    quoting: Any = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    lines = text.split("\n") if separator == "\t" else text.splitlines(keepends=True)
    reader = csv.reader((line.rstrip("\r") for line in lines), delimiter=separator, quoting=quoting)
    header: list[str] = []
    try:
        for fields in reader:
            if not any(field.strip() for field in fields):
                continue
            if not header:
                header = [field.strip().lower() for field in fields]
            elif len(fields) != len(header):
                raise PairFileError(
                    f"{name}, line {reader.line_num}: {len(fields)} columns, "
                    f"where the header has {len(header)}"
                )
            else:
                yield _pair(dict(zip(header, fields, strict=True)), name, reader.line_num)
    except csv.Error as error:
        raise PairFileError(f"{name}, line {reader.line_num}: {error}") from error


def _is_header(fields: list[str]) -> bool:
    names = {field.strip().strip('"').lower() for field in fields}
    return bool(names & set(PREMISE_NAMES)) and bool(names & set(HYPOTHESIS_NAMES))


def _bare_columns(text: str, name: str) -> Iterator[Pair]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.rstrip("\r").split("\t")]
        if len(fields) not in (2, 3):
            raise PairFileError(
                f"{name}, line {number}: two tab-separated columns are wanted (premise, hypothesis; "
                f"a label may follow), or a header with sentence1 and sentence2; found {len(fields)} columns"
            )
        row = dict(zip(("sentence1", "sentence2", "gold_label"), fields, strict=False))
        yield _pair(row, name, number)


def _pair(row: dict[str, Any], name: str, line: int) -> Pair:
    def field(names: tuple[str, ...]) -> str:
        value = next((row[key] for key in names if row.get(key) is not None), "")
        if not isinstance(value, str):
            raise PairFileError(f"{name}, line {line}: {names[0]} is no text: {value!r}")
        return value.strip()

    premise, hypothesis = field(PREMISE_NAMES), field(HYPOTHESIS_NAMES)
    for value, column in ((premise, "sentence1"), (hypothesis, "sentence2")):
        if not value:
            raise PairFileError(f"{name}, line {line}: {column} (premise or hypothesis) is missing or empty")
        if "\0" in value or any(0xD800 <= ord(character) < 0xE000 for character in value):
            raise PairFileError(f"{name}, line {line}: {column} holds a NUL or a lone surrogate")
    written = field(LABEL_NAMES)
    label = LABELS.get(written.lower(), "")
    if written and not label and written != "-":
        raise PairFileError(
            f"{name}, line {line}: label {written!r} is none of "
            "entailment, neutral, non-entailment, contradiction"
        )
    return Pair(premise, hypothesis, label, field(GENRE_NAMES), line)


def _fracas(text: str, name: str) -> Iterator[Pair | LeftOut]:
    """MacCartney's FraCaS XML: one premise, answer yes, no or unknown; the genre is the section's title."""
    from xml.etree import ElementTree

    if "<!ENTITY" in text:
        raise PairFileError(f"{name}: XML entities are not accepted")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 — entities are refused above
    except ElementTree.ParseError as error:
        raise PairFileError(f"{name}, line {error.position[0]}: not well-formed XML: {error}") from error
    section = ""
    for item in root:
        if item.tag == "comment" and item.get("class") == "section":
            section = " ".join((item.text or "").split()).lower()
        if item.tag != "problem":
            continue
        premises = tuple(_element_text(part) for part in item.iter("p"))
        hypothesis = next((_element_text(part) for part in item.iter("h")), "")
        answer, number = item.get("fracas_answer", ""), item.get("id", "0")
        line = int(number) if number.isdigit() else 0
        if not hypothesis or not any(premises):
            yield LeftOut(premises, hypothesis, line, "without a premise or a hypothesis")
        elif len(premises) != 1:
            yield LeftOut(premises, hypothesis, line, "several premises; the calculus takes one")
        elif answer not in ("yes", "no", "unknown"):
            yield LeftOut(premises, hypothesis, line, "no defined answer")
        else:
            yield Pair(premises[0], hypothesis, LABELS[answer], section, line)


def _element_text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())
