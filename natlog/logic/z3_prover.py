"""Z3 (L. de Moura, N. Bjørner 2008), in this process. Imported when it is first asked."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import product
from typing import Any

from natlog.logic.decision import UNKNOWN, Decision, refutes
from natlog.logic.formula import (
    And,
    Atom,
    Constant,
    Equals,
    Exists,
    Expression,
    ForAll,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
)
from natlog.logic.models import FiniteModel

# A countermodel is read off by asking for each fact; with more individuals it would be no picture anyway.
_MOST_INDIVIDUALS = 12
_SIGNS: dict[type, str] = {And: "and", Or: "or", Implies: "=>", Iff: "="}
# Z3's default context belongs to the process, and threads must not share it.
_ONE_AT_A_TIME = threading.Lock()


class Z3:
    """Decides with Z3's quantifier instantiation and its search for models.

    ``work`` bounds a proof by what Z3 counts of its own steps, in a context of its own, so that neither the
    machine's speed nor what was proved before changes an answer; the seconds then only keep one from hanging.
    """

    name = "z3"

    def __init__(self, work: int | None = None) -> None:
        self.work = work

    def decide(self, premises: Sequence[Expression], conclusion: Expression, seconds: float) -> Decision:
        """Unsatisfiable with the conclusion denied: yes. Satisfiable: no, with the model where it can be
        checked.
        """
        import z3

        script = _Script()
        for formula in (*premises, Not(conclusion)):
            script.claim(formula)
        with _ONE_AT_A_TIME:
            solver = z3.SimpleSolver(ctx=z3.Context() if self.work else None)
            solver.set("timeout", max(1, round(seconds * 1000)))
            if self.work:
                solver.set("rlimit", self.work)
            solver.from_string(script.text())
            result = solver.check()
            if result == z3.unsat:
                return Decision("yes")
            if result != z3.sat:
                return UNKNOWN
            model = _finite(script, solver.model())
        return Decision("no", model if model and refutes(model, premises, conclusion) else None)


class _Script:
    """Formulas in SMT-LIB, with names of its own so that any word can be a predicate."""

    def __init__(self) -> None:
        self.predicates: dict[tuple[str, int], str] = {}
        self.constants: dict[str, str] = {}
        self._claims: list[str] = []
        self._binders = 0

    def claim(self, formula: Expression) -> None:
        """One more formula that is to be true."""
        self._claims.append(f"(assert {self._text(formula, {})})")

    def text(self) -> str:
        """Declarations and claims; the sort has at least one individual, *some*."""
        lines = ["(declare-sort U 0)", "(declare-const some U)", "(assert (= some some))"]
        lines += [f"(declare-const {name} U)" for name in self.constants.values()]
        lines += [
            f"(declare-fun {name} ({' '.join(['U'] * arity)}) Bool)"
            for (_, arity), name in self.predicates.items()
        ]
        return "\n".join(lines + self._claims)

    def _text(self, node: Any, bound: dict[str, str]) -> str:
        match node:
            case Variable(name):
                return bound[name]
            case Constant(name):
                return self.constants.setdefault(name, f"c{len(self.constants)}")
            case Atom(predicate, terms):
                key = (predicate, len(terms))
                name = self.predicates.setdefault(key, f"p{len(self.predicates)}")
                return f"({name} {' '.join(self._text(term, bound) for term in terms)})" if terms else name
            case Not(body):
                return f"(not {self._text(body, bound)})"
            case Equals(left, right):
                return f"(= {self._text(left, bound)} {self._text(right, bound)})"
            case Exists(variable, body) | ForAll(variable, body):
                word = "exists" if isinstance(node, Exists) else "forall"
                self._binders += 1
                name = f"v{self._binders}"
                return f"({word} (({name} U)) {self._text(body, {**bound, variable: name})})"
        first = self._text(node.left, bound)
        return f"({_SIGNS[type(node)]} {first} {self._text(node.right, bound)})"


def _finite(script: _Script, model: Any) -> FiniteModel | None:
    """Z3's model with its individuals numbered; None where it is too big or has no list of individuals."""
    functions = {str(function): function for function in model.decls()}
    sorts = model.sorts()
    universe = model.get_universe(sorts[0]) if sorts else None
    if not universe or len(universe) > _MOST_INDIVIDUALS:
        return None
    number = {str(one): place for place, one in enumerate(universe)}

    def value(term: Any) -> str:
        return str(model.eval(term, model_completion=True))

    facts = set()
    for (predicate, arity), name in script.predicates.items():
        if (function := functions.get(name)) is None:
            continue
        for places in product(range(len(universe)), repeat=arity):
            if value(function(*(universe[place] for place in places))) == "True":
                facts.add((predicate, places))
    names = {}
    for constant, name in script.constants.items():
        known = functions.get(name)
        names[constant] = number.get(value(known()), 0) if known is not None else 0
    return FiniteModel(len(universe), frozenset(facts), names)
