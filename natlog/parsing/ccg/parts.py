"""A CCG tree taken apart for its meaning: which part of each constituent is the function.

A :class:`Part` wraps a node with its parsed category, its combinator and its parent, and answers what
polarity marking asks: where a word's own function ends, how far a noun phrase reaches, and what stands along
the spine of a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from natlog.parsing.ccg.categories import (
    Atom,
    Category,
    Functor,
    is_atom,
    is_verb_phrase,
    matches,
    parse_category,
    target,
)
from natlog.parsing.ccg.combinators import Combination, Rule, combine
from natlog.tree import Node, Tree


@dataclass(eq=False, slots=True)
class Part:
    """A node of a CCG tree with its place in the derivation. Compared by identity."""

    node: Node
    category: Category
    parent: Part | None = None
    children: list[Part] = field(default_factory=list)
    combination: Combination | None = None

    @property
    def start(self) -> int:
        return self.node.start

    @property
    def end(self) -> int:
        return self.node.end

    @property
    def functor(self) -> Part:
        """The child that is the function (the only child of a unary rule, the node itself for a word)."""
        return self.children[self.combination.functor] if self.combination else self

    @property
    def argument(self) -> Part:
        """The child that the function is applied to or composed with."""
        return self.children[self.combination.argument] if self.combination else self

    @property
    def rule(self) -> Rule | None:
        return self.combination.rule if self.combination else None

    @property
    def is_nominal(self) -> bool:
        """Whether this is a noun or a noun phrase (``N``, ``NP``)."""
        return is_atom(self.category, "N", "NP")

    @property
    def is_clausal(self) -> bool:
        """Whether this is a clause, a predicate, or a verb still waiting for its arguments (target ``S``)."""
        return target(self.category).name == "S"

    @property
    def is_modifier(self) -> bool:
        return isinstance(self.category, Functor) and self.category.is_modifier

    @property
    def is_raised(self) -> bool:
        r"""Whether this is type-raised, ``T/(T\NP)`` or ``T\(T/NP)``."""
        return self.rule is Rule.TYPE_RAISING

    @property
    def is_coordination(self) -> bool:
        """Whether this is ``X`` made of ``X`` and a conjunction with another ``X``."""
        if self.rule is Rule.COORDINATION:
            return True
        return len(self.children) == 2 and self.functor.conjunct is not None and self.rule is Rule.APPLICATION

    @property
    def conjunct(self) -> Part | None:
        """The right conjunct, where this is a conjunction with it."""
        part = next(inner for inner in self.descend(_argument) if inner.rule is not Rule.PUNCTUATION)
        return part.argument if part.rule is Rule.CONJUNCT else None

    def walk(self) -> Iterator[Part]:
        """This part and every part below, parents first, left to right."""
        pending = [self]
        while pending:
            part = pending.pop()
            yield part
            pending.extend(reversed(part.children))

    def ascend(self) -> Iterator[Part]:
        """This part, what it is a part of, … up to the whole; a tree of nodes is no deeper than its spans."""
        part: Part | None = self
        while part is not None:
            yield part
            part = part.parent

    def descend(self, way: Callable[[Part], Part | None]) -> Iterator[Part]:
        """This part and what ``way`` leads to from it, one child at a time, until it leads to no child."""
        part: Part | None = self
        while part is not None:
            yield part
            below = way(part)
            part = below if below in part.children else None


def _argument(part: Part) -> Part:
    return part.argument


def parts_of(tree: Tree) -> Part:
    """The parts of a CCG tree; the root part is returned."""
    return _part(tree.root, None)


def _part(node: Node, parent: Part | None) -> Part:
    part = Part(node, parse_category(node.label), parent)
    part.children = [_part(child, part) for child in node.children]
    if part.children:
        part.combination = combine(part.category, tuple(child.category for child in part.children))
    return part


def saturated(leaf: Part) -> Part:
    """The part in which a word, as function, has got all its arguments, up to the first noun or noun phrase.

    A determiner's is its noun phrase, a preposition's its prepositional phrase together with what that
    modifies, a verb's its clause.
    """
    for part, up in pairwise(leaf.ascend()):
        if part.is_nominal or up.rule in (Rule.CONJUNCT, Rule.TYPE_CHANGING, Rule.TYPE_RAISING):
            return part
        modified = up.argument is part and up.functor.is_modifier
        if not modified and (up.functor is part) == (up.rule is Rule.PUNCTUATION):
            return part
    return _whole(leaf)


def maximal_noun_phrase(part: Part) -> Part:
    """The largest noun phrase that this noun or noun phrase is the core of.

    C&C attaches relative clauses and prepositional phrases above the determiner (``NP → NP NP\\NP``); a
    determiner restricts with them too (Hu and Moss 2018, section 4), so they belong inside.
    """
    for core, up in pairwise(part.ascend()):
        is_core = len(up.children) == 1 or up.argument is core
        if not up.is_nominal or not is_core or up.is_coordination or up.rule is Rule.CONJUNCT:
            return core
    return _whole(part)


def _whole(part: Part) -> Part:
    *_, top = part.ascend()
    return top


@dataclass(frozen=True, slots=True)
class Spine:
    r"""A clause laid open: its verb and its other parts.

    ``core`` is the verb, or a coordination that shares what stands outside it; ``composed`` are verbs
    that were composed with it, and share its arguments. ``satellites`` are the other arguments and the
    modifiers, left to right; those of the whole clause (``S/S``, ``S\S``) are in ``outer``. ``passed`` are
    the constituents on the way from the clause to the core.
    """

    core: Part
    composed: tuple[Part, ...]
    satellites: tuple[Part, ...]
    outer: tuple[Part, ...]
    passed: tuple[Part, ...]


def spine_of(clause: Part) -> Spine:
    """Follow the functions of a clause down to its verb."""
    composed: list[Part] = []
    satellites: list[Part] = []
    outer: list[Part] = []
    passed: list[Part] = []
    core = clause
    for part, inner in pairwise(clause.descend(_towards_verb)):
        core = inner
        passed.append(part)
        for other in part.children:
            if other is inner:
                continue
            if part.rule is Rule.COMPOSITION and other is part.argument and other.is_clausal:
                composed.append(other)
            elif is_atom(part.category, "S") and is_atom(inner.category, "S") and other.is_clausal:
                outer.append(other)
            else:
                satellites.append(other)
    satellites.sort(key=lambda satellite: satellite.start)
    return Spine(core, tuple(composed), tuple(satellites), tuple(outer), tuple(passed))


def _towards_verb(part: Part) -> Part | None:
    if not part.children or part.is_coordination or part.rule is Rule.CONJUNCT:
        return None
    if len(part.children) == 1 and not part.children[0].is_clausal:
        return None
    return part.argument if _verb_is_in_argument(part.functor, part.argument) else part.functor


def _verb_is_in_argument(functor: Part, argument: Part) -> bool:
    """Whether the function only modifies, raises or punctuates, so that the verb is in its argument."""
    if not argument.is_clausal:
        return False
    return functor.is_modifier or functor.is_raised or not functor.is_clausal or _raises(functor.category)


def _raises(category: Category) -> bool:
    r"""Whether the category is a raised noun phrase's, ``S/(S\NP)``, as words like *who* may have."""
    return (
        isinstance(category, Functor)
        and is_verb_phrase(category.argument)
        and isinstance(category.result, Atom)
        and matches(category.result, target(category.argument))
    )
