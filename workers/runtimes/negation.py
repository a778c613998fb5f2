"""The negation cue: contradiction where one of the two sentences alone has a word that negates.

What such a cue gives on crowd-written pairs is a known artifact of them (Gururangan et al. 2018, *Annotation
artifacts in natural language inference data*, section 3); a dataset should hold against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.datasets.labels import CONTRADICTION, ENTAILMENT
from natlog.tokens import NEGATIONS, words_of
from workers.runtimes.runtime import Output


@dataclass(frozen=True)
class NegationCue:
    """Contradiction (in a dataset of two labels non-entailment) for one-sided negation, else entailment."""

    chunk: int = 500

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        return [self._output(*pair) for pair in pairs]

    def _output(self, premise: str, hypothesis: str) -> Output:
        is_cue = has_negation(premise) != has_negation(hypothesis)
        label = CONTRADICTION if is_cue else ENTAILMENT
        return Output(label, {ENTAILMENT: float(not is_cue), CONTRADICTION: float(is_cue)})


def has_negation(text: str) -> bool:
    """Whether a word of natlog's list of negations is in the text.

    >>> has_negation("The dog isn't here."), has_negation("A dog is here.")
    (True, False)
    """
    return any(word in NEGATIONS for word in words_of(text))


def load(config: Mapping[str, Any], fingerprint: str) -> NegationCue:
    return NegationCue()
