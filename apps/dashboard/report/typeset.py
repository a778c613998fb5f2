"""A report as a PDF, set by Typst from ``report.typ``: the template has the look, this module the words.

Everything reaches the template as data, so that no text of a study can be read as markup.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.dashboard.models import StudyReport
from apps.dashboard.report.document import Chapter, Shown, grouped
from apps.frame.clock import database_now
from apps.frame.exhibits import Figure, Table

_TEMPLATE = Path(__file__).with_name("report.typ")


def pdf(report: StudyReport, chapters: list[Chapter]) -> bytes:
    """In the language that is active; most of its time goes into drawing the figures.

    Its own fonts have Latin, Greek and Cyrillic letters, the signs of logic and arrows; for whatever else,
    the fonts of this machine are asked, and what none of them has is set as a box.
    """
    import typst

    data = {
        "language": get_language() or "en",
        "title": _("Report on %(name)s") % {"name": report},
        "study": report.study.name,
        "description": report.study.description,
        "made": _("As of %(day)s (UTC)") % {"day": date_format(database_now(), "DATETIME_FORMAT")},
        "contents": _("Contents"),
        "groups": [
            {"name": group.name, "chapters": [_chapter(one) for one in group.chapters]}
            for group in grouped(chapters)
        ],
    }
    made: bytes = typst.compile(
        _TEMPLATE.read_bytes(), sys_inputs={"report": json.dumps(data, ensure_ascii=False)}
    )
    return made


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
            for apart, cells in table.shown
        ],
    }
