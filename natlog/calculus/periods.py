"""Times that sentences name: *in May 1980*, *since 1980*, *for three days*, as intervals and lengths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from natlog.calculus.alignment import spelling
from natlog.calculus.quantifiers import number_of
from natlog.lexicon.times import hours, months
from natlog.lexicon.word_lists import word_list
from natlog.tree import Token

_NOW = 10**7
_DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)?$")


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days; ``tokens`` is the phrase that names it, ``whole`` says that all of it is meant."""

    start: int
    end: int
    tokens: tuple[int, int]
    whole: bool

    def within(self, other: Period) -> bool:
        """Whether all of it lies in the other."""
        return other.start <= self.start and self.end <= other.end

    def apart(self, other: Period) -> bool:
        """Whether they have no day in common."""
        return self.end < other.start or other.end < self.start


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time in hours with the preposition before it; ``tokens`` is the phrase."""

    word: str
    hours: float
    tokens: tuple[int, int]


def period(tokens: Sequence[Token]) -> Period | None:
    """The first time with a year that a sentence locates something in; None where it names none."""
    for token in tokens:
        if spelling(token) not in word_list("locating"):
            continue
        found = _date(tokens, token.index + 1)
        if found is None:
            continue
        start, end, after = found
        word = spelling(token)
        if word == "from":
            to = next((t for t in tokens[after : after + 1] if spelling(t) in ("to", "until", "till")), None)
            last = _date(tokens, to.index + 1) if to is not None else None
            if last is None:
                continue
            return Period(start, last[1], (token.index, last[2]), True)
        if word == "since":
            return Period(start, _NOW, (token.index, after), True)
        if word in word_list("time_limits"):
            continue
        return Period(start, end, (token.index, after), word == "throughout")
    return None


def _date(tokens: Sequence[Token], at: int) -> tuple[int, int, int] | None:
    """The first and last day of a date that begins at a place, and where it ends."""
    day = month = year = 0
    names = months()
    while at < len(tokens):
        word = spelling(tokens[at])
        match = _DAY.match(word)
        if word in names and not month:
            month = names.index(word) + 1
        elif re.fullmatch(r"1\d{3}|20\d{2}", word):
            year = int(word)
            at += 1
            break
        elif match and not day and (match[2] or month or _next_month(tokens, at, names)):
            day = int(match[1])
        elif word not in ("the", "of", ","):
            break
        at += 1
    if not year or (day and not month):
        return None
    base = year * 372
    if not month:
        return base, base + 371, at
    first = base + (month - 1) * 31
    return (first + day - 1, first + day - 1, at) if day else (first, first + 30, at)


def _next_month(tokens: Sequence[Token], at: int, names: Sequence[str]) -> bool:
    return any(spelling(token) in names for token in tokens[at + 1 : at + 3])


def length(tokens: Sequence[Token], words: Sequence[str] = ("for", "in")) -> Length | None:
    """How long something lasted or took, told by a preposition and a number of units."""
    for token in tokens:
        if spelling(token) in words and (found := measured(tokens, token.index + 1)) is not None:
            return Length(spelling(token), found[0], (token.index, found[1]))
    return None


def measured(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """The hours of "three days" that begin at a place, and where the words end."""
    number: float | None = None
    while at < len(tokens):
        word = spelling(tokens[at])
        unit = hours(tokens[at].lemma.lower())
        if unit is not None and number is not None:
            return number * unit, at + 1
        if word in ("a", "one"):
            number = 1.0 if number is None else number * 1.0
        elif word == "half":
            number = 0.5
        elif (counted := number_of(word)) is not None and number is None:
            number = float(counted)
        else:
            return None
        at += 1
    return None
