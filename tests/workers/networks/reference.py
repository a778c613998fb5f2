"""The parts that the papers' equations are made of, one number at a time: slow, and written without a look at
the networks. Weights come from a network's ``state_dict``, as lists of Python's floats."""

from __future__ import annotations

from math import exp, sqrt, tanh

Vector = list[float]
Rows = list[Vector]


def weights_of(network) -> dict:
    return {name: tensor.double().tolist() for name, tensor in network.state_dict().items()}


def dot(first: Vector, second: Vector) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def cosine(first: Vector, second: Vector) -> float:
    return dot(first, second) / sqrt(dot(first, first) * dot(second, second))


def affine(weights: dict, name: str, x: Vector) -> Vector:
    bias = weights.get(f"{name}.bias", [0.0] * len(weights[f"{name}.weight"]))
    return [dot(row, x) + b for row, b in zip(weights[f"{name}.weight"], bias, strict=True)]


def relu(x: Vector) -> Vector:
    return [max(0.0, value) for value in x]


def softmax(x: Vector) -> Vector:
    powers = [exp(value) for value in x]
    return [power / sum(powers) for power in powers]


def weighted(weights: Vector, rows: Rows) -> Vector:
    return [sum(w * row[k] for w, row in zip(weights, rows, strict=True)) for k in range(len(rows[0]))]


def lstm(weights: dict, name: str, rows: Rows) -> Rows:
    """Hochreiter and Schmidhuber's, with a forget gate; the gates' rows in PyTorch's order: input, forget,
    cell, output."""
    size = len(weights[f"{name}.weight_hh_l0"][0])
    h, c = [0.0] * size, [0.0] * size
    states = []
    for x in rows:
        gates = [
            dot(weights[f"{name}.weight_ih_l0"][k], x)
            + weights[f"{name}.bias_ih_l0"][k]
            + dot(weights[f"{name}.weight_hh_l0"][k], h)
            + weights[f"{name}.bias_hh_l0"][k]
            for k in range(4 * size)
        ]
        for k in range(size):
            let_in, forget = _sigmoid(gates[k]), _sigmoid(gates[size + k])
            c[k] = forget * c[k] + let_in * tanh(gates[2 * size + k])
        h = [_sigmoid(gates[3 * size + k]) * tanh(c[k]) for k in range(size)]
        states.append(h)
    return states


def bilstm(weights: dict, name: str, rows: Rows) -> tuple[Rows, Rows]:
    """The forward states and the backward ones, each in the order of the rows."""
    return lstm(weights, f"{name}.forwards", rows), lstm(weights, f"{name}.backwards", rows[::-1])[::-1]


def joined(ahead: Rows, back: Rows) -> Rows:
    return [first + second for first, second in zip(ahead, back, strict=True)]


def _sigmoid(value: float) -> float:
    return 1 / (1 + exp(-value))
