"""A report as a PDF, set by Typst from ``report.typ``: the template has the look, this module the words.

Everything reaches the template as data, so that no text of a study can be read as markup.
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.dashboard.models import StudyReport
from apps.dashboard.report import versions
from apps.dashboard.report.document import Chapter, Shown, grouped
from apps.frame.clock import database_now
from apps.frame.exhibits import Figure, Table

_OWN_SCRIPTS = {"LATIN", "GREEK", "CYRILLIC", "MODIFIER"}
# So many letters of a script are tried: that all of them are as wide as the box by chance is no chance.
_LETTERS = 8
_TEMPLATE = Path(__file__).with_name("report.typ")


def pdf(report: StudyReport, chapters: list[Chapter]) -> bytes:
    """In the language that is active; most of its time goes into drawing the figures.

    Its own fonts have Latin, Greek and Cyrillic letters, the signs of logic and arrows; for whatever else,
    the fonts of this machine are asked. What none of them has is set as a box, and the title page says of
    which scripts.
    """
    import typst

    data: dict[str, Any] = {
        "language": get_language() or "en",
        "title": _("Report on %(name)s") % {"name": report},
        "study": report.study.name,
        "description": report.study.description,
        "made": _("As of %(day)s (UTC)") % {"day": date_format(database_now(), "DATETIME_FORMAT")},
        "by": versions.made_by(),
        "contents": _("Contents"),
        "boxes": _("No font of this server has the letters of these scripts; they stand as boxes here:"),
        "groups": [
            {"name": group.name, "chapters": [_chapter(one) for one in group.chapters]}
            for group in grouped(chapters)
        ],
    }
    text = json.dumps(
        {**data, "scripts": scripts_of(json.dumps(data, ensure_ascii=False))}, ensure_ascii=False
    )
    made: bytes = typst.compile(_TEMPLATE.read_bytes(), sys_inputs={"report": text})
    return made


def scripts_of(text: str) -> list[dict[str, Any]]:
    """The scripts in a text that the typesetter's own fonts may not have, by their names in Unicode, with
    some letters of each.

    >>> scripts_of("A dog, собака, 犬と猫")
    [{'name': 'CJK', 'letters': ['犬', '猫']}, {'name': 'Hiragana', 'letters': ['と']}]
    """
    found: dict[str, list[str]] = {}
    for letter in sorted({letter for letter in text if letter > "\u024f" and letter.isalpha()}):
        script = unicodedata.name(letter, "").partition(" ")[0]
        if script and script not in _OWN_SCRIPTS:
            found.setdefault(script, []).append(letter)
    return [
        {"name": "CJK" if name == "CJK" else name.capitalize(), "letters": letters[:_LETTERS]}
        for name, letters in sorted(found.items())
    ]


def _chapter(chapter: Chapter) -> dict[str, Any]:
    return {
        "title": chapter.title,
        "as_of": chapter.as_of_said,
        "sentences": chapter.sentences,
        "exhibits": [_exhibit(one) for one in chapter.exhibits],
    }


def _exhibit(shown: Shown) -> dict[str, Any]:
    one = shown.exhibit
    if isinstance(one, Figure):
        return {"kind": "figure", "title": str(one.title), "says": str(one.says), "svg": one.paper_svg()}
    return {"kind": "table", "title": str(one.title), "left": shown.left_said, **_table(one)}


def _table(table: Table) -> dict[str, Any]:
    return {
        "heads": [str(column.title) for column in table.columns],
        "numbers": [column.is_number for column in table.columns],
        "rows": [
            {"apart": apart, "cells": [[text, str(cell.beside)] for _column, cell, text in cells]}
            for apart, _again, cells in table.shown
        ],
    }
