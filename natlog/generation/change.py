"""What is done to a sentence: the operations, a change, and a pair that came of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from natlog.tree import Polarity

ENTAILMENT = "entailment"
NON_ENTAILMENT = "non-entailment"


class Operation(enum.Enum):
    """How a sentence is changed; HELP's operations, with extending and shortening beside them."""

    SUBSTITUTE = "substitute"
    EXTEND = "extend"
    SHORTEN = "shorten"
    CONJUNCTION = "conjunction"
    DISJUNCTION = "disjunction"


@dataclass(frozen=True, slots=True)
class Change:
    """Tokens ``start`` to ``end`` (exclusive) of a sentence replaced by ``words`` (either may be empty).

    ``kind`` says it in particular: hypernym, hyponym, adjective, adverb, prepositional phrase, relative
    clause, conjunct, disjunct. ``place`` is the token whose polarity decides, ``polarity`` that sign.
    ``wider`` says whether the phrase becomes more general. ``first`` and ``second`` are the two synsets of
    a substitution, written ``dog.n.1`` (lemma, part of speech, rank of the sense), or the relation's source.
    """

    operation: Operation
    kind: str
    start: int
    end: int
    words: tuple[str, ...]
    place: int
    polarity: Polarity
    wider: bool
    first: str = ""
    second: str = ""

    @property
    def label(self) -> str:
        """Whether the changed sentence follows: wider at ↑, narrower at ↓, and never at =."""
        follows = Polarity.UP if self.wider else Polarity.DOWN
        return ENTAILMENT if self.polarity is follows else NON_ENTAILMENT


@dataclass(frozen=True, slots=True)
class MadePair:
    """A machine-made pair with all that it came from.

    ``is_reversed`` says that the sentence of the corpus is the hypothesis. ``polarity`` is the sign of the
    place in the premise, ``relation`` (⊏ ⊐) how the premise's phrase stands to the hypothesis's. ``start``
    and ``end`` are the code points in ``sentence`` (the corpus' own) that were replaced, or between which
    words were added; ``before`` and ``after`` the words there and those put in their place.
    """

    premise: str
    hypothesis: str
    label: str
    direction: str
    operation: str
    kind: str
    is_reversed: bool
    sentence: str
    start: int
    end: int
    before: str
    after: str
    polarity: str
    relation: str
    first: str
    second: str
    convention: str
    engine: str
    version: str
    parser: str
    seed: int

    @property
    def cell(self) -> tuple[str, str, str]:
        """What pairs are balanced by: operation, direction, label."""
        return self.operation, self.direction, self.label


@dataclass(frozen=True, slots=True)
class Rejected:
    """A change that made no pair, and why: ``why`` is one of the few reasons in ``checking.py``,
    ``detail`` what the calculus said in particular."""

    sentence: str
    changed: str
    operation: str
    kind: str
    why: str
    detail: str = ""
