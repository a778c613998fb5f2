"""What predictions are measured against: file gold, the human majority, the calculus.

Each reference is a mapping from a pair's number to a label; a pair it says nothing of is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import gettext as _

from apps.comparison.judges import Judges, judges_of
from apps.datasets.labels import UNNATURAL
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel
from measures.agreement import majority

PEOPLE = "people"
CALCULUS = "calculus"


@dataclass(frozen=True)
class Reference:
    """``key`` names it in addresses, ``title`` on the screen."""

    key: str
    title: str
    labels: dict[int, str]


def references_of(dataset: Dataset) -> list[Reference]:
    """Every reference that has a label for at least one pair. Four queries."""
    judges = judges_of(dataset)
    found = [
        Reference(CALCULUS, _("calculus"), calculus_of(dataset)),
        Reference(PEOPLE, _people(judges), majority_of(dataset, judges)),
    ]
    found += [
        Reference(f"gold:{source}", _("gold label (%(source)s)") % {"source": source}, labels)
        for source, labels in gold_of(dataset).items()
    ]
    return [reference for reference in found if reference.labels]


def calculus_of(dataset: Dataset) -> dict[int, str]:
    """The current calculus label of each pair. One query."""
    rows = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    return dict(rows.values_list("pair_id", "label"))


def gold_of(dataset: Dataset) -> dict[str, dict[int, str]]:
    """Gold labels by their source; that a researcher calls a pair unnatural is none. One query."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    rows = GoldLabel.objects.filter(pair__dataset=dataset).exclude(label=UNNATURAL).order_by("source")
    for source, pair, label in rows.values_list("source", "pair_id", "label"):
        found[source][pair] = label
    return dict(found)


def _people(judges: Judges) -> str:
    names = ", ".join(campaign.name for campaign in judges.campaigns)
    return _("human majority (answers in %(campaigns)s)") % {"campaigns": names}


def majority_of(dataset: Dataset, judges: Judges | None = None) -> dict[int, str]:
    """The label that more than half of a pair's judges give: these, or the usual ones
    (apps/comparison/judges.py). Two queries.

    *Unnatural* is an answer, so it counts in the half, but is no label. A tie has no majority.
    """
    given = (judges or judges_of(dataset)).answers()
    rows = given.values_list("item__pair_id", "answer").annotate(number=Count("id"))
    answers: dict[int, Counter[str]] = defaultdict(Counter)
    for pair, answer, number in rows:
        if pair is not None:
            answers[pair][answer] += number
    found = {}
    for pair, counts in answers.items():
        answer = majority(counts, least=1)
        if answer is not None and answer in dataset.labels:
            found[pair] = answer
    return found


def training_labels(dataset: Dataset) -> dict[int, str]:
    """The label to learn a pair by: its gold label, or else the human majority. Three queries.

    Where sources of gold differ, the first by name decides.
    """
    found = majority_of(dataset)
    for labels in reversed(gold_of(dataset).values()):
        found.update(labels)
    return found
