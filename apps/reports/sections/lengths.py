"""How long premises and hypotheses are, label by label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.reports import shares
from apps.reports.models import BalanceReport
from apps.reports.rows import Row
from apps.reports.sections import words
from apps.reports.sections.section import Kind, Section, Table


def _facts(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    return shares.lengths(rows)


def _shown(report: BalanceReport, facts: list[dict[str, Any]]) -> Section:
    rows = [
        [
            words.label(row["label"]),
            words.count(row["pairs"]),
            words.number(row["premise"]),
            words.number(row["hypothesis"]),
            *(words.percent(row[name]) for name in ("longer", "equal", "shorter")),
        ]
        for row in facts
    ]
    columns = [_("Label"), _("Pairs"), _("Words of a premise"), _("of a hypothesis")]
    columns += [_("Hypothesis longer"), _("equal"), _("shorter")]
    sentences = [] if rows else [_("Undefined: no pair has a label.")]
    return Section(_("Length"), sentences, [Table(columns, rows)] if rows else [])


KIND = Kind("lengths", place=3, facts=_facts, shown=_shown)
