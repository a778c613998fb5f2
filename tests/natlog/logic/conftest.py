"""Formulas that nobody would think of, and rows of the published programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

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

# The formulas are few enough in words that two of them often have something to do with each other.
PROPERTIES = ("dog", "run")
RELATIONS = ("see",)
CONSTANTS = ("tom",)


@st.composite
def sentences(
    draw: st.DrawFn, depth: int = 4, bound: tuple[str, ...] = (), equations: bool = True
) -> Expression:
    """A first-order formula without free variables."""
    leaves = ["property", "relation"] + (["equation"] if equations else [])
    kinds = ["not", "two", "quantifier"] if depth else []
    kind = draw(st.sampled_from(leaves + kinds + kinds))
    terms = st.sampled_from([*map(Variable, bound), *map(Constant, CONSTANTS)])
    if kind == "property":
        return Atom(draw(st.sampled_from(PROPERTIES)), (draw(terms),))
    if kind == "relation":
        return Atom(draw(st.sampled_from(RELATIONS)), (draw(terms), draw(terms)))
    if kind == "equation":
        return Equals(draw(terms), draw(terms))
    if kind == "not":
        return Not(draw(sentences(depth - 1, bound, equations)))
    if kind == "two":
        connective = draw(st.sampled_from([And, Or, Implies, Iff]))
        parts = sentences(depth - 1, bound, equations)
        return connective(draw(parts), draw(parts))
    name = draw(st.sampled_from(["x", "y", "z1"]))
    body = draw(sentences(depth - 1, (*bound, name), equations))
    return draw(st.sampled_from([ForAll, Exists]))(name, body)


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a reference file, by the names in its header."""
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    return (dict(zip(lines[0], line, strict=True)) for line in lines[1:])
