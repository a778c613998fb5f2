"""The edit: what was inserted, deleted or replaced, where, and how the two sides relate there."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.lexicon.words import WordRelation
from natlog.tree import Polarity


@dataclass(frozen=True, slots=True)
class Edit:
    """One change. Spans are token indices, end exclusive; an empty span stands before its start.

    ``kind`` is insertion, deletion, substitution, quantifier, negation or operator; ``form`` says what
    sort of phrase it is (modifier, relative clause, conjunct, disjunct, adverb, word, phrase, …).
    ``polarity`` is the sign of the place it stands at, ``relation`` (≡ ⊏ ⊐ ^ | ⌣ #) how the premise's
    words stand to the hypothesis's there, ``note`` the same in words. ``known`` is False where no
    source knows the words' relation; ``constituent`` whether the changed part is one phrase; ``agreed``
    whether both parses put it in the same context. ``site`` is the word whose place it is, ``operators``
    the words that made its polarity.
    """

    kind: str
    form: str
    start: int
    end: int
    other_start: int
    other_end: int
    before: str
    after: str
    polarity: Polarity
    relation: str
    note: str
    word: WordRelation | None = None
    known: bool = True
    constituent: bool = True
    agreed: bool = True
    site: str = ""
    operators: tuple[str, ...] = ()
