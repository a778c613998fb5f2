"""MED's Figure 2 as SVG: accuracy on upward and on downward pairs over what was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from xml.sax.saxutils import escape

WIDTH, HEIGHT, GAP, LEFT, TOP = 230, 170, 40, 40, 64
ARROWS = {"upward": "↑", "downward": "↓"}

STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.s{font-size:11px;fill:#666}.f{fill:none;stroke:#999}"
    ".h{stroke:#ccc}.upward{stroke:#1d5fbf;fill:none;stroke-width:1.75}"
    ".downward{stroke:#b8430f;fill:none;stroke-width:1.75;stroke-dasharray:6 3}"
    "text.upward{fill:#1d5fbf;stroke:none}text.downward{fill:#b8430f;stroke:none}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.s{fill:#aaa}.f{stroke:#777}.h{stroke:#444}"
    ".upward{stroke:#7fb2ff}.downward{stroke:#ff9d6b}text.upward{fill:#7fb2ff}text.downward{fill:#ff9d6b}}"
)


class Reached(Protocol):
    """Mean and standard deviation in %."""

    @property
    def mean(self) -> float: ...

    @property
    def sd(self) -> float | None: ...


Point = tuple[str, Mapping[str, Reached]]


def draw(panels: Sequence[tuple[str, Sequence[Point]]]) -> str:
    """The drawing; each panel's points are named, with what was reached by direction."""
    width, height = LEFT + len(panels) * (WIDTH + GAP), TOP + HEIGHT + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Accuracy on MED by direction over training data"><style>{STYLE}</style>',
        f'<text x="{LEFT}" y="16">Accuracy (%) on MED over training pairs: mean ± sd of seeds.</text>',
        f'<text class="upward" x="{LEFT}" y="34">↑ upward pairs</text>',
        f'<text class="downward" x="{LEFT + 120}" y="34">↓ downward pairs (dashed)</text>',
    ]
    for at, (title, points) in enumerate(panels):
        parts.append(_panel(title, points, LEFT + at * (WIDTH + GAP), TOP))
    return "".join(parts) + "</svg>\n"


def _panel(title: str, points: Sequence[Point], x: float, y: float) -> str:
    step = WIDTH / max(1, len(points))
    places = [x + step * (number + 0.5) for number in range(len(points))]
    parts = [
        f'<text x="{x}" y="{y - 8}">{escape(title)}</text>',
        f'<rect class="f" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<line class="h" x1="{x}" x2="{x + WIDTH}" y1="{y + HEIGHT / 2}" y2="{y + HEIGHT / 2}"/>',
    ]
    parts += [
        f'<text class="s" x="{x - 6}" y="{_height(y, share) + 4:.0f}" text-anchor="end">{share}</text>'
        for share in (0, 50, 100)
    ]
    parts += [
        f'<text class="s" x="{place:.0f}" y="{y + HEIGHT + 16}" text-anchor="middle">{escape(name)}</text>'
        for place, (name, _reached) in zip(places, points, strict=True)
    ]
    for way, arrow in ARROWS.items():
        found = [
            (place, reached[way])
            for place, (_n, reached) in zip(places, points, strict=True)
            if way in reached
        ]
        line = " ".join(f"{place:.1f},{_height(y, one.mean):.1f}" for place, one in found)
        parts.append(f'<polyline class="{way}" points="{line}"/>')
        for place, one in found:
            spread = one.sd or 0.0
            top, bottom = (_height(y, one.mean + sign * spread) for sign in (1, -1))
            parts.append(
                f'<line class="{way}" x1="{place:.1f}" x2="{place:.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>'
                f'<text class="{way}" x="{place:.1f}" y="{_height(y, one.mean) + 4:.1f}" '
                f'text-anchor="middle">{arrow}</text>'
            )
    return "".join(parts)


def _height(y: float, share: float) -> float:
    return y + HEIGHT * (1 - min(100.0, max(0.0, share)) / 100)
