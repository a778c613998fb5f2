"""Reliability curves as SVG: for each file the share right over the mean confidence of its bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

PANEL, GAP, LEFT, TOP, COLUMNS = 170, 34, 46, 64, 4
FEWEST = 5
"""Bins of fewer pairs are left out: their share is chance."""

STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.s{font-size:11px;fill:#666}.f{fill:none;stroke:#999}"
    ".d{stroke:#999;stroke-dasharray:4 4}.c{fill:none;stroke:#333;stroke-width:1.5}"
    ".p{fill:#333;fill-opacity:.75}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.s{fill:#aaa}.f,.d{stroke:#777}.c{stroke:#ddd}.p{fill:#ddd}}"
)


def draw(curves: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """The drawing; each curve's bins are (number of pairs, mean confidence, share right)."""
    down = -(-len(curves) // COLUMNS)
    width = LEFT + COLUMNS * (PANEL + GAP)
    height = TOP + down * (PANEL + GAP + 26) + 14
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Reliability curves: share right over confidence"><style>{STYLE}</style>',
        f'<text x="{LEFT}" y="16">Share right (upwards) over confidence (to the right), odd halves.</text>',
        f'<text class="s" x="{LEFT}" y="32">A dot is a bin, its area the number of pairs; '
        "on the dashed line confidence comes true.</text>",
    ]
    for at, (name, found) in enumerate(curves.items()):
        parts.append(
            _panel(name, found, LEFT + at % COLUMNS * (PANEL + GAP), TOP + at // COLUMNS * (PANEL + GAP + 26))
        )
    return "".join(parts) + "</svg>\n"


def _panel(name: str, found: Sequence[Sequence[float]], x: float, y: float) -> str:
    total = sum(n for n, _, _ in found) or 1
    shown = [(n, confidence, share) for n, confidence, share in found if n >= FEWEST]
    points = [(x + PANEL * confidence, y + PANEL * (1 - share), n) for n, confidence, share in shown]
    marks = "".join(
        f'<text class="s" x="{x + PANEL * at - 8:.0f}" y="{y + PANEL + 14}">{at:g}</text>' for at in (0.5, 1)
    )
    marks += f'<text class="s" x="{x - 8}" y="{y + PANEL + 14}">0</text>'
    marks += "".join(
        f'<text class="s" x="{x - 6}" y="{y + PANEL * (1 - at) + 4:.0f}" text-anchor="end">{at:g}</text>'
        for at in (0.5, 1)
    )
    line = " ".join(f"{px:.1f},{py:.1f}" for px, py, _ in points)
    dots = "".join(
        f'<circle class="p" cx="{px:.1f}" cy="{py:.1f}" r="{2 + 8 * (n / total) ** 0.5:.1f}"/>'
        for px, py, n in points
    )
    return (
        f'<text x="{x}" y="{y - 6}">{escape(_short(name))}</text>'
        f'<rect class="f" x="{x}" y="{y}" width="{PANEL}" height="{PANEL}"/>'
        f'<line class="d" x1="{x}" y1="{y + PANEL}" x2="{x + PANEL}" y2="{y}"/>{marks}'
        f'<polyline class="c" points="{line}"/>{dots}'
    )


def _short(name: str) -> str:
    plain = name.split(".")[0].replace("_dev", "").replace("_", " ")
    return plain.replace("fragments monotonicity", "fragments")
