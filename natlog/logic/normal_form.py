"""Negation normal form as plain tuples, what provers here work on: quick to make and to take apart.

``(FACT, predicate, keys)``, ``(NO_FACT, predicate, keys)``, ``(SAME, key, key)``, ``(DIFFERENT, key, key)``,
``(ALL_OF, parts)``, ``(ONE_OF, parts)``, ``(EACH, variable, body)``, ``(SOME, variable, body)``. A key is a
variable's name, or a constant's behind an apostrophe.
"""

from __future__ import annotations

from typing import Any

from natlog.logic.formula import And, Atom, Constant, Equals, Exists, ForAll, Iff, Implies, Not, Or

FACT, NO_FACT, SAME, DIFFERENT, ALL_OF, ONE_OF, EACH, SOME = range(8)
Node = tuple[Any, ...]


def normal_form(node: Any, sign: bool = True) -> Node:
    """The formula, or with a false ``sign`` its negation, with negations at the facts only. Raises
    :class:`TypeError` for a λ-term.
    """
    kind = type(node)
    if kind is Atom:
        return (FACT if sign else NO_FACT, node.predicate, tuple([_key(term) for term in node.terms]))
    if kind is Not:
        return normal_form(node.body, not sign)
    if kind is And or kind is Or:
        return _joined((kind is And) == sign, normal_form(node.left, sign), normal_form(node.right, sign))
    if kind is Implies:
        return _joined(not sign, normal_form(node.left, not sign), normal_form(node.right, sign))
    if kind is Exists or kind is ForAll:
        return (SOME if (kind is Exists) == sign else EACH, node.variable, normal_form(node.body, sign))
    if kind is Equals:
        return (SAME if sign else DIFFERENT, _key(node.left), _key(node.right))
    if kind is Iff:
        return _joined(
            True,
            _joined(False, normal_form(node.left, False), normal_form(node.right, sign)),
            _joined(False, normal_form(node.left, True), normal_form(node.right, not sign)),
        )
    raise TypeError(f"{kind.__name__} is no formula")


def _key(term: Any) -> str:
    return f"'{term.name}" if type(term) is Constant else str(term.name)


def _joined(both: bool, left: Node, right: Node) -> Node:
    """A conjunction (``both``) or a disjunction, with the parts of parts of the same kind."""
    kind = ALL_OF if both else ONE_OF
    first = left[1] if left[0] == kind else (left,)
    second = right[1] if right[0] == kind else (right,)
    # What is quick to look up comes first.
    return (kind, tuple(sorted((*first, *second), key=_is_compound)))


def _is_compound(node: Node) -> bool:
    return bool(node[0] >= ALL_OF)
