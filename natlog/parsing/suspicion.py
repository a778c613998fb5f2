"""How far a finished parse is to be trusted: marks of a reading that English hardly allows."""

from __future__ import annotations

from natlog.lexicon.word_lists import word_list
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.faults import FINITE

REPAIRED = 0.8
"""Confidence in a parse that a variant mended."""
DOUBTFUL = 0.4
"""Confidence in a parse whose fault no variant mended."""
SUSPICIOUS = 0.6
"""Confidence in a parse that looks whole and holds a reading that English hardly allows."""

_OF_NOUNS = frozenset({"det", "poss"})
_FREE_RELATIVES = word_list("free_relatives") | {"what"}


def trust(draft: Draft) -> float:
    """The most confidence that a parse deserves: 1, :data:`REPAIRED` or :data:`SUSPICIOUS`.

    Suspicious are two subjects before one verb ("the boy the girl sang"), a complementizer or a free relative
    on the main verb ("Whoever a girl likes sings" with *sings* a noun), a noun coordinated with another
    across a relative clause that could hold both, and a finite verb with a determiner or possessor of its own
    ("This candy costs" with *costs* the head of *this candy*).
    """
    if _is_suspicious(draft):
        return SUSPICIOUS
    return REPAIRED if draft.repairs else 1.0


def _is_suspicious(draft: Draft) -> bool:
    deps, heads, words = draft.deps, draft.heads, draft.words
    subjects = set()
    for index, dep in enumerate(deps):
        head = heads[index]
        if dep in SUBJECTS and dep != "expl" and index < head:
            if head in subjects:
                return True
            subjects.add(head)
        elif dep == "mark":
            if heads[head] == head and words[index].lower() == "that":
                return True
        elif (dep == "conj" and _crosses(draft, head, index)) or (
            dep in _OF_NOUNS and index < head and draft.tags[head] in FINITE
        ):
            return True
    return _opens_with_stray_relative(draft)


def _opens_with_stray_relative(draft: Draft) -> bool:
    if not draft.words or draft.words[0].lower() not in _FREE_RELATIVES or draft.words[-1] in ("?", "!"):
        return False
    head = draft.heads[0]
    return draft.heads[head] == head or draft.tags[draft.heads[head]] not in FINITE | {"VB", "VBN", "VBG"}


def _crosses(draft: Draft, noun: int, conjunct: int) -> bool:
    """Whether a relative clause with an object stands between two coordinated subjects."""
    deps, heads = draft.deps, draft.heads
    if deps[noun] not in SUBJECTS:
        return False
    return any(
        heads[index] in range(noun + 1, conjunct)
        and deps[index] == "dobj"
        and deps[heads[index]] == "relcl"
        and heads[heads[index]] == noun
        for index in range(noun + 1, conjunct)
    )
