"""KIM against its equations (Chen et al. 2018, section 3), one number at a time."""

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
from workers.networks.knowledge import relations


def composed(weights, states, aligned, knows):
    rows = []
    for one, other, known in zip(states, aligned, knows, strict=True):
        m = [
            *one,
            *other,
            *(x - y for x, y in zip(one, other, strict=True)),
            *(x * y for x, y in zip(one, other, strict=True)),
            *known,
        ]
        rows.append([*relu(affine(weights, "projection", m)), *known])
    v = joined(*bilstm(weights, "composition", rows))
    counts = softmax([relu(affine(weights, "pooling", known))[0] for known in knows])
    mean = [sum(column) / len(v) for column in zip(*v, strict=True)]
    return mean + [max(column) for column in zip(*v, strict=True)] + weighted(counts, v)


def kim(weights, example, knowledge_weight):
    a = joined(*bilstm(weights, "encoding", [weights["words.weight"][word] for word in example.premise]))
    b = joined(*bilstm(weights, "encoding", [weights["words.weight"][word] for word in example.hypothesis]))
    ahead = [[relations(x, y) for y in example.hypothesis_words] for x in example.premise_words]
    behind = [[relations(y, x) for x in example.premise_words] for y in example.hypothesis_words]

    def e(i, j):
        return dot(a[i], b[j]) + (knowledge_weight if any(ahead[i][j]) else 0)

    alpha = [softmax([e(i, j) for j in range(len(b))]) for i in range(len(a))]
    beta = [softmax([e(i, j) for i in range(len(a))]) for j in range(len(b))]
    v = composed(
        weights,
        a,
        [weighted(row, b) for row in alpha],
        [weighted(alpha[i], ahead[i]) for i in range(len(a))],
    ) + composed(
        weights,
        b,
        [weighted(row, a) for row in beta],
        [weighted(beta[j], behind[j]) for j in range(len(b))],
    )
    return affine(weights, "output", [tanh(value) for value in affine(weights, "classifier", v)])


@pytest.mark.parametrize("knowledge_weight", [0.5, 20.0])
def test_it_is_what_the_equations_say(build, knowledge_weight):
    network, reader = build("kim", knowledge_weight=knowledge_weight)
    network.eval()
    examples = reader.examples(PAIRS)
    expected = [kim(weights_of(network), example, knowledge_weight) for example in examples]
    torch.testing.assert_close(network(reader.batch(examples)), torch.tensor(expected), atol=1e-5, rtol=0)


def test_batches_without_knowledge_are_refused(build):
    network, _ = build("kim")
    _, plain = build("esim")
    with pytest.raises(ValueError, match="KnowledgeReader"):
        network(plain.batch(plain.examples(PAIRS)))
