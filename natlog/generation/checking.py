"""From a change to two pairs, one in each direction; and an independent look at both.

A pair's label comes from the sign of the place in its premise and from what the change does there. The
calculus then reads both sentences without being told of the change. Where it comes to another label or
direction, or its parse of the changed sentence is another one, there is no pair, and the reason is kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from natlog.generation.change import Change, MadePair, Operation, Rejected
from natlog.generation.structure import Structure
from natlog.tree import Marking, SentenceKind

if TYPE_CHECKING:
    from natlog.calculus import Labeller, Verdict

SENTENCE = "the changed text is no statement"
PARSE = "the unchanged words are parsed otherwise in the changed sentence"
PLACE = "the place has another polarity in the changed sentence"
UNKNOWN = "the calculus does not know how the two wordings relate"
LABEL = "the calculus comes to another label"
DIRECTION = "the calculus comes to another direction"


def pairs_of(
    structure: Structure, change: Change, changed: Marking, place: int, labeller: Labeller, seed: int
) -> list[tuple[MadePair, Verdict]] | Rejected:
    """The pair and its reverse, each with what the calculus says of it; or why there is none. ``changed`` is
    the marking of the changed sentence, ``place`` where in it the changed place begins (code points)."""
    sentence = structure.marking

    def rejected(why: str, detail: str = "") -> Rejected:
        return Rejected(
            sentence.tree.text, changed.tree.text, change.operation.value, change.kind, why, detail
        )

    if changed.tree.kind is not SentenceKind.DECLARATIVE:
        return rejected(SENTENCE)
    token = next((token for token in changed.tree.tokens if token.start == place), None)
    if token is None or not _is_parsed_alike(sentence, change, changed):
        return rejected(PARSE)
    back = replace(change, wider=not change.wider, polarity=changed.signs[token.index])
    if change.operation in (Operation.CONJUNCTION, Operation.DISJUNCTION):
        # A coordinated phrase has a sign of its own, which need not be its noun's; the check sees the rest.
        back = replace(back, polarity=change.polarity)
    elif back.polarity is not change.polarity:
        return rejected(PLACE, f"{change.polarity} {back.polarity}")
    made = []
    for first, second, one in ((sentence, changed, change), (changed, sentence, back)):
        verdict = labeller.label_marked(first, second)
        why = _disagreement(one, verdict)
        if why:
            return rejected(
                why, f"{one.label} ({one.polarity.direction}), but {verdict.label}: {verdict.reason}"
            )
        made.append((_pair(structure, one, first, second, labeller, seed), verdict))
    return made


def _disagreement(change: Change, verdict: Verdict) -> str:
    if not verdict.edits or not all(edit.known for edit in verdict.edits):
        return UNKNOWN
    if verdict.label != change.label:
        return LABEL
    return "" if verdict.direction == change.polarity.direction else DIRECTION


def _is_parsed_alike(sentence: Marking, change: Change, changed: Marking) -> bool:
    """Whether the words outside the change have the same part of speech and relation in both parses."""
    before, after = sentence.tree.tokens, changed.tree.tokens
    added = len(after) - len(before) + (change.end - change.start)
    if added < len(change.words):
        return False
    for token in before:
        if change.start <= token.index < change.end or token.pos == "PUNCT":
            continue
        at = token.index if token.index < change.start else token.index - (change.end - change.start) + added
        other = after[at]
        if (other.pos, other.dep) != (token.pos, token.dep):
            return False
    return True


def _pair(
    structure: Structure, change: Change, premise: Marking, hypothesis: Marking, labeller: Labeller, seed: int
) -> MadePair:
    tree = structure.tree
    is_reversed = premise is not structure.marking
    start = tree.tokens[change.start].start if change.start < len(tree.tokens) else len(tree.text)
    end = tree.tokens[change.end - 1].end if change.end > change.start else start
    return MadePair(
        premise=premise.tree.text,
        hypothesis=hypothesis.tree.text,
        label=change.label,
        direction=change.polarity.direction,
        operation=change.operation.value,
        kind=change.kind,
        is_reversed=is_reversed,
        sentence=tree.text,
        start=start,
        end=end,
        before=tree.text[start:end],
        after=" ".join(change.words),
        polarity=change.polarity.value,
        relation="⊏" if change.wider else "⊐",
        first=change.first,
        second=change.second,
        convention=structure.marking.convention,
        engine=labeller.engine,
        version=labeller.version,
        parser=tree.parser,
        seed=seed,
    )
