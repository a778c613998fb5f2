"""Conditions that only one of two sentences has: what they condition is claimed by the other alone.

"If it rains, the match will be cancelled" says neither that the match will be cancelled nor that it won't
(Quirk et al. 1985, 15.33), whatever stands in the consequence: so nothing that is said of the consequence
without its condition follows from it or is excluded by it.
"""

from __future__ import annotations

from natlog.calculus.contexts import Contexts, Operator
from natlog.calculus.edits import Edit
from natlog.calculus.relations import SetRelation
from natlog.lexicon.veridicality import Claim, signature
from natlog.tree import Marking, Polarity

INVERTED = "inverted-if"


def unclaimed(contexts: Contexts, relation: SetRelation) -> Edit | None:
    """The edit that drops or adds a condition, where ``relation`` would make its consequence a claim."""
    dropped = [pair.premise for pair in contexts.pairs if pair.premise and not pair.hypothesis]
    added = [pair.hypothesis for pair in contexts.pairs if pair.hypothesis and not pair.premise]
    ones = [operator for operator in dropped if _conditions(operator)]
    twos = [operator for operator in added if _conditions(operator)]
    if bool(ones) == bool(twos):
        return None
    if ones and (relation.entails or relation.excludes):
        sides, linked = (contexts.premise, ones), set(contexts.alignment.links)
        linked |= set(contexts.alignment.replaced)
    elif twos and relation.excludes:
        sides, linked = (contexts.hypothesis, twos), set(contexts.alignment.back)
        linked |= set(contexts.alignment.replaced.values())
    else:
        return None
    marking, operators = sides
    for operator in operators:
        clause, consequence = _clauses(marking, operator)
        children, tokens = marking.tree.heads.children, marking.tree.tokens
        claimed = [clause, consequence, *(at for at in children[consequence] if tokens[at].dep == "conj")]
        if clause != consequence and any(at in linked for at in claimed):
            return _edit(marking, operator, clause, bool(ones))
    return None


def _conditions(operator: Operator) -> bool:
    """Whether an operator makes of the clause that it belongs to a consequence, not claimed."""
    found = signature(operator.surface.lower(), "main")
    return operator.id == INVERTED or (found is not None and found.affirmed is Claim.OPEN)


def _clauses(marking: Marking, operator: Operator) -> tuple[int, int]:
    """The verb of the condition, and that of its consequence."""
    heads = marking.tree.heads
    if operator.id == INVERTED and marking.tree.tokens[operator.tokens[0]].dep not in (
        "aux",
        "auxpass",
        "mark",
    ):
        verb = operator.tokens[0]
    else:
        verb = next(
            (at for at in heads.upward(operator.tokens[-1]) if at not in operator.tokens), operator.tokens[-1]
        )
    return verb, heads[verb]


def _edit(marking: Marking, operator: Operator, clause: int, dropped: bool) -> Edit:
    inside = sorted(marking.tree.heads.subtree(clause))
    start, end = inside[0], inside[-1] + 1
    text = marking.tree.span_text(start, end)
    ends = (start, end, 0, 0, text, "") if dropped else (0, 0, start, end, "", text)
    note = f"neither the condition nor the consequence of *{operator.surface}* is claimed"
    return Edit("clause", "clause", *ends, Polarity.FLAT, str(SetRelation.INDEPENDENT), note)
