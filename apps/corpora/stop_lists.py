"""The stop list: expressions too general to rewrite, which a pilot finds (MED, section 3.1.1).

MED removed the *examples* that hold one, which is a sentence; to leave out the blank alone keeps more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, TypeVar

from apps.corpora.models import StopExpression
from apps.studies.models import Study


class Place(Protocol):
    """A part of a sentence, with the words before it."""

    @property
    def sentence(self) -> int: ...
    @property
    def sentence_text(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def before(self) -> str: ...


AnyPlace = TypeVar("AnyPlace", bound=Place)


@dataclass(frozen=True)
class StopList:
    """A study's expressions too general to rewrite, compared without regard to case.

    An expression holds a blank that is the whole of it, or its end with the rest standing right before:
    "no time" stops the blank "no time", and "time" where "no" precedes it.
    """

    expressions: frozenset[str]

    @classmethod
    def of(cls, study: Study) -> StopList:
        found = StopExpression.objects.filter(study=study).values_list("expression", flat=True)
        return cls(frozenset(map(folded, found)))

    def holds(self, text: str, before: str = "") -> bool:
        blank = folded(text)
        if blank in self.expressions:
            return True
        return any(
            expression.endswith(f" {blank}") and f" {folded(before)} {blank}".endswith(f" {expression}")
            for expression in self.expressions
        )

    def stands_in(self, text: str) -> bool:
        """Whether one of the expressions stands in a text, as whole words.

        >>> stop_list = StopList(frozenset({"no time"}))
        >>> stop_list.stands_in("He has No  time."), stop_list.stands_in("It is no timetable.")
        (True, False)
        """
        return bool(self._pattern and self._pattern.search(folded(text)))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self.expressions:
            return None
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(self.expressions)))})(?!\w)")

    def left(self, passing: Sequence[AnyPlace], *, sentences: bool = False) -> list[AnyPlace]:
        """What the list leaves: all but the blanks that are one of its expressions, or all but those of
        ``sentences`` that one stands in."""
        if not self.expressions:
            return list(passing)
        if not sentences:
            return [item for item in passing if not self.holds(item.text, item.before)]
        stopped = {
            sentence
            for sentence, text in {item.sentence: item.sentence_text for item in passing}.items()
            if self.stands_in(text)
        }
        return [item for item in passing if item.sentence not in stopped]

    def counts(self, passing: Sequence[AnyPlace]) -> StopCounts:
        """What it would leave out: blanks alone, and with their sentences."""
        left = self.left(passing, sentences=True)
        sentences = {item.sentence for item in passing} - {item.sentence for item in left}
        return StopCounts(
            expressions=len(self.expressions),
            blanks=len(passing) - len(self.left(passing)),
            sentences=len(sentences),
            blanks_of_sentences=len(passing) - len(left),
        )


class StopCounts(NamedTuple):
    """``blanks`` that are an expression of the stop list; ``sentences`` that one stands in,
    with all their ``blanks_of_sentences``."""

    expressions: int
    blanks: int
    sentences: int
    blanks_of_sentences: int


def folded(expression: str) -> str:
    """The form in which expressions are compared: no case, single spaces.

    >>> folded("  No\\u00a0 TIME ")
    'no time'
    """
    return " ".join(expression.casefold().split())
