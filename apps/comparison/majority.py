"""What most of a pair's judges say: a reference for models, which learn from it where there is no gold."""

from __future__ import annotations

from collections import Counter, defaultdict

from django.db.models import Case, CharField, Count, F, OuterRef, Q, Subquery, Value, When
from django.utils.translation import gettext as _

from apps.comparison.judges import Judges, judges_of
from apps.datasets.models import Dataset
from apps.inference.references import Reference
from measures.agreement import majority

PEOPLE = "people"


def people(dataset: Dataset) -> Reference | None:
    """The human majority among the usual judges, named with their campaigns; None where nobody has judged.
    Three queries."""
    judges = judges_of(dataset).looked_up()
    if not judges.campaigns or not judges.answers().exists():
        return None
    names = ", ".join(campaign.name for campaign in judges.campaigns)
    title = _("human majority (answers in %(campaigns)s)") % {"campaigns": names}
    return Reference(PEOPLE, title, _column(dataset, judges), lambda: majority_of(dataset, judges))


def _column(dataset: Dataset, judges: Judges) -> Subquery:
    """:func:`majority_of` the pair that a row's ``pair_id`` names, as a column."""
    counts = {
        f"of_{place}": Count("pk", filter=Q(answer=label)) for place, label in enumerate(dataset.labels)
    }
    most = [
        When(**{f"of_{place}__gt": F("given") - F(f"of_{place}")}, then=Value(label))
        for place, label in enumerate(dataset.labels)
    ]
    of_pair = judges.answers().filter(item__pair=OuterRef("pair_id")).values("item__pair")
    return Subquery(
        of_pair.annotate(given=Count("pk"), **counts)
        .annotate(said=Case(*most, default=None, output_field=CharField()))
        .values("said")
    )


def majority_of(dataset: Dataset, judges: Judges | None = None) -> dict[int, str]:
    """The label that more than half of a pair's judges give: these, or the usual ones
    (apps/comparison/judges.py). Two queries.

    *Unnatural* is an answer, so it counts in the half, but is no label. A tie has no majority.
    """
    given = (judges or judges_of(dataset)).looked_up().answers()
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
