"""DRSs drawn as boxes, in text."""

from __future__ import annotations

from natlog.logic.drs import Alternative, Box, Condition, Implication, Negation
from natlog.logic.nltk_notation import to_nltk


def to_text(box: Box) -> str:
    """The box with its referents on top and its conditions below; boxes in boxes.

    >>> from natlog.logic.clausal_form import parse
    >>> print(to_text(parse("b1 REF x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 run x1")))
    ┌───────────────┐
    │ x1            │
    ├───────────────┤
    │ dog(x1)       │
    │   ┌─────────┐ │
    │   │         │ │
    │ ¬ ├─────────┤ │
    │   │ run(x1) │ │
    │   └─────────┘ │
    └───────────────┘
    """
    return "\n".join(_lines(box))


def _lines(box: Box) -> list[str]:
    body = [line for condition in box.conditions for line in _condition(condition)]
    head = " ".join(box.referents)
    width = max([len(head), *map(len, body)], default=0)
    return [
        f"┌{'─' * (width + 2)}┐",
        f"│ {head:<{width}} │",
        f"├{'─' * (width + 2)}┤",
        *(f"│ {line:<{width}} │" for line in body),
        f"└{'─' * (width + 2)}┘",
    ]


def _condition(condition: Condition) -> list[str]:
    match condition:
        case Negation(box):
            return _beside(["¬"], _lines(box))
        case Implication(left, right):
            return _beside(_lines(left), ["⇒"], _lines(right))
        case Alternative(left, right):
            return _beside(_lines(left), ["∨"], _lines(right))
    return [to_nltk(condition)]


def _beside(*columns: list[str]) -> list[str]:
    """Blocks of lines side by side, each in the middle of the height of the highest."""
    height = max(map(len, columns))
    widths = [max(map(len, column)) for column in columns]
    padded = []
    for column, width in zip(columns, widths, strict=True):
        above = (height - len(column)) // 2
        rows = [""] * above + column + [""] * (height - len(column) - above)
        padded.append([f"{row:<{width}}" for row in rows])
    return [" ".join(rows) for rows in zip(*padded, strict=True)]
