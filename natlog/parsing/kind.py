"""What a sentence is used for: statement, question, imperative or fragment.

Only statements become premises (MED, section 3.1.1), so the three others are kept out of the blanks.
"""

from __future__ import annotations

from collections.abc import Sequence

from natlog.parsing.constituents import SUBJECTS
from natlog.tree import SentenceKind

_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_WH_TAGS = frozenset({"WP", "WDT", "WP$", "WRB"})
_AUXILIARIES = frozenset({"aux", "auxpass"})


def sentence_kind(
    words: Sequence[str], tags: Sequence[str], deps: Sequence[str], heads: Sequence[int]
) -> SentenceKind:
    """The kind of a parsed text, by its end mark, its first word and its main verb.

    A text that holds a question besides other sentences is a question; an exclamation ("What a day!")
    asserts nothing that could be inferred from, and counts as a fragment.
    """
    if not words:
        return SentenceKind.FRAGMENT
    if any("?" in word for word in words):
        return SentenceKind.QUESTION
    if tags[0] in _WH_TAGS and words[-1] == "!":
        return SentenceKind.FRAGMENT
    root = next((index for index, head in enumerate(heads) if head == index), 0)
    below = [index for index, head in enumerate(heads) if head == root and index != root]
    subject = any(deps[index] in SUBJECTS for index in below)
    auxiliary = next((i for i in below if tags[i] in _FINITE and deps[i] in _AUXILIARIES), -1)
    finite = tags[root] in _FINITE or auxiliary >= 0
    commanded = tags[root] == "VB" and not subject and auxiliary <= 0
    if commanded:
        return SentenceKind.IMPERATIVE
    return SentenceKind.DECLARATIVE if finite else SentenceKind.FRAGMENT
