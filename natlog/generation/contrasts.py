"""Contrast sets: the same pair under another operator (MED, section 4.3).

MED's authors put *a few* for *few*, and deleted *few*, in the pairs that every model got wrong: whoever reads
the operator answers otherwise, whoever doesn't gives the same answer again. ``contrasts.toml`` lists what
is put for what. The words are found in the text, without a parse; what the new pair's label is, a calculus or
people must say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.operators import is_numeral

_FILE = Path(__file__).with_name("contrasts.toml")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Swap:
    """Words ``old`` and what is put in their place; ``{n}`` is a numeral of one or several words."""

    old: tuple[str, ...]
    new: str


@dataclass(frozen=True, slots=True)
class Contrast:
    """One entry of ``contrasts.toml``. Of its swaps, the first that fits is taken, unless one of the words
    ``unless`` follows or one of ``never_after`` stands before it; ``firsts`` are their first words.
    ``licenses``: *any* can stand under the old words and not under the new ones."""

    id: str
    swaps: tuple[Swap, ...]
    firsts: frozenset[str]
    unless: frozenset[str]
    never_after: frozenset[str]
    licenses: bool
    source: str


@dataclass(frozen=True, slots=True)
class ContrastPair:
    """A pair under another operator: ``contrast`` names the entry, ``before`` and ``after`` the words of
    the premise that were replaced and those in their place ("" for none)."""

    premise: str
    hypothesis: str
    contrast: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class _Place:
    """What is replaced, code points ``start`` to ``end`` of the text, and what is put there."""

    start: int
    end: int
    new: str


@lru_cache(maxsize=1)
def contrasts() -> dict[str, Contrast]:
    """The contrasts of ``contrasts.toml`` by their ids."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        entry["id"]: Contrast(
            id=entry["id"],
            swaps=_swaps(entry["from"], entry["to"]),
            firsts=frozenset(words.split()[0] for words in entry["from"]),
            unless=frozenset(entry.get("unless", ())),
            never_after=frozenset((*data["never_after"], *entry.get("never_after", ()))),
            licenses=entry.get("licenses", False),
            source=entry["source"],
        )
        for entry in data["contrast"]
    }


def _swaps(old: Sequence[str], new: str | Sequence[str]) -> tuple[Swap, ...]:
    each = [new] * len(old) if isinstance(new, str) else new
    return tuple(Swap(tuple(words.split()), put) for words, put in zip(old, each, strict=True))


def contrast_pairs(premise: str, hypothesis: str, wanted: Iterable[str] = ()) -> Iterator[ContrastPair]:
    """The pair under each of the contrasts ``wanted`` (ids; all of them where none is named) that fits it.

    A contrast fits where both sentences have the same words of it, equally often: then one pair for each
    time, changed at that place in both. Where *any* or *ever* would lose its licence there is none. KeyError
    for an id that ``contrasts.toml`` lacks.

    >>> [pair.premise for pair in contrast_pairs("Few dogs ran.", "Few small dogs ran.")]
    ['A few dogs ran.', 'Dogs ran.']
    """
    known = contrasts()
    one, other = _Text(premise), _Text(hypothesis)
    for contrast in [known[name] for name in wanted] or known.values():
        in_premise, in_hypothesis = one.places(contrast), other.places(contrast)
        if [place.new for place in in_premise] != [place.new for place in in_hypothesis]:
            continue
        for here, there in zip(in_premise, in_hypothesis, strict=True):
            changed = one.changed(here), other.changed(there)
            if not (contrast.licenses and any(map(_has_npi, changed))):
                yield ContrastPair(*changed, contrast.id, premise[here.start : here.end], here.new)


class _Text:
    """A sentence and its words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = [word.span() for word in _WORD.finditer(text)]
        self.words = [text[start:end].lower() for start, end in self.spans]

    def places(self, contrast: Contrast) -> list[_Place]:
        """Where the contrast's words stand, left to right, none overlapping."""
        found: list[_Place] = []
        at = len(self.words) if contrast.firsts.isdisjoint(self.words) else 0
        while at < len(self.words):
            swap, size = self._fitting(at, contrast)
            if swap:
                start, end = self.spans[at][0], self.spans[at + size - 1][1]
                found.append(_Place(start, end, swap.new.replace("{n}", self._numeral(at, size))))
            at += max(1, size)
        return found

    def _fitting(self, at: int, contrast: Contrast) -> tuple[Swap | None, int]:
        """The first swap that fits at a word, and how many words it covers; no swap where a neighbour forbids
        it (*a few* is no *few*)."""
        for swap in contrast.swaps:
            if size := _covered(swap.old, self.words, at):
                after = self.words[at + size] if at + size < len(self.words) else ""
                before = self.words[at - 1] if at else ""
                return (None if after in contrast.unless or before in contrast.never_after else swap), size
        return None, 0

    def _numeral(self, at: int, size: int) -> str:
        """The numeral among so many words, as it is written."""
        numbers = [self.spans[n] for n in range(at, at + size) if is_numeral(self.words[n])]
        return self.text[numbers[0][0] : numbers[-1][1]] if numbers else ""

    def changed(self, place: _Place) -> str:
        """The text with the words replaced; a capital at its beginning stays there."""
        before, after, new = self.text[: place.start], self.text[place.end :], place.new
        if not new:
            after = after.lstrip()
        if self.text[place.start].isupper():
            new, after = (new[:1].upper() + new[1:], after) if new else (new, after[:1].upper() + after[1:])
        return before + new + after


def _covered(form: Sequence[str], words: Sequence[str], at: int) -> int:
    """How many words from ``at`` on the form covers; 0 where it doesn't fit."""
    place = at
    for part in form:
        if part == "{n}":
            first = place
            while place < len(words) and is_numeral(words[place]):
                place += 1
            if place == first:
                return 0
        elif place < len(words) and words[place] == part:
            place += 1
        else:
            return 0
    return place - at


def _has_npi(text: str) -> bool:
    words = _Text(text).words
    npis = modifiers("npi")
    return any(word in npis for word in words) or ("at", "all") in pairwise(words)
