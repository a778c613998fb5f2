"""ESIM against its equations (Chen et al. 2017, section 3), one number at a time."""

from __future__ import annotations

from math import tanh

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from tests.workers.networks.conftest import PAIRS
from tests.workers.networks.reference import (
    affine,
    bilstm,
    dot,
    joined,
    relu,
    softmax,
    weighted,
    weights_of,
)


def composed(weights, states, aligned):
    rows = []
    for one, other in zip(states, aligned, strict=True):
        m = [
            *one,
            *other,
            *(x - y for x, y in zip(one, other, strict=True)),
            *(x * y for x, y in zip(one, other, strict=True)),
        ]
        rows.append(relu(affine(weights, "projection", m)))
    v = joined(*bilstm(weights, "composition", rows))
    return [sum(column) / len(v) for column in zip(*v, strict=True)] + [max(c) for c in zip(*v, strict=True)]


def esim(weights, premise, hypothesis):
    a = joined(*bilstm(weights, "encoding", [weights["words.weight"][word] for word in premise]))
    b = joined(*bilstm(weights, "encoding", [weights["words.weight"][word] for word in hypothesis]))
    a_aligned = [weighted(softmax([dot(x, y) for y in b]), b) for x in a]
    b_aligned = [weighted(softmax([dot(x, y) for x in a]), a) for y in b]
    v = composed(weights, a, a_aligned) + composed(weights, b, b_aligned)
    return affine(weights, "output", [tanh(value) for value in affine(weights, "classifier", v)])


def test_it_is_what_the_equations_say(build):
    network, reader = build("esim")
    network.eval()
    examples = reader.examples(PAIRS)
    expected = [esim(weights_of(network), e.premise, e.hypothesis) for e in examples]
    torch.testing.assert_close(network(reader.batch(examples)), torch.tensor(expected), atol=1e-5, rtol=0)
