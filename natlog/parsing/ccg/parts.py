"""A CCG tree taken apart for its meaning: which part of each constituent is the function.

A :class:`Part` wraps a node with its parsed category, its combinator and its parent, and answers what
polarity marking asks: where a word's own function ends, how far a noun phrase reaches, and what stands along the
spine of a clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from natlog.parsing.ccg.categories import (
    Category,
    Functor,
    is_atom,
    is_punctuation,
    is_verb_phrase,
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
        """Whether this is a type-raised noun phrase, ``T/(T\\NP)`` or ``T\\(T/NP)``."""
        return self.rule is Rule.TYPE_RAISING and self.children[0].category is not self.category

    @property
    def is_coordination(self) -> bool:
        """Whether this is ``X`` made of ``X`` and a conjunction with another ``X``."""
        if self.rule is Rule.COORDINATION:
            return True
        return len(self.children) == 2 and self.functor.conjunct is not None and self.rule is Rule.APPLICATION

    @property
    def conjunct(self) -> Part | None:
        """The right conjunct, where this is a conjunction with it."""
        part = self
        while part.rule is Rule.PUNCTUATION:
            part = part.argument
        return part.argument if part.rule is Rule.CONJUNCT else None

    def walk(self) -> Iterator[Part]:
        """This part and every part below, parents first, left to right."""
        yield self
        for child in self.children:
            yield from child.walk()


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
    """The part in which a word, as function, has got all its arguments.

    A determiner's is its noun phrase, a preposition's its prepositional phrase together with what that
    modifies, a verb's its clause.
    """
    part = leaf
    while part.parent is not None and not isinstance(part.category, type(None)):
        up = part.parent
        if up.rule in (Rule.APPLICATION, Rule.COMPOSITION, Rule.UNKNOWN) and up.functor is not part:
            break
        if up.rule in (Rule.CONJUNCT, Rule.TYPE_CHANGING, Rule.TYPE_RAISING) or part.is_nominal:
            break
        part = up
    return part


def maximal_noun_phrase(part: Part) -> Part:
    """The largest noun phrase that this noun or noun phrase is the core of.

    C&C attaches relative clauses and prepositional phrases above the determiner (``NP → NP NP\\NP``); a
    determiner restricts with them too (Hu and Moss 2018, section 4), so they belong inside.
    """
    while part.parent is not None and part.parent.is_nominal:
        up = part.parent
        is_core = len(up.children) == 1 or up.argument is part
        if not is_core or up.is_coordination or up.rule is Rule.CONJUNCT:
            break
        part = up
    return part


@dataclass(frozen=True, slots=True)
class Spine:
    """A clause laid open: its core (the verb) and its other parts, left to right.

    ``satellites`` are arguments and modifiers. A satellite of category ``S/S`` or ``S\\S`` that stands
    outside the subject is in ``outer``.
    """

    core: Part
    satellites: tuple[Part, ...]
    outer: tuple[Part, ...]
    passed: tuple[Part, ...]


def spine_of(clause: Part) -> Spine:
    """Follow the functions of a clause down to its verb (or to a coordination, which isn't opened)."""
    satellites: list[Part] = []
    outer: list[Part] = []
    passed: list[Part] = []
    part = clause
    while part.children and not part.is_coordination:
        passed.append(part)
        if len(part.children) == 1:
            if not part.children[0].is_clausal:
                break
            part = part.children[0]
            continue
        functor, argument = part.functor, part.argument
        if part.rule is Rule.CONJUNCT:
            passed.pop()
            break
        goes_on = argument if _is_outside(functor, argument) else functor
        other = functor if goes_on is argument else argument
        whole = is_atom(part.category, "S") and is_atom(goes_on.category, "S")
        (outer if whole and not is_punctuation(other.category) else satellites).append(other)
        for extra in part.children:
            if extra is not goes_on and extra is not other:
                satellites.append(extra)
        part = goes_on
    satellites.sort(key=lambda satellite: satellite.start)
    return Spine(part, tuple(satellites), tuple(outer), tuple(passed))


def _is_outside(functor: Part, argument: Part) -> bool:
    """Whether the clause's verb is to be sought in the argument: the function only modifies or raises."""
    if not argument.is_clausal:
        return False
    return functor.is_modifier or functor.is_raised or not functor.is_clausal or _raises(functor.category)


def _raises(category: Category) -> bool:
    r"""Whether the category is a raised noun phrase's, ``S/(S\NP)``, as words like *who* may have."""
    return isinstance(category, Functor) and is_verb_phrase(category.argument) and is_atom(category.result, "S")
