"""First-order formulas, and λ-terms over them: what the meaning of a sentence is made of.

Everything here is frozen, compares by structure and can be a key. Nothing is checked at construction: a tree
of these is cheap to make, and thousands of sentences a second are made of them. The notations check what
they parse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, bound by a quantifier or a λ, or free."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A name of one individual."""

    name: str


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of its arguments; without any, a proposition.

    Before β-reduction an argument may be any λ-term that reduces to a term.
    """

    predicate: str
    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Equals:
    """Two terms are the same individual."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    body: Expression


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction, inclusive."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Implies:
    """Material implication: ``left`` is the antecedent."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Iff:
    """Equivalence."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class ForAll:
    """The universal quantifier; ``variable`` is a name."""

    variable: str
    body: Expression


@dataclass(frozen=True, slots=True)
class Exists:
    """The existential quantifier; ``variable`` is a name."""

    variable: str
    body: Expression


@dataclass(frozen=True, slots=True)
class Lambda:
    """λ-abstraction; ``variable`` is a name, of an individual or of a function."""

    variable: str
    body: Expression


@dataclass(frozen=True, slots=True)
class Apply:
    """Application of a function to one argument."""

    function: Expression
    argument: Expression


Term = Variable | Constant
Formula = Atom | Equals | Not | And | Or | Implies | Iff | ForAll | Exists
Expression = (
    Variable | Constant | Atom | Equals | Not | And | Or | Implies | Iff | ForAll | Exists | Lambda | Apply
)
Binder = ForAll | Exists | Lambda
BINDERS = (ForAll, Exists, Lambda)
# Two parts each, ``left`` and ``right``.
CONNECTIVES = (And, Or, Implies, Iff)


def conjunction(parts: list[Expression]) -> Expression:
    """The parts joined by ∧, the last two first: ``a & (b & c)``. At least one part."""
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = And(part, result)
    return result


def disjunction(parts: list[Expression]) -> Expression:
    """The parts joined by ∨, the last two first. At least one part."""
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = Or(part, result)
    return result


def free_variables(expression: Expression) -> frozenset[str]:
    """The names of the variables that nothing binds."""
    if isinstance(expression, Variable):
        return frozenset((expression.name,))
    found = frozenset[str]().union(*map(free_variables, children(expression)))
    return found - {expression.variable} if isinstance(expression, BINDERS) else found


def children(expression: Expression) -> tuple[Expression, ...]:
    """The immediate parts, left to right; a variable and a constant have none."""
    match expression:
        case Atom(_, terms):
            return terms
        case Variable() | Constant():
            return ()
        case Not(body) | ForAll(_, body) | Exists(_, body) | Lambda(_, body):
            return (body,)
        case Apply(function, argument):
            return (function, argument)
    return (expression.left, expression.right)


@cache
def numbered(prefix: str, number: int) -> Variable:
    """``x3`` for 3: the variables that renaming and reduction give out."""
    return Variable(f"{prefix}{number}")


def prefix_of(kind: type, name: str) -> str:
    """What a new name for a bound variable begins with: x, or P for a function (λ over an upper-case
    name).
    """
    return "P" if kind is Lambda and name[0].isupper() else "x"


def rename(expression: Expression) -> Expression:
    """Bound variables called x1, x2, …, in the order of their binders from left to right; λ-bound functions
    P1, P2, …

    Free variables keep their names, and no bound one takes such a name.
    """
    taken: frozenset[str] = frozenset()
    while True:
        renaming = _Renaming(taken)
        result: Expression = renaming.of(expression, {})
        if renaming.free.isdisjoint(renaming.given):
            return result
        taken = frozenset(renaming.free)


class _Renaming:
    """One pass of :func:`rename`: what was given out, and the free variables met on the way."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.taken = taken
        self.free: set[str] = set()
        self.given: set[str] = set()
        self._counts = {"x": 0, "P": 0}

    def _next(self, kind: type, name: str) -> Variable:
        prefix = prefix_of(kind, name)
        while True:
            self._counts[prefix] += 1
            variable = numbered(prefix, self._counts[prefix])
            if variable.name not in self.taken:
                self.given.add(variable.name)
                return variable

    def of(self, node: Any, bound: Mapping[str, Variable]) -> Any:
        kind = type(node)
        if kind is Variable:
            found = bound.get(node.name)
            if found is None:
                self.free.add(node.name)
                return node
            return found
        if kind is Atom:
            return Atom(node.predicate, tuple([self.of(term, bound) for term in node.terms]))
        if kind is Constant:
            return node
        if kind is Not:
            return Not(self.of(node.body, bound))
        if kind in BINDERS:
            new = self._next(kind, node.variable)
            return kind(new.name, self.of(node.body, {**bound, node.variable: new}))
        if kind is Apply:
            return Apply(self.of(node.function, bound), self.of(node.argument, bound))
        return kind(self.of(node.left, bound), self.of(node.right, bound))


def alpha_equivalent(left: Expression, right: Expression) -> bool:
    """Whether the two are the same but for the names of bound variables."""
    return _alike(left, right, {}, {}, 0)


def _alike(left: Any, right: Any, ours: Mapping[str, int], theirs: Mapping[str, int], depth: int) -> bool:
    """``ours`` and ``theirs`` say at which depth a name was bound."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is Variable:
        here, there = ours.get(left.name), theirs.get(right.name)
        if here is None and there is None:
            return bool(left.name == right.name)
        return here == there
    if kind is Constant:
        return bool(left == right)
    if kind in BINDERS:
        ours, theirs = {**ours, left.variable: depth}, {**theirs, right.variable: depth}
        return _alike(left.body, right.body, ours, theirs, depth + 1)
    if kind is Atom and left.predicate != right.predicate:
        return False
    parts, others = children(left), children(right)
    return len(parts) == len(others) and all(
        _alike(part, other, ours, theirs, depth) for part, other in zip(parts, others, strict=True)
    )
