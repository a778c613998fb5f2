"""An experiment's figure: curves where its protocol has some, else each training beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.translation import gettext as _

from apps.experiments.plans import Protocol
from apps.experiments.results import Line, Reached, title_of
from apps.experiments.services import CALCULUS, GRAMMAR, MAJORITY, UNTRAINED
from apps.frame.exhibits import Figure
from apps.frame.exhibits.tables import PLUS_MINUS

# In %, with room for a point at either end: one that stood out would push its panel's title up.
_SHARES = {"scale": {"domain": [-4, 104], "nice": False}, "axis": {"values": [0, 20, 40, 60, 80, 100]}}
_LEGEND = {"orient": "top", "columns": 3, "labelLimit": 180}


def spread(reached: Reached | None) -> str | None:
    """Mean ± deviation in %; the mean alone of one seed; and of how many seeds, where some are missing."""
    if reached is None:
        return None
    text = _per_cent(reached.mean)
    if reached.sd is not None:
        text = f"{text} {PLUS_MINUS} {_per_cent(reached.sd)}"
    if not reached.missing:
        return text
    some = _("%(n)d of %(of)d seeds") % {"n": reached.seeds, "of": reached.seeds + reached.missing}
    return f"{text} ({some})"


def _per_cent(share: float) -> str:
    """With one decimal, a half rounded up as people do it: a mean of counts may well be one."""
    exact = Decimal(f"{100 * share:.9f}")
    return str(exact.quantize(Decimal("0.1"), ROUND_HALF_UP))


def figure_of(protocol: Protocol, lines: Sequence[Line], names: Sequence[str]) -> Figure | None:
    """None where nothing is over yet."""
    trained = [name for name in names if not name.startswith(UNTRAINED)]
    points = [
        {"training": line.training, "test": line.test, "who": title_of(name), **_point(reached)}
        for line in lines
        for name in trained
        if (reached := line.reached.get(name))
    ]
    if not points:
        return None
    if any(training.curve for training in protocol.trainings.values()):
        return _curves(protocol, lines, [name for name in trained if not _is_without_curve(name)])
    return _beside_each_other(lines, trained, points)


def _is_without_curve(name: str) -> bool:
    """What learns nothing of a training is the same at all of a curve's points."""
    return name in (CALCULUS, MAJORITY) or name.startswith(GRAMMAR)


def _point(reached: Reached) -> dict[str, float | bool]:
    """In %: the mean, and a deviation below and above it; and whether seeds are missing."""
    spread = reached.sd or 0.0
    return {
        "right": round(100 * reached.mean, 2),
        "low": round(max(0.0, 100 * (reached.mean - spread)), 2),
        "high": round(min(100.0, 100 * (reached.mean + spread)), 2),
        "some": reached.missing > 0,
    }


def _curves(protocol: Protocol, lines: Sequence[Line], learning: Sequence[str]) -> Figure | None:
    """A panel for each curve (and each contestant, one below the other), a line in it for each test."""
    drawn = [line for line in lines if protocol.trainings[line.training].curve]
    points = [
        {"curve": training.curve, "at": training.at, "test": line.test, "who": title_of(name),
         **_point(reached)}
        for line in drawn
        for name in learning
        if (training := protocol.trainings[line.training]) and (reached := line.reached.get(name))
    ]  # fmt: skip
    if not points:
        return None
    curves = list(dict.fromkeys(str(point["curve"]) for point in points))
    who = list(dict.fromkeys(str(point["who"]) for point in points))
    tests = list(dict.fromkeys(line.test for line in drawn))
    axis: dict[str, Any] = {"tickCount": 5}
    if all(training.at.is_integer() for training in protocol.trainings.values()):
        axis["tickMinStep"] = 1
    x = {"field": "at", "type": "quantitative", "title": None, "axis": axis,
         "scale": {"zero": False, "padding": 8}}  # fmt: skip
    told = {"field": "test", "type": "nominal", "sort": tests, "title": _("tested on"),
            "legend": _LEGEND, "scale": {"domain": tests}}  # fmt: skip
    facet: dict[str, Any] = {"column": {"field": "curve", "type": "nominal", "sort": curves, "title": None}}
    if len(who) > 1:
        facet["row"] = {"field": "who", "type": "nominal", "sort": who, "title": None}
    spec = {
        "data": {"values": points},
        "facet": facet,
        "resolve": {"scale": {"x": "independent"}},
        "spec": {"width": 190, "height": 130, "layer": _layers(x, told, joined=True)},
    }
    return _figure(_("Right along each curve, by test"), _says(drawn, learning), spec, points)


