"""How often people, calculus, file and models say entailment, word by word: what an outside norm of these
words (how far a verb suggests that its complement is so; White and Rawlins 2018) is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from apps.comparison.judges import Judges
from apps.comparison.pairs import labelled, predicted
from apps.comparison.scores import HUMAN, LABELS, SINGLE, Score
from apps.comparison.tallied import Answers, tallied
from apps.dashboard.breakdown import CALCULUS, FACT, OF_FILE, Breakdown, Line
from apps.dashboard.selectors import comparable
from apps.datasets.facts import fact_text
from apps.datasets.labels import ENTAILMENT
from apps.datasets.models import Dataset
from apps.inference.models import Run


def entailed(dataset: Dataset, fact: str, judges: Judges, runs: Sequence[Run]) -> Breakdown:
    """By the value of a fact, held against the one label *entailment*: of each judge's labels (people's
    answers one by one, and their majorities), those that are entailment. Two-way; the last line is of all
    pairs that have the fact. One query."""
    columns = {
        CALCULUS: "calculus",
        OF_FILE: "file_label",
        **{predicted(run): predicted(run) for run in runs},
    }
    pairs = labelled(comparable(dataset).filter(facts__has_key=fact), runs).annotate(value=fact_text(fact))
    count: Counter[str | None] = Counter()
    right: Counter[tuple[str | None, str]] = Counter()
    of: Counter[tuple[str | None, str]] = Counter()
    for (*labels, value), answers, number in tallied(pairs, judges, [*columns.values(), "value"]):
        said = {HUMAN: answers.human, **dict(zip(columns, labels, strict=True))}
        for under in (value, None):
            count[under] += number
            right[under, SINGLE] += number * answers.entailments
            of[under, SINGLE] += number * _labels(answers)
            for judge, label in said.items():
                right[under, judge] += number * (label == ENTAILMENT)
                of[under, judge] += number * (label in LABELS)
    names = [name for name in (SINGLE, HUMAN, *columns) if of[None, name]]
    values = sorted((value for value in count if value is not None), key=str.casefold)
    lines = [
        Line(value, count[value], {name: Score(right[value, name], of[value, name]) for name in names})
        for value in (*values, None)
    ]
    return Breakdown(f"{FACT}{fact}", ENTAILMENT, names, lines)


def _labels(answers: Answers) -> int:
    return answers.entailments + answers.non_entailments
