"""Pairs to predict by a model that is run elsewhere, with their numbers: what it says finds back by them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator

from django.db.models import QuerySet

from apps.datasets.models import Dataset, Pair
from apps.inference.models import Run
from apps.inference.pairs_left import pairs_left

COLUMNS = ("pair_id", "premise", "hypothesis")
_BATCH = 1000


def pairs_to_predict(dataset: Dataset, but: Run | None = None) -> QuerySet[Pair]:
    """The dataset's pairs in the order of their numbers, without those that the run ``but`` has predicted."""
    return pairs_left(but) if but else dataset.pairs.order_by("pk")


def as_csv(pairs: QuerySet[Pair]) -> Iterator[str]:
    """A row a pair; several premises as one text, as the models here are given them."""
    yield _line(COLUMNS)
    for pair in _read(pairs):
        yield _line((pair.pk, pair.premise, pair.hypothesis))


def as_jsonl(pairs: QuerySet[Pair]) -> Iterator[str]:
    """An object a pair, with ``premises`` as a list where there are several."""
    for pair in _read(pairs):
        premises = [premise.text for premise in pair.premises.all()]
        said = {"pair_id": pair.pk, "premise": pair.premise, "hypothesis": pair.hypothesis}
        if len(premises) > 1:
            said["premises"] = premises
        yield json.dumps(said, ensure_ascii=False) + "\n"


FORMATS: dict[str, tuple[str, Callable[[QuerySet[Pair]], Iterator[str]]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "jsonl": ("application/x-ndjson; charset=utf-8", as_jsonl),
}


def _read(pairs: QuerySet[Pair]) -> Iterator[Pair]:
    return pairs.prefetch_related("premises").iterator(chunk_size=_BATCH)


def _line(cells: tuple[object, ...]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue()
