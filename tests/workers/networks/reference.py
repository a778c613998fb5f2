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


def gru(weights: dict, name: str, rows: Rows, start: Vector | None = None) -> Rows:
    """Cho et al.'s; the gates' rows in PyTorch's order: reset, update, new."""
    size = len(weights[f"{name}.weight_hh_l0"][0])
    h = start or [0.0] * size
    states = []
    for x in rows:
        new = []
        for k in range(size):
            from_x = [
                dot(weights[f"{name}.weight_ih_l0"][g * size + k], x)
                + weights[f"{name}.bias_ih_l0"][g * size + k]
                for g in range(3)
            ]
            from_h = [
                dot(weights[f"{name}.weight_hh_l0"][g * size + k], h)
                + weights[f"{name}.bias_hh_l0"][g * size + k]
                for g in range(3)
            ]
            reset, update = _sigmoid(from_x[0] + from_h[0]), _sigmoid(from_x[1] + from_h[1])
            new.append((1 - update) * tanh(from_x[2] + reset * from_h[2]) + update * h[k])
        h = new
        states.append(h)
    return states


def added(first: Vector, second: Vector) -> Vector:
    return [a + b for a, b in zip(first, second, strict=True)]


def layer_norm(weights: dict, name: str, x: Vector) -> Vector:
    mean = sum(x) / len(x)
    deviation = sqrt(sum((value - mean) ** 2 for value in x) / len(x) + 1e-5)
    scaled = [(value - mean) / deviation for value in x]
    return [
        s * w + b for s, w, b in zip(scaled, weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)
    ]


def heads_attend(weights: dict, name: str, heads: int, asking: Rows, seen: list[Rows]) -> Rows:
    """Each row of ``asking`` looks at its own list of rows."""
    results = []
    for x, rows in zip(asking, seen, strict=True):
        query = affine(weights, f"{name}.queries", x)
        keys, values = (
            [affine(weights, f"{name}.{what}", row) for row in rows] for what in ("keys", "values")
        )
        width = len(query) // heads
        joined_heads: Vector = []
        for head in range(heads):
            part = slice(head * width, (head + 1) * width)
            shares = softmax([dot(query[part], key[part]) / sqrt(width) for key in keys])
            joined_heads += weighted(shares, [value[part] for value in values])
        results.append(affine(weights, f"{name}.output", joined_heads))
    return results


def waves(place: int, model: int) -> Vector:
    """Sines and cosines of a place, in turn."""
    from math import cos, sin

    angles = [place / 10_000 ** (2 * (k // 2) / model) for k in range(model)]
    return [sin(angle) if k % 2 == 0 else cos(angle) for k, angle in enumerate(angles)]
