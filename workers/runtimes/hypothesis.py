"""The model that reads the hypothesis alone, at work: a dot product and a softmax over stored weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from apps.inference.learnt_files import LearntFileError, Weights, weights_load
from natlog.tokens import words_of
from workers.runtimes.learnt import softmax
from workers.runtimes.runtime import Output, Unavailable


def features_of(hypothesis: str) -> frozenset[str]:
    """The words of a hypothesis, and its neighbouring words, with where it begins and ends.

    >>> sorted(features_of("Dogs bark."))
    ['<s> dogs', 'bark', 'bark </s>', 'dogs', 'dogs bark']
    """
    words = words_of(hypothesis)
    return frozenset(words) | {" ".join(two) for two in pairwise(["<s>", *words, "</s>"])}


@dataclass(frozen=True)
class HypothesisAlone:
    """``weights.features`` are words and neighbouring words; the premise is never looked at."""

    weights: Weights
    chunk: int = 1000

    @cached_property
    def _rows(self) -> dict[str, tuple[float, ...]]:
        """The weights of each feature, one a label."""
        return dict(zip(self.weights.features, zip(*self.weights.coefficients, strict=True), strict=True))

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        return [self._output(hypothesis) for _premise, hypothesis in pairs]

    def _output(self, hypothesis: str) -> Output:
        found = [self._rows[feature] for feature in sorted(features_of(hypothesis)) if feature in self._rows]
        logits = [sum(column) for column in zip(self.weights.intercepts, *found, strict=True)]
        scores = dict(zip(self.weights.labels, softmax(logits), strict=True))
        return Output(max(scores, key=lambda label: scores[label]), scores)


def load(config: Mapping[str, Any], fingerprint: str) -> HypothesisAlone:
    try:
        return HypothesisAlone(weights_load(fingerprint))
    except LearntFileError as error:
        raise Unavailable(str(error)) from error
