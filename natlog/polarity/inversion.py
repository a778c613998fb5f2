"""Clauses whose first words alone say what they are: "had he come, …" and "the more …, the more …"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from natlog.heads import Heads
from natlog.lexicon.operators import Match
from natlog.parsing.constituents import SUBJECTS

_AUXILIARIES = frozenset({"aux", "auxpass"})
_WH = frozenset({"WP", "WDT", "WRB", "WP$"})


class Sentence(Protocol):
    """What is read of a parsed sentence here, one item a token."""

    words: list[str]
    tags: list[str]
    deps: list[str]
    heads: Heads


def inverts(sentence: Sentence, word: int) -> bool:
    """Whether a verb form stands before its subject and opens a conditional ("had he come, …")."""
    deps, children = sentence.deps, sentence.heads.children
    if deps[word] == "mark":
        return word == 0  # the parser was given *if* in its place
    verb = word if deps[word] not in _AUXILIARIES else sentence.heads[word]
    if deps[verb] not in ("advcl", "ccomp") or "?" in sentence.words:
        return False
    below = [verb, *(child for child in children[verb] if deps[child] in ("ccomp", "xcomp"))]
    subjects = [child for over in below for child in children[over] if deps[child] in SUBJECTS]
    opened = any(deps[child] == "mark" or sentence.tags[child] in _WH for child in children[verb])
    return bool(subjects) and min(subjects) > word and not opened


def correlated(sentence: Sentence, matches: Sequence[Match]) -> list[Match]:
    """The two halves of "the more …, the more …"; none where *the* is the article ("the older boy")."""
    words = sentence.words
    halves = [
        match
        for match in matches
        if match.operator.kind == "correlative"
        and sentence.tags[match.end] in ("JJR", "RBR")
        and (match.start == 0 or words[match.start - 1] in (",", "and", "but"))
    ]
    paired = len(halves) == 2 and "," in words[halves[0].end : halves[1].start]
    return halves if paired else []
