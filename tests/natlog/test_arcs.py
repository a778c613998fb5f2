"""The arcs of a parse: one way up, one way down, and neither takes more steps than there are words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import natlog
from natlog.arcs import DEEPEST, dependents, dominates, downward, forest, upward

any_heads = st.integers(0, 12).flatmap(
    lambda size: st.lists(st.integers(-2, size + 1), min_size=size, max_size=size)
)
"""Governors of every kind: in circles, with several roots or none, outside the sentence."""


@given(any_heads)
def test_every_walk_is_as_long_as_the_sentence_at_most(heads: list[int]) -> None:
    children = dependents(heads)
    for token in range(len(heads)):
        assert len(list(upward(heads, token))) <= len(heads)
        below = list(downward(children, token))
        assert len(below) == len(set(below))


@given(any_heads)
@example([1, 0])
@example([1, 2, 0])
@example([0, 2, 1, 2])
def test_a_forest_keeps_every_arc_but_those_that_leave_it_or_close_a_circle(heads: list[int]) -> None:
    sound = forest(heads)
    for token, (given_, kept) in enumerate(zip(heads, sound, strict=True)):
        assert kept in (given_, token)
        *_, root = upward(sound, token)
        assert sound[root] == root
    children = dependents(sound)
    roots = [token for token, head in enumerate(sound) if head == token]
    assert sorted(below for root in roots for below in downward(children, root)) == list(range(len(heads)))


@given(any_heads)
def test_a_forest_stays_as_it_is(heads: list[int]) -> None:
    assert forest(forest(heads)) == forest(heads)


@pytest.mark.parametrize(
    ("heads", "token", "walk"),
    [
        ([1, 2, 2], 0, [0, 1, 2]),
        ([1, 2, 0], 0, [0, 1, 2]),
        ([1, 9], 0, [0, 1]),
        ([-1], 0, [0]),
    ],
    ids=["to the root", "once round a circle", "out of the sentence", "no governor"],
)
def test_the_way_up(heads: list[int], token: int, walk: list[int]) -> None:
    assert list(upward(heads, token)) == walk


def test_the_way_down_goes_left_to_right_below_each_governor() -> None:
    assert list(downward(dependents([1, 1, 1, 2]), 1)) == [1, 0, 2, 3]


def test_one_token_dominates_itself_and_what_is_below_it() -> None:
    assert dominates([1, 2, 2], 2, 0) and dominates([1, 2, 2], 1, 1)
    assert not dominates([1, 2, 2], 0, 2)


@pytest.mark.parametrize(("longer", "flat"), [(0, False), (1, True)])
def test_a_parse_deeper_than_any_sentence_s_hangs_on_its_first_word(longer: int, flat: bool) -> None:
    heads = [max(index - 1, 0) for index in range(DEEPEST + 1 + longer)]
    assert (forest(heads) == [0] * len(heads)) is flat


_WALKS = frozenset({"arcs.py", "tree.py", "parsing/ccg/parts.py", "parsing/ccg/elements.py"})
"""The modules that define a walk: along arcs, constituents, a derivation's parts, an XML file's elements."""
_WAYS = frozenset({"head", "heads", "parent", "children", "functor", "argument"})


def test_no_loop_elsewhere_finds_its_own_way_up_or_down() -> None:
    root = Path(natlog.__file__).parent
    found = [
        f"{path.relative_to(root)}:{loop.lineno}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).as_posix() not in _WALKS
        for loop in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(loop, ast.While) and any(map(_leads_on, ast.walk(loop)))
    ]
    assert not found, "walk by natlog.arcs (or Node.walk, Part.ascend, Part.descend) instead"


def _leads_on(node: ast.AST) -> bool:
    """Whether an expression is ``heads``, ``x.heads``, ``x.parent``, …"""
    return (isinstance(node, ast.Attribute) and node.attr in _WAYS) or (
        isinstance(node, ast.Name) and node.id == "heads"
    )
