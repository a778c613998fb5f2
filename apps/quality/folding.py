"""When two phrases are the same, or nearly so, whoever wrote them."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

from natlog.apostrophes import as_read

# From this share of common letters on, two phrases differ by a slip or an ending.
NEARLY = 0.9
_NOT_WORDS = re.compile(r"[^\w\s]|_")


def folded(text: str) -> str:
    """Without capitals, punctuation, spare spaces and the difference of composed letters.

    >>> folded("The  small, brown Dogs.")
    'the small brown dogs'
    """
    plain = _NOT_WORDS.sub(" ", as_read(unicodedata.normalize("NFC", text)).casefold())
    return " ".join(plain.split())


def nearly_same(one: str, two: str) -> bool:
    """Whether folded phrases are the same or differ in a letter or so.

    >>> nearly_same("small brown dogs", "small brown dog"), nearly_same("small dogs", "tall dogs")
    (True, False)
    """
    if one == two:
        return True
    return SequenceMatcher(None, one, two, autojunk=False).ratio() >= NEARLY


def scripts_of(text: str) -> set[str]:
    """The scripts of the letters, by the first word of their Unicode names.

    >>> sorted(scripts_of("dog собака"))
    ['CYRILLIC', 'LATIN']
    """
    return {unicodedata.name(letter, "UNKNOWN").split()[0] for letter in text if letter.isalpha()}
