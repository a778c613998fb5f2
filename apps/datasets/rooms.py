"""Pairs among the rooms of a study."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext

from apps.datasets.models import Dataset, Pair
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.rooms import Contents, Room


def _pairs(study: Study) -> Contents:
    pairs = within(Pair, study).exclude(dataset__kind=Dataset.Kind.TESTS).count()
    text = ngettext("%(n)d pair", "%(n)d pairs", pairs) % {"n": pairs}
    count = within(Dataset, study).exclude(kind=Dataset.Kind.TESTS).count()
    return Contents(count, ngettext("dataset", "datasets", count), text)


PAIRS = Room(
    name="pairs",
    title=gettext_lazy("Pairs"),
    place=40,
    address="datasets:list",
    contents=_pairs,
    first=gettext_lazy("Pairs appear as annotators write hypotheses."),
    rows=lambda study: within(Dataset, study).exclude(kind=Dataset.Kind.TESTS),
    spared_by="campaigns",
)
