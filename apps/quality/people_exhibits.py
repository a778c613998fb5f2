"""A campaign's annotators as figures and as a table that a paper takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import ACCENT, BAD
from apps.frame.exhibits.tables import Form
from apps.quality.reliability import Person

# More people than these are a carpet; the table has them all.
_DRAWN = 60
# Fewer answers than these have no distribution worth a line.
_ENOUGH = 5


def kept(people: Sequence[Person], *, judges: bool) -> Exhibits:
    """The page's exhibits; ``judges`` where they judge and don't write."""
    return {
        "standing": lambda: standing_figure(people),
        "time": lambda: time_figure(people),
        "people": lambda: people_table(people, judges=judges),
    }


def standing_figure(people: Sequence[Person]) -> Figure | None:
    """A dot a person: agreement with the majority of the others, over the median time of an answer."""
    values: list[dict[str, Any]] = [
        {
            "person": one.participant.pseudonym,
            "seconds": round(one.median_seconds, 2),
            "agreement": round(100 * one.agreement, 2),
            "answers": one.answers,
            "stopped": one.is_paused or one.participant.blocked_at is not None,
        }
        for one in people[:_DRAWN]
        if one.agreement is not None and one.median_seconds is not None
    ]
    if not values:
        return None
    lowest = min(values, key=lambda value: value["agreement"])
    says = _(
        "%(n)d annotators; the lowest agreement with the others, %(share).0f %%, is that of %(person)s, at "
        "%(seconds).1f seconds an answer."
    ) % {
        "n": len(values),
        "share": lowest["agreement"],
        "person": lowest["person"],
        "seconds": lowest["seconds"],
    }
    x = {"field": "seconds", "type": "quantitative", "title": _("median seconds of an answer")}
    y: dict[str, Any] = {
        "field": "agreement",
        "type": "quantitative",
        "title": _("agreement with the others, per cent"),
        "scale": {"domain": [0, 100]},
    }
    spec = {
        "data": {"values": values},
        "width": 460,
        "height": 260,
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "mark": {"type": "point", "filled": True, "opacity": 0.8},
                "encoding": {
                    "size": {"field": "answers", "type": "quantitative", "legend": None},
                    "color": {"condition": {"test": "datum.stopped", "value": BAD}, "value": ACCENT},
                    "shape": {"condition": {"test": "datum.stopped", "value": "cross"}, "value": "circle"},
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 9, "fontSize": 11},
                "encoding": {"text": {"field": "person"}},
            },
        ],
    }
    return Figure(_("Agreement and time of each annotator; a cross is paused or blocked"), says, spec)


def time_figure(people: Sequence[Person]) -> Figure | None:
    """A line a person: the middle 80 % of the times of their answers, with the median."""
    values: list[dict[str, Any]] = []
    for one in people[:_DRAWN]:
        if one.work is None or one.answers < _ENOUGH:
            continue
        values.append(
            {
                "person": one.participant.pseudonym,
                "low": round(one.work.low_seconds, 2),
                "middle": round(one.work.median_seconds, 2),
                "high": round(one.work.high_seconds, 2),
            }
        )
    if not values:
        return None
    values.sort(key=lambda value: value["middle"])
    quickest, slowest = values[0], values[-1]
    says = _("Medians from %(low).1f seconds (%(quick)s) to %(high).1f (%(slow)s).") % {
        "low": quickest["middle"],
        "quick": quickest["person"],
        "high": slowest["middle"],
        "slow": slowest["person"],
    }
    x = {"type": "quantitative", "scale": {"zero": True}, "title": _("seconds")}
    spec = {
        "data": {"values": values},
        "width": 460,
        "height": {"step": 16},
        "encoding": {
            "y": {
                "field": "person",
                "type": "nominal",
                "sort": [value["person"] for value in values],
                "title": None,
            }
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
            },
            {"mark": {"type": "point"}, "encoding": {"x": {"field": "middle", **x}}},
        ],
    }
    return Figure(_("Time of an answer: median, and the middle 80 of 100 answers"), says, spec)


def people_table(people: Sequence[Person], *, judges: bool) -> Table:
    """A row a person, with every figure of the page; pseudonyms alone."""
    columns = [
        Column("annotator", _("Annotator")),
        Column("answers", _("Answers"), Form.COUNT),
        Column("skips", _("Skips"), Form.COUNT),
        Column("surplus", _("Surplus"), Form.COUNT),
        Column("median_seconds", _("Seconds"), Form.FIGURE, 1),
        Column("flags", _("Flags"), Form.COUNT),
    ]
    if judges:
        columns += [
            Column("tests_right", _("Tests right"), Form.COUNT),
            Column("tests", _("of"), Form.COUNT),
            Column("agreement", _("Agreement, %"), Form.SHARE, 1),
            Column("compared", _("Answers compared"), Form.COUNT),
            Column("dawid_skene", "Dawid–Skene", Form.SHARE, 1),
            Column("mace", "MACE", Form.SHARE, 1),
        ]
    rows = [_row(one, judges=judges) for one in people]
    return Table(_("Trust and reliability"), columns, rows)


def _row(one: Person, *, judges: bool) -> list[Cell]:
    cells = [
        Cell(one.participant.pseudonym),
        Cell(one.answers),
        Cell(one.skips),
        Cell(one.surplus),
        Cell(one.median_seconds),
        Cell(one.flags),
    ]
    if judges:
        cells += [
            Cell(one.tests_right),
            Cell(one.tests_shown),
            Cell(one.agreement),
            Cell(one.compared),
            Cell(one.dawid_skene.value if one.dawid_skene else None),
            Cell(one.mace.value if one.mace else None),
        ]
    return cells
