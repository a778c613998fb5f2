"""The learnt classifier at work: a dot product and a softmax over stored weights, no library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.inference.learnt_files import LearntFileError, Weights, weights_load
from workers.runtimes.features import NAMES, features_of
from workers.runtimes.runtime import Output, Unavailable


@dataclass(frozen=True)
class Learnt:
    weights: Weights
    chunk: int = 300

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        return [self._output(features_of(*pair)) for pair in pairs]

    def _output(self, features: Sequence[float]) -> Output:
        weights = self.weights
        values = [
            (value - mean) / scale
            for value, mean, scale in zip(features, weights.means, weights.scales, strict=True)
        ]
        logits = [
            intercept + sum(w * v for w, v in zip(row, values, strict=True))
            for row, intercept in zip(weights.coefficients, weights.intercepts, strict=True)
        ]
        scores = dict(zip(weights.labels, softmax(logits), strict=True))
        return Output(max(scores, key=lambda label: scores[label]), scores)


def softmax(logits: Sequence[float]) -> list[float]:
    """Probabilities that sum to one.

    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    top = max(logits)
    powers = [math.exp(logit - top) for logit in logits]
    total = sum(powers)
    return [power / total for power in powers]


def load(config: Mapping[str, Any], fingerprint: str) -> Learnt:
    try:
        weights = weights_load(fingerprint)
    except LearntFileError as error:
        raise Unavailable(str(error)) from error
    if weights.features != NAMES:
        raise Unavailable(
            _("This model was trained on other features than this version computes; train it again.")
        )
    return Learnt(weights)
