"""A study at a glance as a figure and tables."""

from __future__ import annotations

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import ACCENT
from apps.frame.exhibits.tables import Form
from apps.studies.glance import DAYS, Campaigning, Glance


def kept(found: Glance) -> Exhibits:
    """The page's exhibits."""
    return {
        "answers": lambda: answers_figure(found),
        "days": lambda: answers_table(found),
        "progress": lambda: progress_table(found),
        "problems": lambda: problems_table(found),
        "money": lambda: money_table(found),
    }


def answers_figure(found: Glance) -> Figure | None:
    """Answers a day; None where none came in on any of them."""
    if not any(n for _day, n in found.per_day):
        return None
    values = [{"day": day.isoformat(), "answers": n} for day, n in found.per_day]
    spec = {
        "data": {"values": values},
        "mark": {"type": "bar", "color": ACCENT},
        "encoding": {
            "x": {
                "field": "day",
                "type": "ordinal",
                "timeUnit": "yearmonthdate",
                "title": None,
                "axis": {"format": "%d.%m.", "labelAngle": 0, "labelOverlap": True, "grid": False},
            },
            "y": {
                "field": "answers",
                "type": "quantitative",
                "title": _("Answers"),
                "axis": {"tickMinStep": 1, "tickCount": 4, "format": ",d"},
            },
        },
        "width": 560,
        "height": 140,
    }
    return Figure(_("Answers a day"), _says(found), spec)


def _says(found: Glance) -> str:
    """What one sees: how many in all, on which day most, and today."""
    total = sum(n for _day, n in found.per_day)
    best, most = max(found.per_day, key=lambda one: one[1])
    said = {
        "n": number_format(str(total), use_l10n=True),
        "days": DAYS,
        "most": most,
        "day": date_format(best, "SHORT_DATE_FORMAT"),
        "today": found.per_day[-1][1],
    }
    text = ngettext(
        "One answer in the last %(days)d days.", "%(n)s answers in the last %(days)d days.", total
    )
    return (text + " " + _("Most (%(most)d) on %(day)s; %(today)d today.")) % said


def answers_table(found: Glance) -> Table:
    columns = [Column("day", _("Day (UTC)")), Column("answers", _("Answers"), Form.COUNT)]
    rows = [[Cell(day.isoformat()), Cell(n)] for day, n in reversed(found.per_day)]
    return Table(_("Answers a day"), columns, rows)


def progress_table(found: Glance) -> Table:
    """The campaigns that aren't archived: how far each is, its rate, and its end at that rate."""
    columns = [
        Column("campaign", _("Campaign")),
        Column("items", _("Items"), Form.COUNT),
        Column("complete", _("Complete, %"), Form.SHARE, 1),
        Column("answers", _("Answers"), Form.COUNT),
        Column("wanted", _("Still wanted"), Form.COUNT),
        Column("rate", _("Answers a day lately"), Form.FIGURE, 1),
        Column("ends", _("Ends at this rate")),
    ]
    return Table(_("Progress"), columns, [_row(one) for one in found.campaigns])


def _row(one: Campaigning) -> list[Cell]:
    return [
        Cell(one.name, one.url, _("simulated") if one.simulated else ""),
        Cell(one.items),
        Cell(one.share),
        Cell(one.answers),
        Cell(one.wanted),
        Cell(one.rate),
        Cell(one.ends_at.date().isoformat() if one.ends_at else None, beside=one.why),
    ]


def problems_table(found: Glance) -> Table | None:
    """What waits for somebody, the most urgent first; None where nothing does."""
    if not found.problems:
        return None
    columns = [Column("problem", _("Problem")), Column("where", _("Where")), Column("count", _("Number"))]
    rows = [
        [Cell(one.said, one.url), Cell(one.where), Cell(one.value or one.count)] for one in found.problems
    ]
    return Table(_("Open problems"), columns, rows)


def money_table(found: Glance) -> Table | None:
    """What is owed and spent, by currency; None where nobody was to be paid."""
    if not found.money:
        return None
    columns = [
        Column("currency", _("Currency")),
        Column("owed", _("Owed"), Form.FIGURE, 2),
        Column("waiting", _("In payouts, not paid"), Form.FIGURE, 2),
        Column("paid", _("Paid"), Form.FIGURE, 2),
    ]
    rows = [
        [
            Cell(one.currency, one.url),
            Cell(one.owed / 100),
            Cell(one.waiting / 100),
            Cell(one.paid / 100),
        ]
        for one in found.money
    ]
    return Table(_("Money"), columns, rows)
