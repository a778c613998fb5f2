"""The pairs that a number of the dashboard counts: the address of their list (apps/curation/filters.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from apps.comparison.judges import Judges
from apps.comparison.scores import HUMAN, SINGLE
from apps.curation.conditions import (
    ADJUDICATED,
    BETWEEN,
    CALCULUS,
    FILE,
    MODEL,
    NO_TWINS,
    OF_CROWD,
    OF_OTHERS,
    OF_PAPERS,
    OTHER_MODEL,
)
from apps.curation.conditions import HUMAN as PEOPLE
from apps.curation.filters import LONGEST_WORD
from apps.curation.model_filters import SAYING
from apps.dashboard import breakdown
from apps.dashboard.composition import CROWD, OTHER, PAPER, Composition
from apps.dashboard.selectors import Comparison
from apps.datasets.models import Dataset

#: References (apps/dashboard/hard_pairs.py) as the list calls them.
COLUMNS = {"file": FILE, "human": PEOPLE, "calculus": CALCULUS, "adjudicated": ADJUDICATED}
_ORIGINS = {CROWD: OF_CROWD, PAPER: OF_PAPERS, OTHER: OF_OTHERS}
# What the list's filter on a fact's value takes, without the quotes.
_LONGEST = 500


def pairs_address(dataset: Dataset, judges: Judges, **filters: Any) -> str:
    """The list of these pairs, with the same answers read; no twins."""
    said = {"campaigns": judges.address} if judges.address else {}
    address = reverse("curation:dataset", args=[dataset.study.slug, dataset.pk])
    return f"{address}?{urlencode({**said, 'origin': NO_TWINS, **filters})}"


@dataclass(frozen=True)
class CompositionAddresses:
    """Of the pairs that a composition counts; "" where it counts twins, which have the labels of others."""

    dataset: Dataset
    judges: Judges
    found: Composition

    def of(self, place: str | None, label: str = "", origin: str = "") -> str:
        """Those of a direction (None: all), with a label and an origin ("": any)."""
        if self.found.twins:
            return ""
        column = COLUMNS[self.found.labels]
        said = {column: label} if label else {"labelled": column}
        if place is not None:
            said["direction"] = place or "none"
        if origin:
            said["origin"] = _ORIGINS[origin]
        return pairs_address(self.dataset, self.judges, **said)


@dataclass(frozen=True)
class BreakdownAddresses:
    """Of the pairs in a breakdown ``by`` something that have the ``reference``'s label; ``tags`` are the
    dataset's, ``runs`` the numbers of runs by their keys. A value of None is all of them; "" where no filter
    comes to it."""

    dataset: Dataset
    judges: Judges
    by: str
    reference: str
    tags: Sequence[str]
    runs: Mapping[str, int]

    def of(self, value: str | None) -> str:
        """The pairs of a value."""
        return self._address(value)

    def labels(self, value: str | None, judge: str) -> str:
        """Those of them that the judge labels; of answers one by one there is no list."""
        if judge == SINGLE:
            return ""
        if judge == HUMAN:
            return self._address(value, judgements_from=1)
        return self._address(value, (self._column(judge),), **self._run(judge))

    def right(self, value: str | None, judge: str) -> str:
        """Those of them on which the judge says what the reference says."""
        if judge == SINGLE:
            return ""
        both = {COLUMNS[self.reference], self._column(judge)}
        alike = next((name for name, columns in BETWEEN.items() if {*columns} == both), None)
        return self._address(value, alike=alike, **self._run(judge)) if alike else ""

    def _column(self, judge: str) -> str:
        return MODEL if judge in self.runs else COLUMNS[judge]

    def _run(self, judge: str) -> dict[str, Any]:
        return {"run": self.runs[judge]} if judge in self.runs else {}

    def _address(self, value: str | None, columns: Sequence[str] = (), **filters: Any) -> str:
        if value is not None and len(value) > _LONGEST:
            return ""
        labelled = [COLUMNS[self.reference], *columns]
        said: dict[str, Any] = {}
        if self.by == breakdown.MATCHES:
            labelled.append(CALCULUS)
            said["judgements_from"] = 1
        said["labelled"] = ",".join(dict.fromkeys(labelled))
        said |= _of_value(self.by, value, self.tags) | filters
        return pairs_address(self.dataset, self.judges, **said)


def _of_value(by: str, value: str | None, tags: Iterable[str]) -> dict[str, Any]:
    if by.startswith(breakdown.FACT):
        name = {"fact": by.removeprefix(breakdown.FACT)}
        return name if value is None else {**name, "fact_is": f'"{value}"'}
    if value is None:
        return {}
    if by == breakdown.LEXICAL:
        spelt = next((tag for tag in tags if breakdown.is_lexical(tag)), None)
        is_lexical = value == breakdown.IS_LEXICAL
        return {} if spelt is None else {"tag" if is_lexical else "without_tag": spelt}
    return {
        breakdown.DIRECTION: {"direction": value or "none"},
        breakdown.GENRE: {"genre": f'"{value}"'},
        breakdown.TAG: {"tag": value},
        breakdown.MATCHES: {"matching": value},
    }[by]


@dataclass(frozen=True)
class WordAddresses:
    """Of the pairs with a word of the hypothesis that have the ``reference``'s label."""

    dataset: Dataset
    judges: Judges
    reference: str

    def of(self, word: str, label: str = "") -> str:
        """Those with a label ("": any); "" of a word that is too long for the list's filter."""
        if len(word) > LONGEST_WORD:
            return ""
        column = COLUMNS[self.reference]
        said = {column: label} if label else {"labelled": column}
        return pairs_address(self.dataset, self.judges, hypothesis_word=word, **said)


