"""What word lists say of a written phrase, without a parse: the same in other words, more general, misspelt.

Both lists are loaded at first use, in processes whose campaigns ask for them (docs/quality.md has the time
and the memory). English only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from natlog.apostrophes import straightened

if TYPE_CHECKING:
    from spellchecker import SpellChecker

    from natlog.lexicon.words import Relation, Words

SYNONYM, MORE_GENERAL = "synonym", "more-general"

# Less sure relations rest on rare senses and on similarity of adjectives: nobody is refused for them.
LEAST_CONFIDENCE = 0.8
_PARTS = "nvar"
_WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
# A phrase of more words than this is no entry of the index, and looking it up is wasted.
_LONGEST_ENTRY = 5


@dataclass(frozen=True)
class WordChange:
    """One word of the blank, ``old``, became ``new``, which is a synonym or more general (``code``)."""

    code: str
    old: str
    new: str


def word_change(blank: str, written: str) -> WordChange | None:
    """Whether what was written says the same as the blank, or something more general, by one changed word.

    None where more than one word changed, and where the index knows no relation, or different ones for
    different parts of speech: without a parse nobody knows which one is meant.
    """
    from natlog.lexicon.words import Relation

    changed = _changed(*(_WORD.findall(straightened(text)) for text in (blank, written)))
    if changed is None:
        return None
    codes = {Relation.SYNONYM: SYNONYM, Relation.HYPERNYM: MORE_GENERAL}
    relations = _relations(*changed)
    code = codes.get(relations.pop()) if len(relations) == 1 else None
    return WordChange(code, *changed) if code else None


def _changed(before: list[str], after: list[str]) -> tuple[str, str] | None:
    """The one word that differs, old and new. A blank of one word may be compared with a longer entry."""
    if len(before) == 1 and 1 < len(after) <= _LONGEST_ENTRY:
        return before[0], " ".join(after)
    if len(before) != len(after):
        return None
    pairs = zip(before, after, strict=True)
    differing = [(old, new) for old, new in pairs if old.casefold() != new.casefold()]
    return differing[0] if len(differing) == 1 else None


def _relations(old: str, new: str) -> set[Relation]:
    """How ``new`` stands to ``old``, over the parts of speech for which anything is known."""
    from natlog.lexicon.words import SAME_WORD, Relation

    words = _words()
    if " " in new and any(_is_form_of(word, old) for word in new.split()):
        return set()  # a modifier was added (*guide dogs*)
    found = set[Relation]()
    for part in _PARTS:
        known = words.relation(new, old, part)
        if known.relation is Relation.UNKNOWN or (known.source == SAME_WORD and part != "n"):
            continue  # *dog* says no more than *dogs*, but *bigger* is not *big*, nor *was* *is*
        if known.relation is not Relation.SYNONYM or known.confidence >= LEAST_CONFIDENCE:
            found.add(known.relation)
    return found


def _is_form_of(word: str, other: str) -> bool:
    from natlog.lexicon.words import SAME_WORD

    return _words().relation(word, other).source == SAME_WORD


def misspelt(text: str, premise: str) -> list[str]:
    """The words of a text that no list knows, in their order. Words of the premise are right, and so is
    what has a capital letter or a digit: names are on no list."""
    right = {word.casefold() for word in _LETTERS.findall(premise)}
    candidates = [
        part
        for word in _WORD.findall(straightened(text))
        if not any(letter.isupper() or letter.isdigit() for letter in word)
        for part in _parts(word)
        if len(part) > 2 and part not in right
    ]
    if not candidates:
        return []
    unknown = _speller().unknown(candidates)
    words = _words()
    return [part for part in dict.fromkeys(candidates) if part in unknown and not words.known(part)]


def _parts(word: str) -> list[str]:
    """The parts of a compound, without a genitive's ending; none of a contraction, which is no entry."""
    stem = word.removesuffix("'s")
    return [] if "'" in stem else _LETTERS.findall(stem)


@lru_cache(maxsize=1)
def _words() -> Words:
    from natlog.lexicon.words import Words

    return Words()


@lru_cache(maxsize=1)
def _speller() -> SpellChecker:
    from spellchecker import SpellChecker

    return SpellChecker(language="en")
