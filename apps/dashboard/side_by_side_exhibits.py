"""Two judges against each other, and people's answers against the calculus, as tables that a paper takes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from django.utils.translation import gettext as _

from apps.comparison.agreement import kappa
from apps.dashboard.addresses import JudgeAddresses
from apps.dashboard.selectors import LABELS, Comparison
from apps.dashboard.tables import matches, place_name, sources, usual_number
from apps.frame.exhibits import Cell, Column, Table
from apps.frame.exhibits.tables import Form
from measures.undefined import Undefined


def matches_table(comparison: Comparison, judgements: int | None = None) -> Table | None:
    """How many of so many answers (None: of as many as most pairs have) match the calculus label, by
    direction, with each number's share of all (MED, Table 3). None where no pair has both."""
    found = matches(comparison, usual_number(comparison) if judgements is None else judgements)
    if not found.total:
        return None
    columns = [
        Column("matches", _("Matches")),
        *(Column(place or "none", place_name(place), Form.COUNT) for place in found.places),
        Column("all", _("all"), Form.COUNT),
        Column("share", _("Share, %"), Form.SHARE, 1),
    ]
    rows = [
        [
            Cell(_("%(m)s of %(n)s") % {"m": row.title, "n": found.judgements}),
            *(Cell(cell.count, cell.url) for cell in row.cells),
            Cell(row.total.count, row.total.url),
            Cell(row.total.share),
        ]
        for row in found.rows
    ]
    totals = [Cell(cell.count, cell.url) for cell in found.totals]
    rows.append([Cell(_("all")), *totals, Cell(found.total, found.url), Cell(1.0)])
    title = _("Judgements that match the calculus label")
    return Table(title, columns, rows, frozenset({len(rows) - 1}))


def judges_table(comparison: Comparison) -> Table | None:
    """The confusion of each two judges in a line, over the pairs to which both give a label."""
    rows = []
    for one, two in combinations(sources(comparison), 2):
        first = {item: label for item, label, _n in comparison.said(one.key) if label in LABELS}
        counts: Counter[tuple[str, str]] = Counter()
        for item, label, n in comparison.said(two.key):
            if item in first and label in LABELS:
                counts[first[item], label] += n
        found = kappa(counts)
        at = JudgeAddresses(comparison, [one, two])
        cells = [
            Cell(n, at.said(first_says, second_says) if n else "")
            for first_says, second_says in product(LABELS, repeat=2)
            for n in [counts[first_says, second_says]]
        ]
        total = counts.total()
        rows.append(
            [
                Cell(one.title),
                Cell(two.title),
                Cell(total, at.labelled() if total else ""),
                *cells,
                Cell(found.raw),
                Cell(found.value, beside=_undefined(found.undefined)),
            ]
        )
    if not rows:
        return None
    columns = [
        Column("one", _("Judge")),
        Column("other", _("and")),
        Column("pairs", _("Pairs"), Form.COUNT),
        Column("both", _("Both: entailment"), Form.COUNT),
        Column("one_alone", _("The first alone"), Form.COUNT),
        Column("other_alone", _("The second alone"), Form.COUNT),
        Column("neither", _("Neither"), Form.COUNT),
        Column("raw", _("Equal, %"), Form.SHARE, 1),
        Column("kappa", _("Cohen's κ"), Form.FIGURE, 3),
    ]
    return Table(_("Each two judges: who says entailment"), columns, rows)


def _undefined(why: Undefined | None) -> str:
    if why is None:
        return ""
    return _("no pair has both") if why is Undefined.NO_OVERLAP else _("every answer is the same")
