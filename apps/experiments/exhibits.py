"""An experiment's table and figure, with their files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.experiments.models import Cell as Contest
from apps.experiments.models import Experiment
from apps.experiments.results import (
    Line,
    Reached,
    contestants_of,
    lines_of,
    published_networks,
    title_of,
)
from apps.experiments.services import UNTRAINED, protocol_of
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.tables import Form

PLUS_MINUS = "±"


def kept(experiment: Experiment, cells: Sequence[Contest]) -> Exhibits:
    """Each exhibit of an experiment, by its key; ``cells`` are all that it has."""
    lines, names = lines_of(experiment, cells), contestants_of(experiment, cells)
    return {
        "results": lambda: results(experiment, lines, names),
        "figures": lambda: figures(experiment, lines, names),
        "accuracy": lambda: accuracy(experiment, lines, names),
    }


def results(experiment: Experiment, lines: list[Line], names: list[str]) -> Table:
    """The table as a paper has it: mean ± deviation in per cent, the published figures beside."""
    published = published_networks(protocol_of(experiment))
    columns = [
        Column("trained_on", _("trained on")),
        Column("tested_on", _("tested on")),
        Column("pairs", _("pairs"), Form.COUNT),
        *(Column(name, title_of(name)) for name in names),
        *(Column(f"published_{name}", _("paper: %(name)s") % {"name": title_of(name)}) for name in published),
    ]
    rows = []
    for line in lines:
        paper = (line.published.get(name) for name in published)
        rows.append(
            [
                Cell(line.training),
                Cell(line.test),
                Cell(line.pairs),
                *(Cell(_spread(line.reached.get(name))) for name in names),
                *(Cell(f" {PLUS_MINUS} ".join(f"{each:.1f}" for each in found or ())) for found in paper),
            ]
        )
    return Table(_("Right, in %: mean ± standard deviation over seeds"), columns, rows)


def _spread(reached: Reached | None) -> str | None:
    if reached is None:
        return None
    text = f"{100 * reached.mean:.1f}"
    return text if reached.sd is None else f"{text} {PLUS_MINUS} {100 * reached.sd:.1f}"


def figures(experiment: Experiment, lines: list[Line], names: list[str]) -> Table:
    """The same, a line for each figure: what a program reads."""
    columns = [
        Column("trained_on", _("trained on")),
        Column("tested_on", _("tested on")),
        Column("contestant", _("contestant")),
        Column("pairs", _("pairs"), Form.COUNT),
        Column("mean", _("mean"), Form.SHARE, 1),
        Column("sd", _("standard deviation"), Form.SHARE, 1),
        Column("seeds", _("seeds"), Form.COUNT),
    ]
    rows = []
    for line in lines:
        for name in names:
            if reached := line.reached.get(name):
                rows.append(
                    [Cell(line.training), Cell(line.test), Cell(name), Cell(line.pairs), Cell(reached.mean),
                     Cell(reached.sd), Cell(reached.seeds)]
                )  # fmt: skip
        for name, found in line.published.items():
            sd = found[1] / 100 if len(found) > 1 else None
            rows.append(
                [Cell(line.training), Cell(line.test), Cell(f"published {name}"), Cell(None),
                 Cell(found[0] / 100), Cell(sd), Cell(None)]
            )  # fmt: skip
    return Table(_("Every figure"), columns, rows)


def accuracy(experiment: Experiment, lines: list[Line], names: list[str]) -> Figure | None:
    """What each contestant gets right after each training, a panel for each test."""
    trained = [name for name in names if not name.startswith(UNTRAINED)]
    values: list[dict[str, Any]] = []
    for line in lines:
        for name in trained:
            if reached := line.reached.get(name):
                spread = reached.sd or 0.0
                values.append(
                    {"training": line.training, "test": line.test, "who": title_of(name),
                     "right": round(100 * reached.mean, 2),
                     "low": round(max(0.0, 100 * (reached.mean - spread)), 2),
                     "high": round(min(100.0, 100 * (reached.mean + spread)), 2)}
                )  # fmt: skip
    if not values:
        return None
    trainings = list(dict.fromkeys(line.training for line in lines))
    tests = list(dict.fromkeys(line.test for line in lines))
    who = [title for title in map(title_of, trained) if any(value["who"] == title for value in values)]
    x = {"field": "training", "type": "nominal", "sort": trainings, "title": None,
         "axis": {"labelAngle": -30, "labelLimit": 120}}  # fmt: skip
    scale = {"domain": [0, 100]}
    y = {"field": "right", "type": "quantitative", "title": _("right, %"), "scale": scale}
    told = {"field": "who", "type": "nominal", "sort": who, "title": _("contestant"),
            "legend": {"orient": "top"}, "scale": {"domain": who}}  # fmt: skip
    layer = [
        {"mark": {"type": "rule"}, "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"},
                                                "color": told}},
        {"mark": {"type": "line", "point": True},
         "encoding": {"x": x, "y": y, "color": told, "strokeDash": told, "shape": told}},
    ]  # fmt: skip
    spec = {
        "data": {"values": values},
        "facet": {"field": "test", "type": "nominal", "sort": tests, "title": None},
        "columns": 3,
        "spec": {"width": 190, "height": 130, "layer": layer},
    }
    return Figure(_("Right after each training, by test"), _says(lines, trained), spec)


def _says(lines: list[Line], trained: list[str]) -> str:
    parts = []
    for line in lines:
        found = ", ".join(
            f"{title_of(name)} {_spread(line.reached[name])}" for name in trained if name in line.reached
        )
        if found:
            parts.append(f"{line.training} → {line.test}: {found}")
    return "; ".join(parts)
