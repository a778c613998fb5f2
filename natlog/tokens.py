"""Words of a text without a parser, and the words that negate. The same on every machine."""

from __future__ import annotations

import re

from natlog.apostrophes import as_read
from natlog.lexicon.word_lists import word_list

NEGATIONS = word_list("negations")
_WORD = re.compile(r"n't\b|\w+(?=n't\b)|\w+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, *n't* apart.

    >>> words_of("The dog isn't here.")
    ['the', 'dog', 'is', "n't", 'here']
    """
    return _WORD.findall(as_read(text.lower()))
