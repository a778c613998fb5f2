"""The part in which a pair's sentences differ, to be marked on the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.datasets.models import Pair

_BORDER = re.compile(r"\s+|\w+|[^\w\s]", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Marked:
    """A text in three parts; ``changed`` is empty where the other text only has words more."""

    before: str
    changed: str
    after: str


def marked(text: str, start: int, end: int) -> Marked:
    """``text`` with the code points ``start`` to ``end`` marked."""
    return Marked(text[:start], text[start:end], text[end:])


def difference(one: str, two: str) -> tuple[Marked, Marked]:
    """Both texts with the shortest stretch of whole words that holds every change.

    >>> difference("No dog ran.", "No small dog ran.")[1]
    Marked(before='No ', changed='small ', after='dog ran.')
    """
    ones, twos = _BORDER.findall(one), _BORDER.findall(two)
    shorter = min(len(ones), len(twos))
    head = 0
    while head < shorter and ones[head] == twos[head]:
        head += 1
    tail = 0
    while tail < shorter - head and ones[-1 - tail] == twos[-1 - tail]:
        tail += 1
    return _cut(ones, head, tail), _cut(twos, head, tail)


def marked_texts(pair: Pair) -> tuple[list[Marked], Marked]:
    """Premises and hypothesis with the part that differs marked: the blank's span, else by comparison."""
    texts = [premise.text for premise in pair.premises.all()]
    blank = pair.blank
    if blank and len(texts) == 1 and texts[0] == blank.sentence.text:
        before, after = blank.before, blank.after
        end = len(pair.hypothesis) - len(after)
        if pair.hypothesis.startswith(before) and pair.hypothesis.endswith(after) and end >= len(before):
            return [marked(texts[0], blank.start, blank.end)], marked(pair.hypothesis, len(before), end)
    if len(texts) != 1:
        return [Marked(text, "", "") for text in texts], Marked(pair.hypothesis, "", "")
    one, two = difference(texts[0], pair.hypothesis)
    return [one], two


def _cut(parts: list[str], head: int, tail: int) -> Marked:
    end = len(parts) - tail
    return Marked("".join(parts[:head]), "".join(parts[head:end]), "".join(parts[end:]))
