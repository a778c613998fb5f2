"""What a parse shows of a sentence, for looking sentences up: its operators, its verbs, its depth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from natlog.tree import Marking, Tree

EMBEDDED = frozenset({"ccomp", "xcomp", "csubj", "csubjpass", "pcomp", "advcl", "acl", "relcl"})
"""The parser's relations that make a word the head of a clause inside another one."""

EMBEDS = frozenset({"ccomp", "xcomp"})
_VERBS = frozenset({"VERB", "AUX"})


@dataclass(frozen=True, slots=True)
class Profile:
    """``operators`` are the ids (``operators.toml``) of the operators at work; ``verbs`` the lemmas of the
    main verbs and of the verbs with a clause or infinitive as their complement (*know that …*, *fail
    to …*); ``depth`` how many clauses stand inside one another, the main one not counted."""

    operators: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    depth: int = 0


def profile(marking: Marking) -> Profile:
    """The profile of one marked sentence, names in the order of the alphabet."""
    chains = [*marking.token_why, *(item.why for item in marking.constituents)]
    operators = {step.operator for chain in chains for step in chain}
    return Profile(tuple(sorted(operators)), tuple(sorted(verbs(marking.tree))), depth(marking.tree))


def together(profiles: Iterable[Profile]) -> Profile:
    """The profile of several sentences at once: all their operators and verbs, the greatest depth."""
    found = list(profiles)
    return Profile(
        tuple(sorted({name for one in found for name in one.operators})),
        tuple(sorted({name for one in found for name in one.verbs})),
        max((one.depth for one in found), default=0),
    )


def verbs(tree: Tree) -> set[str]:
    """Lemmas of the main verbs, and of the verbs that take a clause."""
    heads = {*tree.heads.roots}
    heads |= {head for head, token in zip(tree.heads, tree.tokens, strict=True) if token.dep in EMBEDS}
    return {
        tree.tokens[index].lemma.lower()
        for index in heads
        if tree.tokens[index].pos in _VERBS and tree.tokens[index].lemma
    }


def depth(tree: Tree) -> int:
    """The longest chain of clauses inside one another: 0 for "Tom ran", 2 for "I know [that the dog [that
    barked] ran]"."""
    heads = tree.heads
    embedded = [token.dep in EMBEDDED for token in tree.tokens]
    return max(
        (sum(embedded[above] for above in heads.upward(index)) for index in range(len(heads))), default=0
    )
