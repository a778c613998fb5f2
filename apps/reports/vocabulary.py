"""Vocabulary: its size, and how much of it another dataset, or the training split, has too.

A word is what :func:`natlog.tokens.words_of` says; the vocabulary are the different words of all premises
and hypotheses. MED (section 3.2) reports 4,023 words, 95 % of them in MultiNLI and 90 % in SNLI: that is
``share``, the part of *this* vocabulary that the other one has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from apps.reports.rows import Row
from measures.association import overlap
from measures.undefined import Undefined
from natlog.tokens import words_of

BEAT_EVERY = 10_000


def vocabulary(
    rows: Sequence[Row], other: Iterable[tuple[str, str]] | None, beat: Callable[[], None]
) -> dict[str, Any]:
    """Sizes, the overlap with ``other`` texts in both directions, and between the splits."""
    splits: dict[str, Counter[str]] = {}
    for number, row in enumerate(rows):
        splits.setdefault(row.split, Counter()).update([*words_of(row.premise), *words_of(row.hypothesis)])
        if number % BEAT_EVERY == 0:
            beat()
    own: Counter[str] = Counter()
    for words in splits.values():
        own.update(words)
    found: dict[str, Any] = {"words": len(own), "running": own.total(), "other": None, "splits": []}
    if other is not None:
        found["other"] = _overlap(own, _counted(other, beat))
    names = list(splits)
    found["splits"] = [
        {"one": name, "two": names[0], **_overlap(splits[name], splits[names[0]])} for name in names[1:]
    ]
    return found


def _counted(texts: Iterable[tuple[str, str]], beat: Callable[[], None]) -> Counter[str]:
    words: Counter[str] = Counter()
    for number, text in enumerate(texts):
        words.update([*words_of(text[0]), *words_of(text[1])])
        if number % BEAT_EVERY == 0:
            beat()
    return words


def _overlap(one: Counter[str], two: Counter[str]) -> dict[str, Any]:
    """``share`` is the part of the first's vocabulary that the second has, ``back`` the other way round,
    ``running`` the part of the first's running words that the second's vocabulary covers."""
    found = overlap(one, two)
    return {
        "words": len(two),
        "shared": found.shared,
        "share": _rounded(found.share),
        "back": _rounded(found.back),
        "running": _rounded(found.running),
    }


def _rounded(found: float | Undefined) -> float | None:
    return None if isinstance(found, Undefined) else round(found, 6)
