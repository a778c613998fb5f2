"""Word overlap: entailment where the premise has enough of the hypothesis' words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workers.runtimes import features
from workers.runtimes.runtime import Output


@dataclass(frozen=True)
class Overlap:
    """``threshold`` is the least share of the hypothesis' words that makes an entailment."""

    threshold: float
    chunk: int = 500

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        return [self._output(features.overlap(*pair)) for pair in pairs]

    def _output(self, share: float) -> Output:
        label = "entailment" if share >= self.threshold else "non-entailment"
        return Output(label, {"entailment": share, "non-entailment": 1 - share})


def load(config: Mapping[str, Any], fingerprint: str) -> Overlap:
    return Overlap(float(config["threshold"]))
