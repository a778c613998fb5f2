"""What a negating word in the hypothesis says of the label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.reports import shares
from apps.reports.models import BalanceReport
from apps.reports.rows import Row
from apps.reports.sections import words
from apps.reports.sections.section import Kind, Section, Table
from apps.reports.shares import ANY_NEGATION


def _facts(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    return shares.cues(rows)


def _shown(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Negation in the hypothesis"))
    labels = list(facts["labels"])
    if not facts["cues"]:
        found.words.append(_("No labelled hypothesis has a negating word."))
        return found
    found.words.append(
        _(
            "What a negating word says of the label: the label's share among the pairs with it, pointwise "
            "mutual information in bits, and the odds of entailment with it over those without it "
            "(95 % interval)."
        )
    )
    columns = [_("Word"), _("Pairs"), _("Odds ratio")]
    columns += [_("%(label)s with it") % {"label": words.label(label)} for label in labels]
    columns += [_("PMI, %(label)s") % {"label": words.label(label)} for label in labels]
    rows = [
        [
            _("any of them") if row["cue"] == ANY_NEGATION else row["cue"],
            words.count(row["pairs"]),
            words.NONE if row["odds"] is None else "{} ({}–{})".format(*map(words.number, row["odds"])),
            *(words.percent(row["shares"][label]) for label in labels),
            *(words.number(row["pmi"][label]) for label in labels),
        ]
        for row in facts["cues"]
    ]
    found.tables.append(Table(columns, rows))
    return found


KIND = Kind("cues", place=4, facts=_facts, shown=_shown)
