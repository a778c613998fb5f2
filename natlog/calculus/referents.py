"""*A dog* and *the dog*: a definite speaks of what the other sentence's indefinite brought up.

With coreference, sentences are read one after the other (de Marneffe et al. 2008): the hypothesis' definite
finds its referent in the premise, and so does a denied sentence's. What is described as two different
things is two. Under an operator that both sentences share
and that isn't ↑ an indefinite brings nothing up (Karttunen 1976), and the quantifier algebra decides.
"""

from __future__ import annotations

from dataclasses import replace

from natlog.calculus.contexts import Contexts, OperatorPair
from natlog.calculus.edits import Edit
from natlog.calculus.projection import Change
from natlog.calculus.quantifiers import quantifier
from natlog.calculus.relations import SetRelation
from natlog.tree import Polarity

_INDEFINITE = frozenset({"some", "numeral", "a few"})


def same_referents(
    contexts: Contexts, found: list[tuple[Edit, Change]]
) -> tuple[list[OperatorPair], list[tuple[Edit, Change]]]:
    """The operator pairs and edits, where an indefinite and a definite in each other's place count as one."""
    pairs, edits = list(contexts.pairs), []
    for edit, change in found:
        if change.pair is not None and _same(contexts, change):
            pairs[change.pair] = replace(pairs[change.pair], changed=False)
            note = f"*{edit.after}* speaks of the same as *{edit.before}*"
            edit = replace(edit, relation=str(SetRelation.EQUAL), note=note)
        edits.append((edit, change))
    if sum(edit.relation != str(SetRelation.EQUAL) for edit, _ in edits) > 1:
        edits = [(edit, _of_two(contexts, edit, change)) for edit, change in edits]
    return pairs, edits


def _of_two(contexts: Contexts, edit: Edit, change: Change) -> Change:
    """A man and a woman are two, so that what either does excludes nothing of the other.

    Where nothing else differs, one word is corrected, and the rest is of the same.
    """
    if edit.relation == str(SetRelation.ALTERNATION) and _describes(contexts, edit):
        return replace(change, relation=SetRelation.INDEPENDENT)
    return change


def _same(contexts: Contexts, change: Change) -> bool:
    pair = contexts.pairs[change.pair] if change.pair is not None else None
    if pair is None or pair.premise is None or pair.hypothesis is None:
        return False
    one, two = quantifier(pair.premise.surface), quantifier(pair.hypothesis.surface)
    if one is None or two is None or "the" not in (one.id, two.id):
        return False
    if not {one.id, two.id} <= _INDEFINITE | {"the"}:
        return False
    return all(_open(contexts.pairs[index], argument) for index, argument in change.place)


def _describes(contexts: Contexts, edit: Edit) -> bool:
    """Whether the words replaced say who or what it is that something is said of (and not what is said)."""
    tokens = contexts.premise.tree.tokens
    top = next((t for t in tokens[edit.start : edit.end] if t.text == edit.site), None)
    if top is None:
        return False
    noun = tokens[top.head] if top.dep == "amod" else top
    return noun.pos in ("NOUN", "PROPN") and noun.dep in ("nsubj", "nsubjpass", "dobj", "pobj")


def _open(pair: OperatorPair, argument: str) -> bool:
    """Whether what is brought up under an operator can be spoken of again outside of it."""
    if pair.either.negates:
        return pair.premise is None or pair.hypothesis is None
    return pair.effects().get(argument, Polarity.UP) is Polarity.UP
