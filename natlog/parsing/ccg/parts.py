"""A CCG tree taken apart for its meaning: which part of each constituent is the function.

A :class:`Part` wraps a node with its parsed category, its combinator and its parent, and answers what
polarity marking asks: where a word's own function ends, how far a noun phrase reaches, and what stands along
the spine of a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from natlog.parsing.ccg.categories import (
    Category,
    Functor,
    is_atom,
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
