"""Words of a text without a parser, and the words that negate. The same on every machine."""

from __future__ import annotations

import re

from natlog.apostrophes import as_read

# The closed class of English words that negate a clause or a noun phrase.
NEGATIONS = frozenset(
    {"no", "not", "n't", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor"}
    | {"without", "cannot", "hardly", "scarcely", "barely"}
)
_WORD = re.compile(r"n't\b|\w+(?=n't\b)|\w+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, *n't* apart.

    >>> words_of("The dog isn't here.")
    ['the', 'dog', 'is', "n't", 'here']
    """
    return _WORD.findall(as_read(text.lower()))
