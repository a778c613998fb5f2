"""Faults in parses, as they show.

A small parser goes wrong in few ways: it takes a verb for a noun ("every dog barks", a garden path), *like*
for a preposition, or runs a conditional and its consequence together.
"""

from __future__ import annotations

from natlog.lexicon.word_lists import word_list
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft

NO_VERB = "no finite main verb"
NO_CONSEQUENCE = "a conditional without a consequence"
NO_SUBJECT = "a consequence without a subject"
BARE_SUBJECT = "a verb read as the second half of a compound subject"
NOUN_CLAUSE = "a subordinator on a noun"
STRAY_THAT = "a complementizer without a clause"
WEIGHTS = {NO_VERB: 3, NO_CONSEQUENCE: 3, NO_SUBJECT: 3, STRAY_THAT: 2, BARE_SUBJECT: 2, NOUN_CLAUSE: 2}

FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_WH = frozenset({"WP", "WDT", "WRB", "WP$"})
_AUXILIARIES = word_list("inverting")


def faults(draft: Draft) -> tuple[str, ...]:
    """What is wrong with a parse, by the marks above; () for a parse that looks sound."""
    tags, deps, heads = draft.tags, draft.deps, draft.heads
    found = []
    if not heads:
        return ()
    root = heads.roots[0]
    if tags[root] not in FINITE and not _excused(draft, root):
        found.append(NO_VERB)
    for index, dep in enumerate(deps):
        if dep == "mark":
            if draft.words[index].lower() == "if" and len(heads) > index + 3:
                if heads[index] == root:
                    found.append(NO_CONSEQUENCE)
                elif tags[root] in FINITE and index < root and not _has_subject(draft, root):
                    found.append(NO_SUBJECT)
        elif dep == "nsubj":
            if is_plural_compound(draft, index):
                found.append(BARE_SUBJECT)
        elif dep in ("dobj", "pobj") and tags[index] == "IN":
            found.append(STRAY_THAT)
        if tags[heads[index]] in NOUNS and opens_clause(draft, index):
            found.append(NOUN_CLAUSE)
    return tuple(found)


def severity(draft: Draft) -> int:
    """The weight of a parse's faults; 0 is sound."""
    return sum(WEIGHTS[fault] for fault in faults(draft))


def has_finite_root(draft: Draft) -> bool:
    """Whether the main verb is finite, by itself or by an auxiliary."""
    return any(draft.tags[root] in FINITE or _helped(draft, root) for root in draft.heads.roots)


def is_plural_compound(draft: Draft, noun: int) -> bool:
    """Whether a singular subject is two bare nouns, the first plural: "dogs chase" in "dogs chase cats"."""
    if draft.tags[noun] != "NN" or noun == 0 or draft.deps[noun] != "nsubj":
        return False
    first = draft.words[noun - 1].lower()
    return (
        first.endswith("s")
        and not first.endswith("ss")
        and draft.deps[noun - 1] == "compound"
        and len(draft.heads.children[noun]) == 1
        and draft.heads[noun] > noun
        and bool(wordnet().lemmas(draft.words[noun].lower(), "v"))
    )


def opens_clause(draft: Draft, index: int) -> bool:
    """Whether a word opens the clause of its governor, which can be no noun then: a subordinator, or *that*
    tagged as a relative and parsed as a determiner ("cats that bark" taken for "that bark")."""
    if draft.deps[index] == "mark":
        return True
    return draft.tags[index] == "WDT" and draft.deps[index] == "det" and draft.words[index] == "that"


def _excused(draft: Draft, root: int) -> bool:
    """An infinite root that is no fault: auxiliaries make it finite, or the text is no statement."""
    tags = draft.tags
    if _helped(draft, root):
        return True
    if len(tags) < 2 or tags[0] in _WH or draft.words[-1] == "?":
        return True
    return tags[root] == "VB" and not _has_subject(draft, root)


def _has_subject(draft: Draft, verb: int) -> bool:
    return any(draft.deps[child] in SUBJECTS for child in draft.heads.children[verb])


def _helped(draft: Draft, verb: int) -> bool:
    """Whether a verb has a finite auxiliary."""
    return any(
        draft.deps[child] in ("aux", "auxpass")
        and draft.tags[child] in FINITE
        and (draft.tags[child] == "MD" or draft.lemmas[child] in _AUXILIARIES)
        for child in draft.heads.children[verb]
    )
