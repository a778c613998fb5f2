"""What a classifier that sees only hypotheses finds of the labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.jobs.wording import Wording
from apps.reports import probe
from apps.reports.models import BalanceReport
from apps.reports.probe import SETUP
from apps.reports.rows import Row
from apps.reports.sections import words
from apps.reports.sections.section import Kind, Section, Table


def _facts(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    return probe.probe(rows, seed=report.seed, beat=beat)


def _shown(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("The hypothesis alone"))
    if facts["undefined"]:
        why = Wording(**facts["why"]) if "why" in facts else facts["undefined"]
        found.words.append(_("Undefined: %(why)s.") % {"why": why})
        return found
    low, high = facts["interval"]
    values = {
        **facts,
        "accuracy": words.percent(facts["accuracy"]),
        "low": words.percent(low),
        "high": words.percent(high),
        "majority": words.percent(facts["majority"]),
    }
    found.words.append(
        _(
            "A classifier that sees only hypotheses is right on %(accuracy)s of %(pairs)d pairs (95 %% "
            "interval %(low)s to %(high)s); always saying the most frequent label, on %(majority)s."
        )
        % values
    )
    found.words.append(
        _("So hypotheses give something away of the labels.")
        if facts["above"]
        else _("So it found nothing in the hypotheses that gives the labels away.")
    )
    found.words.append(
        _(
            "%(setup)s (%(library)s, seed %(seed)d); five-fold cross-validation over %(groups)d groups of "
            "pairs, no sentence on both sides."
        )
        % {**facts, "setup": _(SETUP)}
    )
    rows = [[words.label(label), words.percent(value)] for label, value in facts["by_label"].items()]
    found.tables.append(Table([_("Label"), _("recognised")], rows))
    return found


KIND = Kind("probe", place=7, facts=_facts, shown=_shown)
