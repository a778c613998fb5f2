"""What of a pair no rule of the calculus reads, in words."""

from __future__ import annotations

from natlog.calculus.contexts import Contexts
from natlog.calculus.edits import Edit
from natlog.calculus.projection import Change, Projection
from natlog.calculus.relations import SetRelation

_COULD_BE = (SetRelation.EQUAL, SetRelation.FORWARD, SetRelation.REVERSE)
"""What words of unknown relation could turn out to be. That they exclude each other is left out: they would
then be known as opposites or as sister kinds, which the sources give."""

_COMPLEMENTS = frozenset({"ccomp", "xcomp", "csubj", "csubjpass"})


def unread_parts(contexts: Contexts, edits: tuple[Edit, ...], relation: SetRelation) -> tuple[str, ...]:
    """What was not read: of the edits that give ``relation``, those that no rule accounts for.

    A verb that was put above words of the other sentence, or taken away from above them, is no modifier of
    them. Two descriptions that are not known to be of one thing can both be true, so that nothing
    contradicts. Where a phrase lost words and gained others, it may say the same in another way. Of sentences
    without a word in common nothing stays in which something could be dropped or added.
    """
    if edits and not _anything_stays(contexts):
        return ("what the one sentence has to do with the other",)
    governing = tuple(
        f"what *{edit.after or edit.before}* says of its clause" for edit in edits if _governs(contexts, edit)
    )
    if governing:
        return governing
    if relation.excludes:
        return tuple(edit.note for edit in edits if not edit.known)
    return () if relation.entails else _reworded(edits)


def _anything_stays(contexts: Contexts) -> bool:
    """Whether a word of the one sentence, and no mere mark, has its place in the other."""
    tokens, alignment = contexts.premise.tree.tokens, contexts.alignment
    places = (*alignment.links, *alignment.replaced)
    return any(any(sign.isalnum() for sign in tokens[place].text) for place in places)


def _governs(contexts: Contexts, edit: Edit) -> bool:
    """Whether added or dropped words have kept ones as their complement."""
    if edit.kind == "deletion":
        tokens, span, linked = contexts.premise.tree.tokens, (edit.start, edit.end), contexts.alignment.links
    elif edit.kind == "insertion":
        tokens = contexts.hypothesis.tree.tokens
        span, linked = (edit.other_start, edit.other_end), contexts.alignment.back
    else:
        return False
    if tokens[span[0]].word == ",":
        return False  # a sentence of its own, after a comma
    return any(
        token.dep in _COMPLEMENTS
        and token.index in linked
        and not span[0] <= token.index < span[1]
        and span[0] <= token.head < span[1]
        and tokens[token.head].pos in ("VERB", "AUX")
        for token in tokens
    )


def _reworded(edits: tuple[Edit, ...]) -> tuple[str, ...]:
    dropped = {edit.site: edit.before for edit in edits if edit.kind == "deletion" and edit.relation != "≡"}
    return tuple(
        f"whether *{edit.after}* says the same as *{dropped[edit.site]}*"
        for edit in edits
        if edit.kind == "insertion" and edit.relation != "≡" and edit.site in dropped
    )


def hinges(
    projection: Projection, found: list[tuple[Edit, Change]], relation: SetRelation
) -> tuple[str, ...]:
    """The unknown relations that a verdict hangs on: were they known, it could be another.

    Each of them is taken to be ≡, ⊏ and ⊐ in turn, all alike. Where the verdict is the same every time, it
    follows from what is known (nobody who sings is thereby known to eat, whatever a zorb is).
    """
    unknown = tuple(edit.note for edit, _ in found if _open(edit))
    if not unknown:
        return ()
    for assumed in _COULD_BE:
        changes = [
            Change(change.place, assumed, change.pair) if _open(edit) else change for edit, change in found
        ]
        other = projection.relation(changes)
        if (other.entails, other.excludes) != (relation.entails, relation.excludes):
            return unknown
    return ()


def _open(edit: Edit) -> bool:
    """Whether nobody says how these words relate; an embedding's vote is unsure, but a vote."""
    return not edit.known and not (edit.word is not None and edit.word.source.startswith("embedding"))
