"""Near-duplicates within a dataset, between its splits, and with another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.reports import duplicates
from apps.reports.models import BalanceReport
from apps.reports.rows import OTHER, WHOLE, Row, texts_of
from apps.reports.sections import words
from apps.reports.sections.section import Kind, Section, Table


def _facts(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    """Between the splits of a release, within a dataset, and with the other dataset."""
    texts = [duplicates.Text(row.premise, row.hypothesis, row.split) for row in rows]
    splits = list(dict.fromkeys(row.split for row in rows))
    parts = [(one, two) for at, two in enumerate(splits) for one in splits[at + 1 :]]
    if splits == [WHOLE]:
        parts = [(WHOLE, WHOLE)]
    if report.other:
        texts += [duplicates.Text(*text, OTHER) for text in texts_of(report.other)]
        parts += [(split, OTHER) for split in splits]
    return duplicates.near_duplicates(texts, parts, beat)


def _shown(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Near-duplicates"))
    found.words.append(
        _(
            "A near-duplicate of a pair is another pair that shares %(share)s or more of its five-character "
            "pieces (of those that either has)."
        )
        % {"share": words.percent(facts["like"])}
    )
    if facts["limited"]:
        found.words.append(
            _("%(n)d pairs look like so many others that not all were compared; none was found alike.")
            % {"n": facts["limited"]}
        )
    rows = [
        [
            item["one"] or _("this dataset"),
            _("itself") if item["two"] == item["one"] else _part(report, item["two"]),
            words.count(item["pairs"]),
            words.count(item["near"]),
            words.percent(item["near"] / item["pairs"] if item["pairs"] else None),
            words.count(item["exact"]),
        ]
        for item in facts["between"]
    ]
    columns = [_("Pairs of"), _("in"), _("Pairs"), _("with a near-duplicate"), _("share"), _("the very same")]
    found.tables.append(Table(columns, rows))
    found.examples = [texts for item in facts["between"] for texts in item["examples"]][:10]
    return found


def _part(report: BalanceReport, name: str) -> str:
    return report.other_name if name == OTHER else name


KIND = Kind("duplicates", place=6, facts=_facts, shown=_shown)
