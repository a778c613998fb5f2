"""The three forms of a meaning as tokens, and back to text (SyGNS, section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FORMULA = re.compile(r"<->|->|\w+|[^\w\s]")
_SPACED = frozenset({"&", "|", "->", "<->", "="})
_BINDERS = frozenset({"all", "exists"})


def tokens_of(form: str, text: str) -> list[str]:
    """A meaning's tokens: of a formula its words, variables, brackets and signs, each alone; of the others
    what stands between spaces.

    >>> tokens_of("fol", "all x1.(dog(x1) -> -run(x1))")
    ['all', 'x1', '.', '(', 'dog', '(', 'x1', ')', '->', '-', 'run', '(', 'x1', ')', ')']
    """
    return _FORMULA.findall(text) if form == "fol" else text.split()


def text_of(form: str, tokens: Sequence[str]) -> str:
    """The text that tokens spell, a formula as it is printed; :func:`tokens_of` gives them back.

    >>> text_of("fol", ["exists", "x1", ".", "(", "dog", "(", "x1", ")", "&", "run", "(", "x1", ")", ")"])
    'exists x1.(dog(x1) & run(x1))'
    """
    if form != "fol":
        return " ".join(tokens)
    written = []
    for before, token in zip(["", *tokens], tokens, strict=False):
        # Two words that follow each other stay two, whether or not a formula may have them.
        two_words = _is_word(before) and _is_word(token)
        if two_words or token in _SPACED or before in _SPACED or before in _BINDERS:
            written.append(" ")
        written.append(token)
    return "".join(written).strip()


def _is_word(token: str) -> bool:
    return token[:1].isalnum() or token[:1] == "_"
