"""A marked sentence as an SVG tree: words along the bottom, constituents above, a coloured arrow at each.

Branches run level under a node and then straight down to its children, so that nothing can overlap: a
node stands over the middle of its own words, above everything else over them. Colours are presentation
attributes beside the classes ``up``, ``down`` and ``flat``, so a page's stylesheet can change them without
inline style.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from natlog.tree import Marking, Node, Polarity

CLASSES = {Polarity.UP: "up", Polarity.DOWN: "down", Polarity.FLAT: "flat"}
COLOURS = {Polarity.UP: "#1d5fbf", Polarity.DOWN: "#b8430f", Polarity.FLAT: "#6b7280"}
INK = "#1f2328"

WORD, LABEL, CHARACTER = 16, 12, 8.6
"""Font sizes of words and labels, and the width that one character of a word is given, in user units."""

GAP, NARROWEST, STEP, MARGIN, ROUND = 16, 52, 40, 14, 7
"""Space between words, least width of a word's column, height of a level, margin, radius of corners."""

_STYLE = """
.up{fill:#1d5fbf}.down{fill:#b8430f}.flat{fill:#6b7280}
path.up{stroke:#1d5fbf}path.down{stroke:#b8430f}path.flat{stroke:#6b7280}path{fill:none!important}
@media (prefers-color-scheme:dark){.word{fill:#e6e8eb}.up{fill:#7fb2ff}.down{fill:#ff9d6b}.flat{fill:#a7adb5}
path.up{stroke:#7fb2ff}path.down{stroke:#ff9d6b}path.flat{stroke:#a7adb5}}
"""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A placed node: its middle, its level above the words (0 is a word), its sign."""

    x: float
    level: int
    polarity: Polarity


def tree_svg(
    marking: Marking,
    highlight: tuple[int, int] | None = None,
    standalone: bool = False,
    links: Mapping[tuple[int, int], str] | None = None,
) -> str:
    """The SVG of a marking; ``highlight`` is a span of code points (a blank) to underline and tint, and
    ``links`` has the address that a constituent leads to, by its first token and the one after its last.

    ``standalone`` adds a style sheet with dark colours, for a file of its own; without it there is neither
    a style element nor a style attribute, as a page under a strict content security policy needs.
    """
    return _Drawing(marking, highlight, links or {}).svg(standalone)


class _Drawing:
    def __init__(
        self, marking: Marking, highlight: tuple[int, int] | None, links: Mapping[tuple[int, int], str]
    ) -> None:
        self.marking = marking
        self.links = links
        self.tokens = marking.tree.tokens
        self.marked = {
            token.index
            for token in self.tokens
            if highlight and token.start < highlight[1] and token.end > highlight[0]
        }
        self.edges: list[float] = [float(MARGIN)]
        for token in self.tokens:
            width = max(NARROWEST, _width(token.text) + GAP)
            self.edges.append(self.edges[-1] + width)
        self.lines: list[str] = []
        self.labels: list[str] = []
        self.heights = _heights(marking.tree.root)
        self.top = self.heights[id(marking.tree.root)] if self.tokens else 0
        self.words = MARGIN + self.top * STEP + 30

    def svg(self, standalone: bool) -> str:
        """The whole drawing."""
        if self.tokens:
            self._draw(marking_root(self.marking))
        width, height = round(self.edges[-1] + MARGIN), round(self.words + 46)
        title = _text(str(self.marking)) or "empty sentence"
        role = "group" if self.links else "img"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="polarity-tree" role="{role}" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="system-ui, sans-serif" text-anchor="middle">',
            f"<title>{title}</title>",
        ]
        if standalone:
            parts.append(f"<style>{_STYLE}</style>")
        parts += [*self._blank(), *self.lines, *self.labels, "</svg>"]
        return "".join(parts)

    def _draw(self, node: Node) -> _Drawn:
        level = self.heights[id(node)]
        node = _plain(node)
        x = (self.edges[node.start] + self.edges[node.end]) / 2
        if not node.children:
            return self._word(node, x)
        drawn = [self._draw(child) for child in node.children]
        found = self.marking.constituent(node.start, node.end)
        sign = found.polarity if found else self.marking.signs[node.head]
        me = _Drawn(x, level, sign)
        y = self._y(level)
        for child in drawn:
            self.lines.append(_branch(x, y + 5, child.x, self._y(child.level) - 17, child.polarity))
        label = (
            f'<text class="{CLASSES[sign]}" fill="{COLOURS[sign]}" x="{x:.1f}" y="{y:.1f}" '
            f'font-size="{LABEL}" font-weight="600">{_text(node.label)} {sign}</text>'
        )
        self.labels.append(self._linked(node, label))
        return me

    def _linked(self, node: Node, drawing: str) -> str:
        """A drawing that leads to its constituent, named by the words, where there is an address for it."""
        address = self.links.get((node.start, node.end))
        if address is None:
            return drawing
        words = " ".join(token.text for token in self.tokens[node.start : node.end])
        return f'<a href="{_text(address)}" aria-label="{_text(words)}">{drawing}</a>'

    def _word(self, node: Node, x: float) -> _Drawn:
        index = node.start
        sign = self.marking.signs[index]
        weight = ' font-weight="600"' if index in self.marked else ""
        drawing = (
            f'<text class="word" fill="{INK}" x="{x:.1f}" y="{self.words}" font-size="{WORD}"{weight}>'
            f"{_text(self.tokens[index].text)}</text>"
            f'<text class="{CLASSES[sign]}" fill="{COLOURS[sign]}" x="{x:.1f}" y="{self.words + 26}" '
            f'font-size="18" font-weight="700">{sign}</text>'
        )
        self.labels.append(self._linked(node, drawing))
        return _Drawn(x, 0, sign)

    def _blank(self) -> list[str]:
        if not self.marked:
            return []
        left, right = self.edges[min(self.marked)] + 2, self.edges[max(self.marked) + 1] - 2
        return [
            f'<rect class="blank" fill="{COLOURS[Polarity.FLAT]}" fill-opacity="0.12" x="{left:.1f}" '
            f'y="{self.words - 21}" width="{right - left:.1f}" height="56" rx="6"/>'
        ]

    def _y(self, level: int) -> float:
        return MARGIN + 12 + (self.top - level) * STEP if level else self.words


def marking_root(marking: Marking) -> Node:
    """The root of what is drawn."""
    return marking.tree.root


def _heights(root: Node) -> dict[int, int]:
    """For every node the levels that are drawn below it, by the node's ``id``."""
    heights: dict[int, int] = {}
    for node in reversed([*root.walk()]):
        below = [heights[id(child)] for child in node.children]
        heights[id(node)] = max(below, default=-1) + (len(below) != 1)
    return heights


