"""Small pictures of finite models: a circle for each individual with what is true of it, an arrow for each
relation.
"""

from __future__ import annotations

import math
from collections import defaultdict
from xml.sax.saxutils import escape

from natlog.logic.models import FiniteModel

_RADIUS = 22
_GAP = 150
_MARGIN = 90


def to_text(model: FiniteModel) -> str:
    """A line for each individual with its properties, then one for each relation; propositions first.

    >>> facts = frozenset({("dog", (0,)), ("see", (0, 1))})
    >>> print(to_text(FiniteModel(2, facts, {"tom": 1})))
    a: dog
    tom
    a –see→ tom
    """
    properties, relations, others = _sorted(model)
    lines = [name for name, _ in others if not _]
    for individual in range(model.size):
        words = ", ".join(properties[individual])
        lines.append(f"{model.label(individual)}: {words}" if words else model.label(individual))
    lines += [
        f"{model.label(start)} –{', '.join(words)}→ {model.label(end)}"
        for (start, end), words in relations.items()
    ]
    lines += [f"{name}({', '.join(map(model.label, places))})" for name, places in others if places]
    return "\n".join(lines)


def _sorted(
    model: FiniteModel,
) -> tuple[dict[int, list[str]], dict[tuple[int, int], list[str]], list[tuple[str, tuple[int, ...]]]]:
    """Properties of each individual, relations between two, and facts of none or more than two
    individuals.
    """
    properties: dict[int, list[str]] = defaultdict(list)
    relations: dict[tuple[int, int], list[str]] = defaultdict(list)
    others = []
    for predicate, places in sorted(model.facts, key=lambda fact: (fact[1], fact[0])):
        if len(places) == 1:
            properties[places[0]].append(predicate)
        elif len(places) == 2:
            relations[places[0], places[1]].append(predicate)
        else:
            others.append((predicate, places))
    return properties, relations, others


def to_svg(model: FiniteModel) -> str:
    """The picture as SVG: individuals on a circle, no colours or scripts of its own (``currentColor`` draws
    it).

    Its ``title`` says in words what it shows.
    """
    properties, relations, others = _sorted(model)
    radius = 0.0 if model.size == 1 else max(60.0, model.size * _GAP / (2 * math.pi))
    middle = radius + _MARGIN
    places = [
        (
            middle + radius * math.sin(2 * math.pi * one / model.size),
            middle - radius * math.cos(2 * math.pi * one / model.size),
        )
        for one in range(model.size)
    ]
    parts = [
        _arrow(places[start], places[end], ", ".join(words)) for (start, end), words in relations.items()
    ]
    for one, (x, y) in enumerate(places):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="none" stroke="currentColor"/>')
        parts.append(_label(x, y + 5, model.label(one)))
        parts += [_label(x, y + _RADIUS + 17 + 15 * row, word) for row, word in enumerate(properties[one])]
    rows = [f"{name}({', '.join(map(model.label, of))})" if of else name for name, of in others]
    parts += [_label(middle, 16 + 15 * row, word) for row, word in enumerate(rows)]
    deepest = max((len(words) for words in properties.values()), default=0)
    height = 2 * middle + 15 * max(0, deepest - 3)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * middle:.0f} {height:.0f}" '
        f'width="{2 * middle:.0f}" height="{height:.0f}" role="img" '
        f'font-family="inherit" font-size="14"><title>{escape(to_text(model))}</title>'
        '<defs><marker id="arrow-end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>'
        f"{''.join(parts)}</svg>"
    )


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="currentColor">{escape(text)}</text>'


def _arrow(start: tuple[float, float], end: tuple[float, float], text: str) -> str:
    """An arrow with its relations' names; bent to its right, so that two opposite ones lie apart; to itself
    a loop.
    """
    (x1, y1), (x2, y2) = start, end
    line = 'fill="none" stroke="currentColor" marker-end="url(#arrow-end)"'
    if start == end:
        loop = f"M{x1 - 10:.1f} {y1 - 20:.1f}C{x1 - 45:.1f} {y1 - 70:.1f} {x1 + 45:.1f} {y1 - 70:.1f}"
        return f'<path d="{loop} {x1 + 10:.1f} {y1 - 21:.1f}" {line}/>{_label(x1, y1 - 62, text)}'
    length = math.hypot(x2 - x1, y2 - y1)
    along, across = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
    bend = ((x1 + x2) / 2 + 30 * across[0], (y1 + y2) / 2 + 30 * across[1])
    first = (x1 + _RADIUS * along[0] + 6 * across[0], y1 + _RADIUS * along[1] + 6 * across[1])
    last = (x2 - (_RADIUS + 3) * along[0] + 6 * across[0], y2 - (_RADIUS + 3) * along[1] + 6 * across[1])
    path = f"M{first[0]:.1f} {first[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {last[0]:.1f} {last[1]:.1f}"
    return f'<path d="{path}" {line}/>{_label(bend[0], bend[1], text)}'
