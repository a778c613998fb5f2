"""How often each judge is right (people by their majority and answer by answer, calculus, files, models)
against one label of each pair, by whatever tells pairs apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from apps.comparison.tallied import Answers
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT

LABELS = (ENTAILMENT, NON_ENTAILMENT)
#: The majority, and each answer by itself.
HUMAN, SINGLE = "human", "single"


@dataclass(frozen=True)
class Score:
    """How many of ``of`` labels are those that they are held against, such as a testbed's own."""

    right: int
    of: int

    @property
    def share(self) -> float | None:
        return self.right / self.of if self.of else None


@dataclass
class Scores:
    """Counts by value (None: all pairs) and judge; two-way."""

    pairs: Counter[str | None] = field(default_factory=Counter)
    right: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    of: Counter[tuple[str | None, str]] = field(default_factory=Counter)

    def add(
        self,
        values: Iterable[str | None],
        label: str,
        said: Mapping[str, str],
        answers: Answers,
        number: int,
    ) -> None:
        """Count so many pairs under each of these values: what judges ``said`` of them, what people's
        ``answers`` are, and the ``label`` that these are held against (what is none of ``LABELS`` can't be
        met)."""
        for value in values:
            self.pairs[value] += number
            if label not in LABELS:
                continue
            singly = answers.entailments if label == ENTAILMENT else answers.non_entailments
            self.right[value, SINGLE] += number * singly
            self.of[value, SINGLE] += number * answers.judgements
            for judge, its in said.items():
                # A pair without a majority was judged, and not rightly.
                is_judged = its in LABELS or (judge == HUMAN and answers.judgements > 0)
                self.of[value, judge] += number * is_judged
                self.right[value, judge] += number * (its == label)

    def score(self, value: str | None, judge: str) -> Score:
        return Score(self.right[value, judge], self.of[value, judge])
