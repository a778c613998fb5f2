"""What of a dataset can be held against each other: two releases, two campaigns, two runs, the calculus'
labels of two versions or under two conventions; and each of these against another kind.

A side says one label of a pair, or nothing. ``key`` names it in an address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import judges_of
from apps.comparison.majority import majority_of
from apps.datasets.labels import ADJUDICATION, FILE
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel
from apps.inference.models import Prediction, Run
from apps.releases.changes import index_of
from apps.releases.models import Release

if TYPE_CHECKING:
    import numpy as np

RELEASE, CAMPAIGN, RUN, CALCULUS, GOLD = "release", "campaign", "run", "calculus", "gold"
_CHUNK = 5000
_MADE_BY = ("engine", "engine_version", "convention", "parser")
# What a release says of a pair that has no gold label.
_NONE = ("", "-")

#: A pair's number with its label.
Labels = Iterable[tuple[int, str]]


@dataclass(frozen=True)
class Said:
    """Pairs by their numbers, in order, and the label of each as its place in ``words``."""

    numbers: np.ndarray[Any, Any]
    places: np.ndarray[Any, Any]


@dataclass(frozen=True)
class Side:
    """``title`` is what people or the program called it, ``group`` what it is one of."""

    key: str
    group: str
    title: str
    read: Callable[[], Labels]

    def said(self, words: list[str]) -> Said:
        """Its labels; ones that are new are added to ``words``."""
        import numpy as np

        known = {word: place for place, word in enumerate(words)}
        numbers, places = [], []
        for number, label in self.read():
            if label in _NONE:
                continue
            if label not in known:
                known[label] = len(words)
                words.append(label)
            numbers.append(number)
            places.append(known[label])
        found = np.array(numbers, dtype="<i8")
        order = np.argsort(found, kind="stable")
        return Said(found[order], np.array(places, dtype="<u2")[order])


@dataclass(frozen=True)
class LabelsThere:
    """Which engine, version, convention and parser labelled pairs, the newest first, and which sources of
    gold labels there are."""

    calculus: list[tuple[str, str, str, str]]
    gold: list[str]


def labels_there(dataset: Dataset) -> LabelsThere:
    """Two queries, over all labels."""
    calculus = CalculusLabel.objects.filter(pair__dataset=dataset).order_by()
    gold = GoldLabel.objects.filter(pair__dataset=dataset).order_by()
    return LabelsThere(
        sorted(calculus.values_list(*_MADE_BY).distinct(), reverse=True),
        sorted(gold.values_list("source", flat=True).distinct()),
    )


def sides_of(dataset: Dataset, there: LabelsThere | None = None) -> list[Side]:
    """All that there are, those of a kind together, the newest first. Three queries, two more where it isn't
    known which labels are ``there``; no label is read."""
    there = there or labels_there(dataset)
    return [
        *_releases(dataset),
        *_campaigns(dataset),
        *_runs(dataset),
        *_calculus(dataset, there),
        *_gold(dataset, there),
    ]


def _releases(dataset: Dataset) -> list[Side]:
    found = Release.objects.filter(dataset=dataset).exclude(frozen_at=None).select_related("dataset__study")

    def read(release: Release) -> Callable[[], Labels]:
        def labels() -> Labels:
            index = index_of(release, [])
            if index is None:
                return []
            words = index.words
            return (
                (int(n), words[v]) for n, v in zip(index.numbers, index.values["gold_label"], strict=True)
            )

        return labels

    return [
        Side(f"{RELEASE}:{one.number}", _("Releases"), _("release %(n)d") % {"n": one.number}, read(one))
        for one in found
    ]


def _campaigns(dataset: Dataset) -> list[Side]:
    tasks = (Campaign.Task.VALIDATION, Campaign.Task.LIKERT)
    answered = Exists(Judgement.objects.filter(item__campaign=OuterRef("pk"), counted=True))
    found = Campaign.objects.filter(answered, dataset=dataset, task__in=tasks).order_by("-pk")

    def read(campaign: Campaign) -> Callable[[], Labels]:
        return lambda: majority_of(dataset, judges_of(dataset, [campaign.pk])).items()

    return [
        Side(f"{CAMPAIGN}:{one.pk}", _("Campaigns, by the majority"), one.name, read(one)) for one in found
    ]


def _runs(dataset: Dataset) -> list[Side]:
    found = Run.objects.filter(dataset=dataset).select_related("model").order_by("-pk")

    def read(run: Run) -> Callable[[], Labels]:
        rows = Prediction.objects.filter(run=run).order_by().values_list("pair_id", "label")
        return lambda: rows.iterator(chunk_size=_CHUNK)

    def title(run: Run) -> str:
        same = sum(other.model_id == run.model_id for other in found)
        return f"{run.model.name} ({run.fingerprint[:8]})" if same > 1 else run.model.name

    return [Side(f"{RUN}:{one.pk}", _("Runs of models"), title(one), read(one)) for one in found]


def _calculus(dataset: Dataset, there: LabelsThere) -> list[Side]:
    """One for each engine, version, convention and parser that labelled pairs."""
    labels = CalculusLabel.objects.filter(pair__dataset=dataset).order_by()

    def read(made_by: tuple[str, ...]) -> Callable[[], Labels]:
        rows = labels.filter(**dict(zip(_MADE_BY, made_by, strict=True))).values_list("pair_id", "label")
        return lambda: rows.iterator(chunk_size=_CHUNK)

    return [
        Side(
            f"{CALCULUS}:{'/'.join(made_by)}", _("Labels of the calculus"), " · ".join(made_by), read(made_by)
        )
        for made_by in there.calculus
    ]


def _gold(dataset: Dataset, there: LabelsThere) -> list[Side]:
    titles = {FILE: _("the file's labels"), ADJUDICATION: _("what was adjudicated")}
    labels = GoldLabel.objects.filter(pair__dataset=dataset).order_by()

    def read(source: str) -> Callable[[], Labels]:
        return lambda: (
            labels.filter(source=source).values_list("pair_id", "label").iterator(chunk_size=_CHUNK)
        )

    return [
        Side(f"{GOLD}:{source}", _("Gold labels"), title, read(source))
        for source, title in titles.items()
        if source in there.gold
    ]
