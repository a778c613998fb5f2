"""What a sentence is used for: statement, question, imperative or fragment.

Only statements become premises (MED, section 3.1.1), so the three others are kept out of the blanks.
"""

from __future__ import annotations

from collections.abc import Sequence

from natlog.heads import Heads
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.tree import SentenceKind

_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_WH_TAGS = frozenset({"WP", "WDT", "WP$", "WRB"})
_AUXILIARIES = frozenset({"aux", "auxpass"})


def sentence_kind(
    words: Sequence[str],
    tags: Sequence[str],
    deps: Sequence[str],
    heads: Heads,
    *,
    mended: bool = False,
) -> SentenceKind:
    """The kind of a parsed text, by its end mark, its first word and its main verb.

    A text that holds a question besides other sentences is a question; an exclamation ("What a day!")
    asserts nothing that could be inferred from, and counts as a fragment. An opening without a verb
    ("Wow! …") leaves the kind to the first clause. ``mended`` says that the main verb was no verb in the
    parse as it came.
    """
    if not words:
        return SentenceKind.FRAGMENT
    if any("?" in word for word in words):
        return SentenceKind.QUESTION
    if tags[0] in _WH_TAGS and words[-1] == "!":
        return SentenceKind.FRAGMENT
    for root in heads.roots:
        below = heads.children[root]
        if _is_command(words, tags, deps, root, below):
            return SentenceKind.IMPERATIVE
        if mended and words[-1] == "!" and _is_misread_command(words, tags, heads, root):
            return SentenceKind.IMPERATIVE
        if tags[root] in _FINITE or _auxiliary(tags, deps, below) >= 0:
            return SentenceKind.DECLARATIVE
    return SentenceKind.FRAGMENT


def _auxiliary(tags: Sequence[str], deps: Sequence[str], below: Sequence[int]) -> int:
    return next((i for i in below if tags[i] in _FINITE and deps[i] in _AUXILIARIES), -1)


def _is_command(
    words: Sequence[str], tags: Sequence[str], deps: Sequence[str], root: int, below: Sequence[int]
) -> bool:
    """A base form without a subject: "wash it", and wherever it stands, as after a conditional, "don't
    wash it"."""
    if tags[root] != "VB" or any(deps[index] in SUBJECTS for index in below):
        return False
    auxiliary = _auxiliary(tags, deps, below)
    return auxiliary <= 0 or words[auxiliary].lower() == "do"


def _is_misread_command(words: Sequence[str], tags: Sequence[str], heads: Heads, root: int) -> bool:
    """A verb and its object ("Plant trees!") taken for a subject and its verb: the first word is the base
    form of a verb, has nothing with it, and stands right before what was mended into the main verb."""
    first = words[0].lower()
    return (
        root == 1
        and heads[0] == root
        and tags[0] in ("NN", "NNP", "JJ", "VB")
        and not heads.children[0]
        and first in wordnet().lemmas(first, "v")
    )