# ---- Of judges side by side ----------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """Whose labels: people, calculus, file or a run; with its filter on the pairs' page."""

    key: str
    title: str
    labels: tuple[str, ...]
    run: int | None = None

    def filters(self, label: str) -> dict[str, Any]:
        if self.run is not None:
            return {"run": self.run, "predicted": label}
        return {"file_label" if self.key == "file" else self.key: label}


@dataclass(frozen=True)
class JudgeAddresses:
    """Of a comparison's pairs by what these judges say of them; but for :meth:`said`, at most two of them
    are models."""

    comparison: Comparison
    judges: Sequence[Source]

    def said(self, *labels: str, **filters: Any) -> str:
        """Those that have these labels, one of each judge, of however many."""
        said: dict[str, Any] = {}
        each = list(zip(self.judges, labels, strict=True))
        for judge, label in each:
            if judge.run is None:
                said |= judge.filters(label)
        for field, label in SAYING.items():
            if runs := [str(judge.run) for judge, given in each if judge.run and given == label]:
                said[field] = ",".join(runs)
        found = self.comparison
        return pairs_address(found.dataset, found.judges, **{**found.only, **said, **filters})

    def labelled(self, **filters: Any) -> str:
        """Those that have one of the two labels of every judge."""
        return self._address(labelled=",".join(map(self._column, self.judges)), **filters)

    def alike(self, one: Source, two: Source, **filters: Any) -> str:
        """Those that have the same one of both."""
        return self._address(alike=self._between(one, two), **filters)

    def alone(self, right: Source, wrong: Source, reference: Source) -> str:
        """Those to which ``right`` gives the label of the reference, and ``wrong`` the other one."""
        return self.alike(reference, right, between=self._between(reference, wrong))

    def _models(self) -> list[int]:
        return [judge.run for judge in self.judges if judge.run is not None]

    def _column(self, judge: Source) -> str:
        if judge.run is None:
            return COLUMNS[judge.key]
        return (MODEL, OTHER_MODEL)[self._models().index(judge.run)]

    def _between(self, one: Source, two: Source) -> str:
        both = {self._column(one), self._column(two)}
        return next(name for name, columns in BETWEEN.items() if {*columns} == both)

    def _address(self, **filters: Any) -> str:
        found = self.comparison
        runs = dict(zip(("run", "other_run"), self._models(), strict=False))
        return pairs_address(found.dataset, found.judges, **{**found.only, **filters, **runs})
