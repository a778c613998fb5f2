"""Word overlap: entailment where the premise has enough of the hypothesis' words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workers.runtimes import features
from workers.runtimes.runtime import Output


@dataclass(frozen=True)
class Overlap:
    """``threshold`` is the least share of the hypothesis' words that makes an entailment. As a
    probability of one, the threshold stands at one half, no word at 0, all of them at 1."""

    threshold: float
    chunk: int = 500

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        return [self._output(features.overlap(*pair)) for pair in pairs]

    def _output(self, share: float) -> Output:
        above = share >= self.threshold
        room = 1 - self.threshold if above else self.threshold
        probable = 0.5 + 0.5 * (share - self.threshold) / room if room else 1.0
        label = "entailment" if above else "non-entailment"
        return Output(label, {"entailment": probable, "non-entailment": 1 - probable})


def load(config: Mapping[str, Any], fingerprint: str) -> Overlap:
    return Overlap(float(config["threshold"]))
