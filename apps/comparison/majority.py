"""What most of a pair's judges say: a reference for models, which learn from it where there is no gold."""

from __future__ import annotations

from collections import Counter, defaultdict

from django.db.models import Count
from django.utils.translation import gettext as _

from apps.comparison.judges import Judges, judges_of
from apps.datasets.models import Dataset
from apps.inference.references import Reference
from measures.agreement import majority

PEOPLE = "people"


def people(dataset: Dataset) -> Reference:
    """The human majority among the usual judges, named with their campaigns. Two queries."""
    judges = judges_of(dataset)
    names = ", ".join(campaign.name for campaign in judges.campaigns)
    title = _("human majority (answers in %(campaigns)s)") % {"campaigns": names}
    return Reference(PEOPLE, title, majority_of(dataset, judges))


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
