"""The category algebra of combinatory categorial grammar (CCG).

A category is an atom (``S[dcl]``, ``NP``, ``N``, ``PP``, ``conj``, a punctuation mark) or a
functor (``S[dcl]\\NP``, ``(NP\\NP)/NP``) that looks for its argument to the right (``/``) or to
the left (``\\``). The notation is CCGbank's (Hockenmaier and Steedman 2007); Jigg's feature
values (``S[dcl=true]``) and feature variables (``S[X]``) are read into it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LENGTH = 1000
"""Longest category text that is read, in characters (real ones stay below 100)."""

_PIECE = re.compile(r"[()/\\]|[^\s()/\\\[\]{}]+(?:\[[^\s\[\]]*\])?")
_INDEX = re.compile(r"_\d+(?::[A-Z]+)?")


class CategoryError(ValueError):
    """A category text that doesn't follow the notation."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A basic category with its feature (``S`` and ``dcl``); no feature matches every feature."""

    name: str
    feature: str = ""

    def __str__(self) -> str:
        return f"{self.name}[{self.feature}]" if self.feature else self.name


@dataclass(frozen=True, slots=True)
class Functor:
    """A function from ``argument`` to ``result``; ``slash`` says on which side the argument stands."""

    result: Category
    slash: str
    argument: Category

    def __str__(self) -> str:
        return f"{_bracketed(self.result)}{self.slash}{_bracketed(self.argument)}"

    @property
    def is_modifier(self) -> bool:
        r"""Whether the result is the argument's category, as in ``N/N`` and ``(S\NP)\(S\NP)``."""
        return matches(self.result, self.argument)


Category = Atom | Functor


def _bracketed(category: Category) -> str:
    return f"({category})" if isinstance(category, Functor) else str(category)


@functools.lru_cache(maxsize=4096)
def parse_category(text: str) -> Category:
    r"""Read a category.

    >>> str(parse_category(r"(S[dcl=true]\NP)/NP[nb=true]"))
    '(S[dcl]\\NP)/NP[nb]'
    >>> str(parse_category("NP[conj]"))
    'NP\\NP'

    CCGbank's ``X[conj]`` (a conjunction with its right conjunct) becomes ``X\X``, which is what
    C&C and depccg print. Without brackets the slashes associate to the left.

    Raises CategoryError for anything else.
    """
    if len(text) > MAX_LENGTH:
        raise CategoryError(f"category of {len(text)} characters (at most {MAX_LENGTH})")
    bare = _INDEX.sub("", text)
    if bare.endswith("[conj]"):
        whole = parse_category(bare.removesuffix("[conj]"))
        return Functor(whole, "\\", whole)
    pieces = _PIECE.findall(bare)
    if not pieces or sum(map(len, pieces)) != len(bare):
        raise CategoryError(f"not a category: {text!r}")
    try:
        category, used = _read(pieces, 0)
    except RecursionError:
        raise CategoryError(f"category nested too deeply: {text[:40]!r}…") from None
    if used != len(pieces):
        raise CategoryError(f"not a category: {text!r} (from {''.join(pieces[used:])!r})")
    return category


def _read(pieces: list[str], at: int) -> tuple[Category, int]:
    category, at = _read_operand(pieces, at)
    while at < len(pieces) and pieces[at] in ("/", "\\"):
        slash = pieces[at]
        argument, at = _read_operand(pieces, at + 1)
        category = Functor(category, slash, argument)
    return category, at


def _read_operand(pieces: list[str], at: int) -> tuple[Category, int]:
    if at >= len(pieces) or pieces[at] in (")", "/", "\\"):
        raise CategoryError(f"not a category: {''.join(pieces)!r} (an operand is missing)")
    if pieces[at] == "(":
        category, at = _read(pieces, at + 1)
        if at >= len(pieces) or pieces[at] != ")":
            raise CategoryError(f"not a category: {''.join(pieces)!r} (a bracket is open)")
        return category, at + 1
    name, _, feature = pieces[at].partition("[")
    return Atom(name, _feature(feature.rstrip("]"))), at + 1


def _feature(text: str) -> str:
    value = text.removesuffix("=true")
    return "" if value == "X" else value


def matches(left: Category, right: Category) -> bool:
    """Whether two categories unify: the same shape, and no two different features.

    >>> matches(parse_category("NP"), parse_category("NP[nb]"))
    True
    """
    if isinstance(left, Atom) and isinstance(right, Atom):
        same_feature = not left.feature or not right.feature or left.feature == right.feature
        # CCGbank marks the noun phrase's bareness ([nb]) without making it another category
        return left.name == right.name and (same_feature or "nb" in (left.feature, right.feature))
    if isinstance(left, Functor) and isinstance(right, Functor):
        return (
            left.slash == right.slash
            and matches(left.result, right.result)
            and matches(left.argument, right.argument)
        )
    return False


def spine(category: Category) -> Iterator[Category]:
    r"""The category and its successive results: ``(S\NP)/NP``, ``S\NP``, ``S``."""
    yield category
    while isinstance(category, Functor):
        category = category.result
        yield category


def target(category: Category) -> Atom:
    """The atom that is left when every argument is supplied."""
    while isinstance(category, Functor):
        category = category.result
    return category


def is_atom(category: Category, *names: str) -> bool:
    """Whether the category is an atom of one of these names, whatever its feature."""
    return isinstance(category, Atom) and category.name in names


def is_verb_phrase(category: Category) -> bool:
    r"""Whether the category is ``S\NP``, a predicate that waits for its subject."""
    return (
        isinstance(category, Functor)
        and category.slash == "\\"
        and is_atom(category.result, "S")
        and is_atom(category.argument, "NP")
    )


def is_punctuation(category: Category) -> bool:
    """Whether the category is a punctuation mark's (C&C and depccg name brackets and quotes)."""
    if not isinstance(category, Atom):
        return False
    return category.name in ("LRB", "RRB", "LQU", "RQU") or not any(c.isalnum() for c in category.name)
