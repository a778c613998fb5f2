"""Constituents from governors: every token once and in order, whatever the arcs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from natlog.heads import Heads
from natlog.parsing.constituents import build_root


@st.composite
def governors(draw: st.DrawFn) -> list[int]:
    """A forest: every token hangs on one that was placed before it, in any order of the text."""
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    heads = list(range(size))
    for place, token in enumerate(order[1:], 1):
        heads[token] = draw(st.sampled_from([*order[:place], token]))
    return heads


@settings(max_examples=200, deadline=None)
@given(governors(), st.data())
def test_leaves_are_the_tokens_in_order(heads: list[int], data: st.DataObject) -> None:
    tags = [data.draw(st.sampled_from(["NN", "VBZ", "DT", "IN", "JJ", "RB", ""])) for _ in heads]
    deps = [
        data.draw(st.sampled_from(["nsubj", "dobj", "det", "conj", "cc", "punct", "mark"])) for _ in heads
    ]
    root = build_root(Heads(heads), deps, tags)
    leaves = [node.start for node in root.walk() if not node.children]
    assert leaves == list(range(len(heads)))
    for node in root.walk():
        if node.children:
            assert (node.start, node.end) == (node.children[0].start, node.children[-1].end)
            assert node.start <= node.head < node.end
