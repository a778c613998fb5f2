"""What a file holds, counted before anything of it is stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from apps.corpora.formats.readings import RowError
from apps.datasets.models import Pair
from apps.imports.labels import suggested
from apps.imports.readers import Event, Reading, digest_of
from apps.imports.rows import LeftOut, PairRow, UnknownLabel
from apps.studies.models import Study

SHOWN = 200
SHOWN_PAIRS = 10
SHOWN_OF_LABEL = 3
SHOWN_LABELS = 20
# A file with more different genres or tags than this has a wrong column.
MOST_KINDS = 1000
BATCH = 2000


@dataclass
class Preview:
    """Counts of a file, event by event; ``known`` are pairs that the dataset has already."""

    study: Study
    dataset_name: str
    rows: int = 0
    pairs: int = 0
    twice: int = 0
    known: int = 0
    several: int = 0
    judgements: int = 0
    bad: int = 0
    left: int = 0
    errors: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, Any]] = field(default_factory=list)
    samples: list[dict[str, Any]] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    directions: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    damaged: dict[str, dict[str, Any]] = field(default_factory=dict)
    _waiting: list[str] = field(default_factory=list)

    def add(self, event: Event, reading: Reading) -> None:
        self.rows += 1
        if isinstance(event, RowError):
            self.bad += 1
            if isinstance(event, UnknownLabel) and not self._is_new_label(event.found):
                return
            if len(self.errors) < SHOWN:
                self.errors.append(
                    {
                        "row": event.number,
                        "line": event.line,
                        "column": event.column,
                        "message": event.message,
                    }
                )
        elif isinstance(event, LeftOut):
            self.left += 1
            if len(self.left_out) < SHOWN:
                self.left_out.append({"row": event.number, "line": event.line, "message": event.reason})
        else:
            self._add_pair(event, reading)

    def _is_new_label(self, found: str) -> bool:
        """Whether its row is among the first few with it, and so to be listed."""
        if found not in self.unknown and len(self.unknown) >= MOST_KINDS:
            return True
        self.unknown[found] += 1
        return self.unknown[found] <= SHOWN_OF_LABEL

    def _add_pair(self, row: PairRow, reading: Reading) -> None:
        self.pairs += 1
        digest = digest_of(row)
        if reading.occurrence(digest):
            self.twice += 1
        else:
            self._waiting.append(digest)
            if len(self._waiting) >= BATCH:
                self.settle()
        self.several += len(row.premises) > 1
        self.judgements += len(row.answers)
        self.answers.update(answer.label for answer in row.answers)
        self.labels[row.label or "none"] += 1
        self.directions[row.direction or "none"] += 1
        for counter, kinds in ((self.tags, row.tags), (self.sources, (row.source,) if row.source else ())):
            for kind in kinds:
                if kind in counter or len(counter) < MOST_KINDS:
                    counter[kind] += 1
        for damage in row.damage:
            of = self.damaged.setdefault(
                damage.column, {"cells": 0, "why": damage.why, "row": row.number, "found": []}
            )
            of["cells"] += 1
            if len(of["found"]) < 5 and damage.found not in of["found"]:
                of["found"].append(damage.found[:60])
        if len(self.samples) < SHOWN_PAIRS:
            sample = {"premises": list(row.premises), "hypothesis": row.hypothesis, "label": row.label}
            self.samples.append({**sample, "direction": row.direction, "tags": list(row.tags)})

    def settle(self) -> None:
        """Look the pairs met since the last time up in the dataset."""
        if self._waiting and self._stored.exists():
            self.known += self._stored.filter(digest__in=self._waiting).count()
        self._waiting.clear()

    @property
    def _stored(self) -> QuerySet[Pair]:
        return Pair.objects.filter(dataset__study=self.study, dataset__name=self.dataset_name)

    def stored(self) -> dict[str, Any]:
        """The counts in JSON; kinds by frequency."""
        self.settle()
        counted = ("labels", "directions", "tags", "sources", "answers")
        plain = ("rows", "pairs", "twice", "known", "several", "judgements", "bad", "left", "errors")
        return {
            **{name: getattr(self, name) for name in (*plain, "left_out", "samples", "damaged")},
            **{name: dict(getattr(self, name).most_common(100)) for name in counted},
            "new": self.pairs - self.twice - self.known,
            "unknown": [
                {"found": found, "rows": rows, "suggested": self._suggested(found)}
                for found, rows in self.unknown.most_common(SHOWN_LABELS)
            ],
        }

    def so_far(self) -> dict[str, Any]:
        """What is known of a file that is still being read: bad rows, the first of them listed."""
        return {"so_far": self.rows, "bad": self.bad, "errors": self.errors}

    def _suggested(self, found: str) -> str:
        """In a file of three labels, "no" is a contradiction."""
        if found.lower() == "no":
            return "contradiction" if self.labels["neutral"] or self.answers["neutral"] else ""
        return suggested(found)
