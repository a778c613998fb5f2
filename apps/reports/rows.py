"""The pairs that a report is about, read from the database or out of a release's archive."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import CharField, F, Value
from django.db.models.functions import Coalesce

from apps.comparison.judges import judges_of
from apps.comparison.pairs import compared
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset, Pair
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.storage import member_opened
from apps.reports.models import BalanceReport

# A report looks at so many pairs at most, the first ones; it says so where there are more.
MOST_PAIRS = 200_000
BATCH = 2000
# The one part of a dataset that has no splits.
WHOLE = ""
# The part that the other dataset is, where near-duplicates are looked for in it.
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Row:
    """One pair: ``premise`` are all premises in order, ``label`` is "" where it has none. ``calculus`` and
    ``place`` are natlog's label and direction, "" where it has none; ``monotone`` whether natlog takes the
    pair for a monotonicity inference (None where that is not known)."""

    premise: str
    hypothesis: str
    label: str
    direction: str
    split: str = WHOLE
    calculus: str = ""
    place: str = ""
    monotone: bool | None = None


def rows_of(report: BalanceReport, beat: Callable[[], None]) -> list[Row]:
    """The report's pairs, at most ``MOST_PAIRS``; ``beat`` is called as the reading goes on."""
    found = dataset_rows(report.dataset, report.labels, report.campaigns)
    if report.release:
        found = release_rows(report.release)
    rows = []
    for row in islice(found, MOST_PAIRS):
        rows.append(row)
        if len(rows) % BATCH == 0:
            beat()
    return rows


def dataset_rows(dataset: Dataset, labels: str, campaigns: Sequence[int] = ()) -> Iterator[Row]:
    """A dataset's pairs but for swapped twins, with the labels that are asked for, people's out of
    ``campaigns`` (the usual ones where none is told). Three queries for each 2,000 pairs, and one."""
    last = 0
    pairs = dataset.pairs.exclude(origin=Pair.Origin.SWAP)
    judges = judges_of(dataset, campaigns)
    while numbers := list(pairs.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        found = compared(pairs.filter(pk__gt=last, pk__lte=numbers[-1]), judges).annotate(
            file_word=Coalesce(F("of_file__label"), Value(""), output_field=CharField()),
            calculus_word=Coalesce(F("current__label"), Value(""), output_field=CharField()),
            calculus_place=Coalesce(F("current__direction"), Value(""), output_field=CharField()),
            calculus_detail=F("current__detail"),
        )
        for pair in found.prefetch_related("premises"):
            yield _row(pair, labels)
        last = numbers[-1]


def _row(pair: Any, labels: str) -> Row:
    label = {
        BalanceReport.Labels.FILE.value: pair.file_word,
        BalanceReport.Labels.CALCULUS.value: pair.calculus_word,
        BalanceReport.Labels.HUMAN.value: pair.human if pair.human in (ENTAILMENT, NON_ENTAILMENT) else "",
    }[labels]
    return Row(
        premise=pair.premise,
        hypothesis=pair.hypothesis,
        label=label,
        direction=pair.place,
        calculus=pair.calculus_word,
        place=pair.calculus_place,
        monotone=(pair.calculus_detail or {}).get("monotonicity"),
    )


def release_rows(release: Release) -> Iterator[Row]:
    """A release's pairs split by split, as they were published; no query."""
    # In the options' order, training first: a stored object keeps none on PostgreSQL.
    there = release.manifest["splits"]["pairs"]
    for split in (name for name in Options.of(release.options).shares if name in there):
        with member_opened(release, f"data/{split}.jsonl") as lines:
            for line in lines:
                row = json.loads(line)
                calculus = row["calculus"] or {}
                yield Row(
                    premise=row["premise"],
                    hypothesis=row["hypothesis"],
                    label=row["gold_label"] or "",
                    direction=row["direction"],
                    split=split,
                    calculus=calculus.get("label", ""),
                    place=row["direction"] if calculus else "",
                )


def texts_of(dataset: Dataset) -> Iterator[tuple[str, str]]:
    """Premises and hypothesis of another dataset's pairs, twins left out. Two queries for each 2,000."""
    last = 0
    pairs = dataset.pairs.exclude(origin=Pair.Origin.SWAP).order_by("pk")
    while found := list(pairs.filter(pk__gt=last).prefetch_related("premises")[:BATCH]):
        for pair in found:
            yield pair.premise, pair.hypothesis
        last = found[-1].pk
