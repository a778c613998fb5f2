"""What people said of the datasets that an experiment tests on (transitivity paper, Table 10)."""

from __future__ import annotations

from apps.comparison.judges import judges_of
from apps.comparison.scores import HUMAN, SINGLE
from apps.comparison.tallied import Answers, each
from apps.datasets.labels import ENTAILMENT
from apps.experiments.kept_networks import datasets_tested
from apps.experiments.measures import Scores, added
from apps.experiments.models import Split
from apps.experiments.services import cell_store
from apps.inference.mixing import Row
from apps.inference.training_sets import rows_of

#: Contestants: people by the majority of a pair's answers, and each answer by itself.
PEOPLE = (HUMAN, SINGLE)


def people_count(split: Split) -> None:
    """Put people into the table beside the networks, in each of a split's tests all of whose pairs they
    judged: by majority, where a pair without one is not right, and by single answers, of which there are more
    than pairs. The usual judges count (apps/comparison/judges.py). Three queries, and three for each dataset
    that plays a role."""
    answers: dict[tuple[str, str], Answers] = {}
    for dataset in datasets_tested(split.experiment, split.training):
        judges = judges_of(dataset).looked_up()
        if not judges.campaigns:
            continue
        pairs = {pair.pk: pair for pair in dataset.pairs.prefetch_related("premises")}
        for (number,), said in each(dataset.pairs.all(), judges, ["pk"]):
            if said.judgements:
                answers[pairs[number].premise, pairs[number].hypothesis] = said
    if not answers:
        return
    tests: dict[str, list[Row]] = {}
    for row in rows_of(split.training_set)["test"]:
        tests.setdefault(row.source, []).append(row)
    scores: dict[str, Scores] = {contestant: {} for contestant in PEOPLE}
    for test, rows in tests.items():
        if all((row.premise, row.hypothesis) in answers for row in rows):
            for row in rows:
                _add(scores, test, row, answers[row.premise, row.hypothesis])
    if scores[HUMAN]:
        for contestant, own in scores.items():
            cell_store(split=split, contestant=contestant, seed=split.seed or 1, scores=own)


def _add(scores: dict[str, Scores], test: str, row: Row, answers: Answers) -> None:
    singly = answers.entailments if row.label == ENTAILMENT else answers.non_entailments
    found = {HUMAN: [int(answers.human == row.label), 1], SINGLE: [singly, answers.judgements]}
    for contestant, counts in found.items():
        own = scores[contestant].setdefault(test, {})
        for key in ("all", row.direction) if row.direction else ("all",):
            own[key] = added([own.get(key, [0, 0]), counts])
