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
    """The kind of a parsed text, by its end mark, its first word and its main verb."""
    if not words:
        return SentenceKind.FRAGMENT
    if "?" in words[-1] or (len(words) > 1 and "?" in words[-2]):
        return SentenceKind.QUESTION
    root = next((index for index, head in enumerate(heads) if head == index), 0)
    below = [index for index, head in enumerate(heads) if head == root and index != root]
    subject = next((index for index in below if deps[index] in SUBJECTS), -1)
    finite = tags[root] in _FINITE or any(tags[i] in _FINITE and deps[i] in _AUXILIARIES for i in below)
    if finite and subject >= 0:
        return SentenceKind.DECLARATIVE
    if tags[root] == "VB" and subject < 0:
        return SentenceKind.IMPERATIVE
    return SentenceKind.DECLARATIVE if finite else SentenceKind.FRAGMENT
