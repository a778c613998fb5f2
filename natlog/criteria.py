"""MED's two criteria of a monotonicity problem (Yanaka et al. 2019, section 3.2).

Problems collected from publications belong to a direction where (i) the monotonicity operator stands in
both the premise and the hypothesis, and (ii) what was replaced is in its argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from natlog.tree import Marking


@dataclass(frozen=True, slots=True)
class Criteria:
    """Ids (``operators.toml``) in the order of the alphabet: ``shared``, the operators at work in both
    sentences (criterion i), and ``over``, those of them in whose argument every changed word stands, on both
    sides (criterion ii)."""

    shared: tuple[str, ...] = ()
    over: tuple[str, ...] = ()


def criteria(premise: Marking, hypothesis: Marking) -> Criteria:
    """What of the two criteria a pair meets. Words are compared without case; the sentence's end is none."""
    shared = _at_work(premise) & _at_work(hypothesis)
    changed = [*_chains_of_changed(premise, hypothesis), *_chains_of_changed(hypothesis, premise)]
    over = shared.intersection(*changed) if changed else frozenset[str]()
    return Criteria(tuple(sorted(shared)), tuple(sorted(over)))


def _at_work(marking: Marking) -> frozenset[str]:
    return frozenset(step.operator for chain in marking.token_why for step in chain)


def _chains_of_changed(marking: Marking, other: Marking) -> list[frozenset[str]]:
    """The operators above each word that the other sentence doesn't have in that place."""
    words, others = ([token.text.lower() for token in one.tree.tokens] for one in (marking, other))
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    changed = [
        index
        for tag, start, end, _, _ in matcher.get_opcodes()
        if tag != "equal"
        for index in range(start, end)
    ]
    return [
        frozenset(step.operator for step in marking.token_why[index])
        for index in changed
        if marking.tree.tokens[index].text not in ".!?"
    ]
