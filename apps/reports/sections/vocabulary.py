"""Words that splits share, or the dataset with another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.reports import vocabulary
from apps.reports.models import BalanceReport
from apps.reports.rows import Row, texts_of
from apps.reports.sections import words
from apps.reports.sections.section import Kind, Section, Table


def _facts(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    return vocabulary.vocabulary(rows, texts_of(report.other) if report.other else None, beat)


def _shown(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Vocabulary"))
    found.words.append(
        _("%(words)d different words among %(running)d running ones, without regard to capitals.") % facts
    )
    columns = [_("This"), _("Compared with"), _("its words"), _("shared")]
    columns += [_("share of this"), _("share of that"), _("of running words")]
    rows = [[row["one"], row["two"], *_overlap_cells(row)] for row in facts["splits"]]
    if facts["other"]:
        rows.append([_("all"), report.other_name, *_overlap_cells(facts["other"])])
    if rows:
        found.tables.append(Table(columns, rows))
    return found


def _overlap_cells(row: dict[str, Any]) -> list[str]:
    counts = [words.count(row["words"]), words.count(row["shared"])]
    return [*counts, *(words.percent(row[name]) for name in ("share", "back", "running"))]


KIND = Kind("vocabulary", place=5, facts=_facts, shown=_shown)
