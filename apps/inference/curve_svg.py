"""Curves as SVG, drawn on the server: what epochs came to, and accuracy by direction over training data.

Colours come from the stylesheet; a line is told from another by its dashes and its mark too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 320, 150
LEFT, TOP, RIGHT, BOTTOM = 40, 18, 26, 24


@dataclass(frozen=True)
class Line:
    """``points`` are (place, value, spread or None); ``style`` is a class of the stylesheet; ``mark`` stands
    at each point, where it is not ""."""

    style: str
    points: Sequence[tuple[float, float, float | None]]
    mark: str = ""


def chart(
    lines: Sequence[Line], *, title: str, top: float, places: Sequence[tuple[float, str]], form: str = "%g"
) -> SafeString:
    """Lines over the ``places`` (with their names), from 0 to ``top``; ``title`` is read out."""
    first, last = (places[0][0], places[-1][0]) if places else (0.0, 1.0)
    span = (last - first) or 1.0
    top = top or 1.0

    def x(place: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * (place - first) / span:.1f}"

    def y(value: float) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(value, top) / top):.1f}"

    grid = format_html_join(
        "",
        '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (LEFT, WIDTH - RIGHT, y(share * top), y(share * top), LEFT - 5, float(y(share * top)) + 4,
             form % (share * top))
            for share in (0, 0.5, 1)
        ),
    )  # fmt: skip
    names = format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="middle">{}</text>',
        ((x(place), HEIGHT - 8, name) for place, name in places),
    )
    drawn = format_html_join("", "{}", ((_line(line, x, y),) for line in lines))
    return format_html(
        '<svg class="curves" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">'
        "{}{}{}</svg>",
        WIDTH, HEIGHT, WIDTH, HEIGHT, title, grid, names, drawn,
    )  # fmt: skip


def _line(line: Line, x: Callable[[float], str], y: Callable[[float], str]) -> SafeString:
    along = " ".join(f"{x(place)},{y(value)}" for place, value, _spread in line.points)
    parts = [format_html('<polyline class="{}" points="{}"/>', line.style, along)]
    if len(line.points) == 1:  # which no line is drawn through
        ((place, value, _spread),) = line.points
        parts.append(
            format_html('<circle class="{}" cx="{}" cy="{}" r="3"/>', line.style, x(place), y(value))
        )
    for place, value, spread in line.points:
        if spread:
            parts.append(
                format_html(
                    '<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>',
                    line.style,
                    x(place),
                    x(place),
                    y(value + spread),
                    y(max(0.0, value - spread)),
                )
            )
        if line.mark:
            parts.append(
                format_html(
                    '<text class="{}" x="{}" y="{}" text-anchor="middle">{}</text>',
                    line.style,
                    x(place),
                    float(y(value)) - 4,
                    line.mark,
                )
            )
    return format_html_join("", "{}", ((part,) for part in parts))