def _beside_each_other(
    lines: Sequence[Line], trained: Sequence[str], points: Sequence[dict[str, Any]]
) -> Figure:
    """A panel for each test, a point in it for each training and contestant. Of one training alone a single
    panel, in which tests stand beside each other."""
    trainings = list(dict.fromkeys(line.training for line in lines))
    tests = list(dict.fromkeys(line.test for line in lines))
    # Those that have no figure yet too: nobody changes colour when they come.
    who = list(map(title_of, trained))
    told = {"field": "who", "type": "nominal", "sort": who, "title": _("contestant"),
            "legend": _LEGEND, "scale": {"domain": who}}  # fmt: skip
    says = _says(lines, trained)
    one = _named("test", tests, _("tested on")) if len(trainings) == 1 else None
    # No lines: one would say that something lies between two trainings.
    layers = _layers(one or _named("training", trainings, _("trained on")), told, joined=False)
    for layer in layers:
        layer["encoding"]["xOffset"] = {"field": "who", "sort": who}
    if one:
        spec = {"data": {"values": points}, "width": 90 * len(tests), "height": 190, "layer": layers}
        return _figure(_("Right, by test"), says, spec, points)
    spec = {
        "data": {"values": points},
        "facet": {"field": "test", "type": "nominal", "sort": tests, "title": None},
        "columns": 3,
        "spec": {"width": 190, "height": 130, "layer": layers},
        # Each panel has its own axis: of an uneven last row those above a gap would have none.
        "resolve": {"axis": {"x": "independent"}},
    }
    return _figure(_("Right after each training, by test"), says, spec, points)


def _figure(title: str, says: str, spec: dict[str, Any], points: Sequence[dict[str, Any]]) -> Figure:
    """It says what hollow points are where it has any."""
    if any(point["some"] for point in points):
        title = _("%(title)s (hollow: only some of the seeds are there)") % {"title": title}
    return Figure(title, says, spec)


def _named(field: str, order: Sequence[str], title: str) -> dict[str, Any]:
    """An axis of names in their order."""
    axis = {"labelAngle": -30, "labelLimit": 120}
    return {"field": field, "type": "nominal", "sort": order, "title": title, "axis": axis}


def _layers(x: dict[str, Any], told: dict[str, Any], *, joined: bool) -> list[dict[str, Any]]:
    """Deviations behind, means before them: hollow ones where seeds are missing."""
    y = {"field": "right", "type": "quantitative", "title": _("right, %"), **_SHARES}
    rule = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": told}
    line = {"x": x, "y": y, "color": told, "strokeDash": told}
    # The outline has the colour too: a hollow point is nothing else.
    hollow = {"condition": {"test": "datum.some", "value": 0}, "value": 1}
    point = {"x": x, "y": y, "fill": told, "stroke": told, "shape": told, "fillOpacity": hollow}
    return [
        {"mark": {"type": "rule"}, "encoding": rule},
        *([{"mark": {"type": "line"}, "encoding": line}] if joined else []),
        {"mark": {"type": "point", "opacity": 1}, "encoding": point},
    ]


def _says(lines: Sequence[Line], trained: Sequence[str]) -> str:
    parts = []
    for line in lines:
        found = ", ".join(
            f"{title_of(name)} {spread(line.reached[name])}" for name in trained if name in line.reached
        )
        if found:
            parts.append(f"{line.training} → {line.test}: {found}")
    return "; ".join(parts)
