"""The pairs that pass the filters of the pairs' page, kept (:mod:`apps.tallies`): the page counts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from apps.curation.filters import PairFilters
from apps.datasets.models import Dataset
from apps.datasets.sureness import Sureness
from apps.studies.models import Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read
from apps.tallies.shapes import as_json, of_json, packed, unpacked

#: By what is stored of pairs and said in labels; and by what people say, too: while answers come in, only
#: these change.
PAIRS, BY_ANSWERS = "curation.pairs", "curation.pairs-by-answers"


@dataclass(frozen=True)
class Passing:
    """The ``numbers`` of the pairs that pass, in order, and how sure the calculus is of those that pass the
    filters but the ones on its confidence."""

    numbers: list[int]
    sure: Sureness


def passing_of(found: Found) -> Passing:
    """No pairs until they are counted."""
    if not found.is_there:
        return Passing([], Sureness(0, [], 0, 0))
    numbers, sure = found.value
    return Passing(unpacked(numbers), of_json(Sureness, sure))


def counting(filters: PairFilters, *, wait: bool = False) -> Found:
    """What was found of the counting of the pairs that pass, all of the dataset's where a filter is
    refused."""
    is_valid = filters.is_valid()
    name = BY_ANSWERS if is_valid and filters.reads_answers else PAIRS
    said = filters.said if is_valid else {}
    dataset = filters.dataset
    at_hand = {"dataset": dataset}
    return read(dataset.study, name, wait=wait, at_hand=at_hand, dataset=dataset.pk, filters=said)


def passing_counted(study: Study, arguments: Mapping[str, Any]) -> Any:
    """The packed numbers, and the sureness, as JSON."""
    sent = QueryDict(mutable=True)
    sent.update(arguments["filters"])
    dataset = row_asked(Dataset, study, arguments["dataset"])
    tags = [*sent.getlist("tag"), *sent.getlist("without_tag")]
    filters = PairFilters(sent, dataset=dataset, tags=tags, shown=False).looked_up()
    return [packed(list(filters.numbers())), as_json(filters.sureness())]
