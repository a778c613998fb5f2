"""The arcs of a parse: one way up, one way down, and neither takes more steps than there are words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import natlog
from natlog.heads import DEEPEST, Heads

any_heads = st.integers(0, 12).flatmap(
    lambda size: st.lists(st.integers(-2, size + 1), min_size=size, max_size=size)
)
"""Governors of every kind: in circles, with several roots or none, outside the sentence."""


@given(any_heads)
def test_every_walk_is_as_long_as_the_sentence_at_most(given_: list[int]) -> None:
    heads = Heads(given_)
    for token in range(len(heads)):
        assert len(list(heads.upward(token))) <= len(heads)
        below = list(heads.subtree(token))
        assert len(below) == len(set(below))


@given(any_heads)
@example([1, 0])
@example([1, 2, 0])
@example([0, 2, 1, 2])
def test_every_arc_is_kept_but_those_that_leave_the_sentence_or_close_a_circle(given_: list[int]) -> None:
    heads = Heads(given_)
    for token, (before, kept) in enumerate(zip(given_, heads, strict=True)):
        assert kept in (before, token)
        *_, root = heads.upward(token)
        assert heads[root] == root
    below = sorted(token for root in heads.roots for token in heads.subtree(root))
    assert below == list(range(len(heads)))


@given(any_heads)
def test_heads_stay_as_they_are(given_: list[int]) -> None:
    assert Heads(Heads(given_)) == Heads(given_)
    assert Heads(given_).kept() == Heads(given_)


@given(any_heads, st.data())
def test_a_move_closes_no_circle(given_: list[int], data: st.DataObject) -> None:
    heads = Heads([0, *given_])
    token, head = (data.draw(st.integers(0, len(heads) - 1)) for _ in range(2))
    moved = heads.moved(token, head)
    if moved is None:
        assert head in heads.subtree(token)
    else:
        assert moved == Heads(moved) == (*heads[:token], head, *heads[token + 1 :])
        assert token in moved.children[head]


@pytest.mark.parametrize(
    ("heads", "token", "walk"),
    [
        ([1, 2, 2], 0, [0, 1, 2]),
        ([1, 2, 0], 1, [1, 2, 0]),
        ([1, 9], 0, [0, 1]),
        ([-1], 0, [0]),
    ],
    ids=["to the root", "once round a circle", "out of the sentence", "no governor"],
)
def test_the_way_up(heads: list[int], token: int, walk: list[int]) -> None:
    assert list(Heads(heads).upward(token)) == walk


def test_the_way_down_goes_left_to_right_below_each_governor() -> None:
    assert list(Heads([1, 1, 1, 2]).subtree(1)) == [1, 0, 2, 3]


def test_one_token_dominates_itself_and_what_is_below_it() -> None:
    heads = Heads([1, 2, 2])
    assert heads.dominates(2, 0) and heads.dominates(1, 1)
    assert not heads.dominates(0, 2)


@pytest.mark.parametrize(
    ("heads", "runs"),
    [
        ([1, 1, 1], [(0, 1), (0, 3), (2, 3)]),
        ([2, 3, 2, 3], [(0, 1), (1, 2), (2, 3), (3, 4)]),
    ],
)
def test_a_span_stops_where_an_arc_crosses(heads: list[int], runs: list[tuple[int, int]]) -> None:
    assert Heads(heads).spans() == runs


@pytest.mark.parametrize(("longer", "flat"), [(0, False), (1, True)])
def test_a_parse_deeper_than_any_sentence_s_hangs_on_its_first_word(longer: int, flat: bool) -> None:
    heads = [max(index - 1, 0) for index in range(DEEPEST + 1 + longer)]
    assert (Heads(heads).kept() == (0,) * len(heads)) is flat


_WALKS = frozenset({"heads.py", "tree.py", "parsing/ccg/parts.py", "parsing/ccg/elements.py"})
"""The modules that define a walk: along arcs, constituents, a derivation's parts, an XML file's elements."""
_APART = ("fragments", "logic")
"""Folders whose trees are no parses of anybody's text: a grammar's own, and formulas."""
_WAYS = frozenset({"head", "heads", "parent", "children", "functor", "argument"})


def test_no_loop_elsewhere_finds_its_own_way_up_or_down() -> None:
    root = Path(natlog.__file__).parent
    found = [
        f"{path.relative_to(root)}:{loop.lineno}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).as_posix() not in _WALKS and path.relative_to(root).parts[0] not in _APART
        for loop in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(loop, ast.While) and any(map(_leads_on, ast.walk(loop)))
    ]
    assert not found, "walk by natlog.heads (or Node.walk, Part.ascend, Part.descend) instead"


def _leads_on(node: ast.AST) -> bool:
    """Whether an expression is ``heads``, ``x.heads``, ``x.parent``, …"""
    return (isinstance(node, ast.Attribute) and node.attr in _WAYS) or (
        isinstance(node, ast.Name) and node.id == "heads"
    )
