"""Pairs by label and direction, and by split."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.reports import shares
from apps.reports.models import BalanceReport
from apps.reports.rows import MOST_PAIRS, Row
from apps.reports.sections import words
from apps.reports.sections.section import Kind, Section, Table


def _facts(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    return shares.balance(rows)


def _shown(report: BalanceReport, facts: dict[str, Any]) -> Section:
    labels = [*facts["labels"], *([""] if facts["labelled"] < facts["pairs"] else [])]
    cells = {(direction, label): n for direction, label, n in facts["cells"]}
    found = Section(_("Labels and directions"))
    if facts["pairs"] == MOST_PAIRS:
        found.words.append(_("The first %(n)d pairs were looked at.") % {"n": MOST_PAIRS})
    if facts["most"]:
        found.words.append(
            _(
                "Of %(pairs)d pairs, %(labelled)d have a label; always saying “%(label)s” is right on "
                "%(share)s."
            )
            % {**facts, "label": words.label(facts["most"]), "share": words.percent(facts["most_share"])}
        )
    else:
        found.words.append(_("Of %(pairs)d pairs, none has a label.") % facts)
    rows = [
        [
            words.direction(direction),
            *(words.count(cells.get((direction, label), 0)) for label in labels),
            words.count(n),
            words.percent(n / facts["pairs"]),
        ]
        for direction, n in facts["directions"].items()
    ]
    columns = [_("Direction"), *map(words.label, labels), _("all"), _("share")]
    found.tables.append(Table(columns, rows))
    splits = list(dict.fromkeys(split for split, _label_name, _n in facts["splits"]))
    if splits not in ([], [""]):
        of_split = {(split, label): n for split, label, n in facts["splits"]}
        rows = []
        for split in splits:
            counts = [of_split.get((split, label), 0) for label in labels]
            rows.append([split, *map(words.count, counts), words.count(sum(counts))])
        found.tables.append(Table([_("Split"), *map(words.label, labels), _("all")], rows))
    return found


KIND = Kind("balance", place=1, facts=_facts, shown=_shown)
