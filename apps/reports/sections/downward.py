"""How many pairs are downward inferences, by the calculus."""

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
    return shares.downward(rows)


def _shown(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Downward inferences"))
    if not facts["labelled"]:
        found.words.append(_("Undefined: no pair has a calculus label yet."))
        return found
    found.words.append(
        _(
            "By the calculus, %(downward)d of %(labelled)d labelled pairs change a downward place, and on "
            "%(entailed)d of these the hypothesis follows."
        )
        % facts
    )
    if facts["monotone"] is not None:
        found.words.append(
            _(
                "Of the %(downward)d, it takes %(monotone)d for monotonicity inferences, all of whose words "
                "it knows; on %(monotone_entailed)d of these the hypothesis follows."
            )
            % facts
        )
    labels = sorted({label for _place, label, _n in facts["cells"]})
    cells = {(place, label): n for place, label, n in facts["cells"]}
    places = list(dict.fromkeys(place for place, _label_name, _n in facts["cells"]))
    rows = []
    for place in places:
        counts = [cells.get((place, label), 0) for label in labels]
        rows.append([words.direction(place), *map(words.count, counts), words.count(sum(counts))])
    found.tables.append(Table([_("Direction"), *map(words.label, labels), _("all")], rows))
    return found


KIND = Kind("downward", place=2, facts=_facts, shown=_shown)
