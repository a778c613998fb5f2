"""BiMPM against its equations (Wang et al. 2017, section 3), one number at a time."""

from __future__ import annotations

from math import tanh

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from tests.workers.networks.conftest import PAIRS
from tests.workers.networks.reference import affine, bilstm, cosine, weighted, weights_of
from workers.networks.bimpm import Matching


def f_m(v1, v2, w):
    return [
        cosine([a * x for a, x in zip(row, v1, strict=True)], [a * x for a, x in zip(row, v2, strict=True)])
        for row in w
    ]


def matched(weights, name, p, q, end):
    """The four strategies for each state of p against those of q, the last of which is ``end``."""
    w = {
        key: weights[f"{name}.{key}.weight"] for key in ("full", "max_pooling", "attentive", "max_attentive")
    }
    rows = []
    for h in p:
        each = [f_m(h, other, w["max_pooling"]) for other in q]
        alpha = [cosine(h, other) for other in q]
        mean = [value / sum(alpha) for value in weighted(alpha, q)]
        best = q[max(range(len(q)), key=lambda j, alpha=alpha: alpha[j])]
        rows.append(
            f_m(h, end, w["full"])
            + [max(column) for column in zip(*each, strict=True)]
            + f_m(h, mean, w["attentive"])
            + f_m(h, best, w["max_attentive"])
        )
    return rows


def aggregated(weights, p, q):
    (p_ahead, p_back), (q_ahead, q_back) = p, q
    ahead = matched(weights, "forwards", p_ahead, q_ahead, q_ahead[-1])
    back = matched(weights, "backwards", p_back, q_back, q_back[0])
    states = bilstm(weights, "aggregation", [x + y for x, y in zip(ahead, back, strict=True)])
    return states[0][-1] + states[1][0]


def bimpm(weights, premise, hypothesis):
    p = bilstm(weights, "context", [weights["words.weight"][word] for word in premise])
    q = bilstm(weights, "context", [weights["words.weight"][word] for word in hypothesis])
    ends = aggregated(weights, p, q) + aggregated(weights, q, p)
    return affine(weights, "output", [tanh(value) for value in affine(weights, "prediction", ends)])


def test_it_is_what_the_equations_say(build):
    network, reader = build("bimpm")
    network.eval()
    examples = reader.examples(PAIRS)
    expected = [bimpm(weights_of(network), e.premise, e.hypothesis) for e in examples]
    torch.testing.assert_close(network(reader.batch(examples)), torch.tensor(expected), atol=1e-5, rtol=0)


def test_matching_holds_for_states_that_point_anywhere():
    """An LSTM's states are alike; these are not, so that the weights of equation (8) may sum to less than
    zero, and a word may be unlike all others. Two states of the second sentence are masked rubbish."""
    torch.manual_seed(1)
    matching = Matching(5, 2)
    p, q, end = torch.randn(1, 30, 5), torch.randn(1, 5, 5), torch.randn(1, 5)
    mask = torch.tensor([[True, True, True, False, False]])
    weights = {f"any.{name}": rows for name, rows in weights_of(matching).items()}
    rows, others = p[0].double().tolist(), q[0, :3].double().tolist()
    cosines = [[cosine(row, other) for other in others] for row in rows]
    assert any(sum(row) < 0 for row in cosines)
    assert any(max(row) < 0 for row in cosines)
    expected = torch.tensor([matched(weights, "any", rows, others, end[0].double().tolist())])
    torch.testing.assert_close(matching(p, q, mask, end), expected, atol=1e-5, rtol=0)