def _plain(node: Node) -> Node:
    """A node without chains of single children: the topmost label is kept, or the word alone."""
    inner = next(below for below in node.walk() if len(below.children) != 1)
    if not inner.children:
        return Node(inner.label, inner.start, inner.end, inner.head)
    return Node(node.label, node.start, node.end, node.head, inner.children)


def _branch(x: float, y: float, child_x: float, child_y: float, sign: Polarity) -> str:
    """A branch that leaves a node downwards, turns towards its child, and comes down on it."""
    turn = y + 7
    across = child_x - x
    if abs(across) < 1:
        path = f"M{x:.1f} {y:.1f}V{child_y:.1f}"
    else:
        radius = min(ROUND, abs(across) / 2)
        side = radius if across > 0 else -radius
        path = (
            f"M{x:.1f} {y:.1f}V{turn:.1f}H{child_x - side:.1f}"
            f"Q{child_x:.1f} {turn:.1f} {child_x:.1f} {turn + radius:.1f}V{max(child_y, turn + radius):.1f}"
        )
    return (
        f'<path class="{CLASSES[sign]}" fill="none" stroke="{COLOURS[sign]}" stroke-opacity="0.55" '
        f'stroke-width="1.5" d="{path}"/>'
    )


def _width(text: str) -> float:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return (len(text) + wide) * CHARACTER


def _text(text: str) -> str:
    """Text that is safe in XML: escaped, control characters and lone surrogates replaced."""
    legal = "".join(
        "�"
        if unicodedata.category(character) in ("Cc", "Cs") or ord(character) in (0xFFFE, 0xFFFF)
        else character
        for character in text
    )
    return escape(legal, quote=True)
