"""Words as they are searched for, the same on every database.

A word is a run of letters and digits, case folded, in NFC. A pair's words are stored as one text with a
space around each, `` no dog ran | no small dog ran ``, where ``|`` parts premises and hypothesis.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

BORDER = "|"
LONGEST_WORD = 100
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r'"([^"]*)"|(\S+)')


def words_in(text: str) -> list[str]:
    """The words of a text, in order.

    >>> words_in("Don't STOP, Ångström!")
    ['don', 't', 'stop', 'ångström']
    """
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return [word[:LONGEST_WORD] for word in _WORD.findall(folded)]


def spaced(names: Sequence[str]) -> str:
    """Names, none with a space in it, as they are stored.

    >>> spaced(["every", "not"])
    ' every not '
    """
    return f" {' '.join(names)} " if names else ""


def words_of_pair(premises: Sequence[str], hypothesis: str) -> str:
    """A pair's words as they are stored."""
    names: list[str] = []
    for premise in premises:
        names += words_in(premise)
        names.append(BORDER)
    return spaced(names + words_in(hypothesis))


@dataclass(frozen=True)
class Wanted:
    """What a search asks for: all of ``words``, all beginnings of words, all phrases (words in a row)."""

    words: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.beginnings)


def wanted(query: str) -> Wanted:
    """A search as people type it: ``small dog`` all words in any order, ``"small dog"`` in a row,
    ``dog*`` a beginning.

    >>> wanted('no "Small dog" bark*')
    Wanted(words=('no', 'small', 'dog'), beginnings=('bark',), phrases=('small dog',))
    """
    words: list[str] = []
    beginnings: list[str] = []
    phrases: list[str] = []
    for phrase, part in _PART.findall(query):
        found = words_in(phrase or part)
        if found and part.endswith("*"):
            beginnings.append(found.pop())
        words += found
        if phrase and len(found) > 1:
            phrases.append(" ".join(found))
    return Wanted(*(tuple(dict.fromkeys(names)) for names in (words, beginnings, phrases)))
