"""Decomposable Attention against its equations (Parikh et al. 2016, section 3), one number at a time."""

from __future__ import annotations

from math import sqrt

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from tests.workers.networks.conftest import PAIRS
from tests.workers.networks.reference import affine, dot, relu, softmax, weighted, weights_of
from workers.networks.words import NOTHING


def two_layers(weights, name, x):
    return relu(affine(weights, f"{name}.4", relu(affine(weights, f"{name}.1", x))))


def represented(weights, tokens):
    rows = []
    for token in (NOTHING, *tokens):
        vector = weights["words.weight"][token]
        rows.append(affine(weights, "projection", [value / sqrt(dot(vector, vector)) for value in vector]))
    if "intra.distance" not in weights:
        return rows
    f = [two_layers(weights, "intra.attend", row) for row in rows]
    own = []
    for i in range(len(rows)):
        scores = []
        for j in range(len(rows)):
            bias = weights["intra.distance"][i - j + 10 if abs(i - j) <= 10 else 21]
            scores.append(dot(f[i], f[j]) + bias)
        own.append(rows[i] + weighted(softmax(scores), rows))
    return own


def decomposable_attention(weights, premise, hypothesis):
    a, b = represented(weights, premise), represented(weights, hypothesis)
    fa, fb = (
        [two_layers(weights, "attend", row) for row in a],
        [two_layers(weights, "attend", row) for row in b],
    )
    beta = [weighted(softmax([dot(x, y) for y in fb]), b) for x in fa]
    alpha = [weighted(softmax([dot(x, y) for x in fa]), a) for y in fb]
    v1 = [two_layers(weights, "compare", x + y) for x, y in zip(a, beta, strict=True)]
    v2 = [two_layers(weights, "compare", x + y) for x, y in zip(b, alpha, strict=True)]
    sums = [sum(column) for column in zip(*v1, strict=True)] + [
        sum(column) for column in zip(*v2, strict=True)
    ]
    return affine(weights, "output", two_layers(weights, "aggregate", sums))


@pytest.mark.parametrize("intra", [False, True])
def test_it_is_what_the_equations_say(build, intra):
    far = [("a " * 14 + "dog runs", "a dog runs")]  # farther than the distances that have a bias of their own
    network, reader = build("decomposable-attention", PAIRS + far, intra=intra)
    if intra:
        torch.nn.init.normal_(network.intra.distance)
    network.eval()
    examples = reader.examples(PAIRS + far)
    expected = [decomposable_attention(weights_of(network), e.premise, e.hypothesis) for e in examples]
    torch.testing.assert_close(network(reader.batch(examples)), torch.tensor(expected), atol=1e-5, rtol=0)


def test_the_order_of_the_words_says_nothing_without_attention_within(build):
    turned = [("dogs chase wolves", "wolves run"), ("wolves chase dogs", "run wolves")]
    network, reader = build("decomposable-attention", turned)
    network.eval()
    first, second = network(reader.batch(reader.examples(turned)))
    torch.testing.assert_close(first, second, atol=1e-6, rtol=0)
