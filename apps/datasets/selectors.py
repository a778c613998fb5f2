"""What the pages of datasets read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from apps.corpora.models import Blank
from apps.datasets.labelling import LabelKey
from apps.datasets.models import CalculusLabel, Dataset, NotRead, Pair, Tag
from apps.jobs.models import Job
from apps.studies.access import within
from apps.studies.models import Study
from apps.tallies.selectors import Found, read

DEFAULT_CONVENTION = "default"


def datasets_of(study: Study, *, archived: bool = False) -> QuerySet[Dataset]:
    """The study's datasets."""
    datasets = within(Dataset, study).filter(archived_at__isnull=not archived)
    return datasets.exclude(kind=Dataset.Kind.TESTS).order_by("name")


# ---- Sizes, kept -------------------------------------------------------------------------------

SIZES, UNLABELLED, CONTENTS = "datasets.sizes", "datasets.unlabelled", "datasets.contents"


@dataclass(frozen=True)
class Sizes:
    """A dataset's pairs (``total``), the swapped ``twins`` among them, and those that are ``unlabelled`` by
    the calculus; None while a job counts them."""

    total: int | None
    twins: int | None
    unlabelled: int | None


def sizes_of(study: Study) -> tuple[Callable[[Dataset], Sizes], Found]:
    """What gives a dataset's sizes, and what was found of the counting of them. One query, and those of what
    is kept."""
    sizes, unlabelled = read(study, SIZES), read(study, UNLABELLED)

    def of(dataset: Dataset) -> Sizes:
        total, twins = (sizes.value.get(str(dataset.pk), (0, 0))) if sizes.is_there else (None, None)
        left = unlabelled.value.get(str(dataset.pk), 0) if unlabelled.is_there else None
        return Sizes(total, twins, left)

    return of, sizes if not sizes.is_there else unlabelled


@dataclass(frozen=True)
class Contents:
    """The numbers of a dataset's pairs (``total``) and of the swapped ``twins`` among them, and the names of
    the tags that they have, in order."""

    total: int
    twins: int
    tags: list[str]


def contents_of(dataset: Dataset) -> Contents:
    """What is in a dataset, never more than a minute old."""
    return Contents(*read(dataset.study, CONTENTS, wait=True, dataset=dataset.pk).value)


def contents_counted(study: Study, arguments: Mapping[str, Any]) -> tuple[int, int, list[str]]:
    """Two queries."""
    pairs = within(Pair, study).filter(dataset=arguments["dataset"])
    found = pairs.aggregate(total=Count("pk"), twins=Count("pk", filter=Q(origin=Pair.Origin.SWAP)))
    tags = within(Tag, study).filter(pair__dataset=arguments["dataset"])
    names = sorted(tags.order_by().values_list("name", flat=True).distinct())
    return found["total"], found["twins"], names


def tag_is_there(dataset: Dataset, name: str) -> bool:
    """Whether some pair of a dataset has the tag now, in whatever case. One query."""
    return Tag.objects.filter(pair__dataset=dataset, name__iexact=name).exists()


def sizes_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    """Of each dataset: its pairs, and the twins among them. One query."""
    twins = Count("pk", filter=Q(origin=Pair.Origin.SWAP))
    rows = within(Pair, study).order_by().values_list("dataset").annotate(n=Count("pk"), twins=twins)
    return {pk: (total, twin) for pk, total, twin in rows}


def unlabelled_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[int, int]:
    """Of each dataset: the pairs without a calculus label. One query."""
    labels = CalculusLabel.objects.filter(pair=OuterRef("pk"), is_current=True)
    rows = within(Pair, study).filter(~Exists(labels)).order_by().values_list("dataset")
    return dict(rows.annotate(n=Count("pk")))


# ---- Labels ------------------------------------------------------------------------------------


def jobs_of(dataset: Dataset, kind: str) -> QuerySet[Job]:
    """The dataset's background work of one kind, newest first."""
    return Job.objects.filter(study=dataset.study, kind=kind, params__dataset=dataset.pk).select_related(
        "study"
    )


def unlabelled(dataset: Dataset) -> QuerySet[Pair]:
    """The dataset's pairs without a calculus label, each one looked for by an index."""
    labels = CalculusLabel.objects.filter(pair=OuterRef("pk"), is_current=True)
    return dataset.pairs.filter(~Exists(labels))


def convention_of(dataset: Dataset) -> str:
    """The convention to label under unless told otherwise: that of the dataset's blanks. Where pairs came
    with files it is the default one: nobody asked their writers for what ``med`` assumes."""
    if dataset.pairs.filter(origin=Pair.Origin.IMPORT).exists():
        return DEFAULT_CONVENTION
    of_blanks = Blank.objects.filter(pairs__dataset=dataset).values_list("convention")
    most = of_blanks.annotate(n=Count("pk")).order_by("-n", "convention").first()
    return most[0] if most else DEFAULT_CONVENTION


# ---- Calculus labels side by side -------------------------------------------------------------


@dataclass(frozen=True)
class LabelSet:
    """The labels that one engine, version, convention and parser gave to a dataset's pairs; how many of them
    take an unknown word to be more specific, and of how many that is not known."""

    key: LabelKey
    labels: int
    current: int
    entailments: int
    assumed: int
    assumed_not_known: int


def label_sets(dataset: Dataset) -> list[LabelSet]:
    """Every label set of the dataset, the one with most current labels first. One query."""
    rows = (
        CalculusLabel.objects.filter(pair__dataset=dataset)
        .values_list(*LabelKey._fields)
        .annotate(
            labels=Count("pk"),
            current=Count("pk", filter=Q(is_current=True)),
            entailments=Count("pk", filter=Q(label="entailment")),
            resting=Count("pk", filter=Q(assumed=True)),
            not_known=Count("pk", filter=Q(assumed=None)),
        )
        .order_by("-current", *LabelKey._fields)
    )
    return [LabelSet(LabelKey(*row[:4]), *row[4:]) for row in rows]


def not_read(dataset: Dataset) -> list[tuple[str, int]]:
    """What the calculus did not read of the dataset's pairs when it was asked last, with how many pairs, the
    commonest first. One query."""
    found = NotRead.objects.filter(pair__dataset=dataset).values_list("reason")
    return list(found.annotate(n=Count("pk")).order_by("-n", "reason"))


def label_changes(dataset: Dataset, before: LabelKey) -> QuerySet[CalculusLabel]:
    """The current labels that differ from what ``before`` had said of the same pair (as ``was``)."""
    earlier = CalculusLabel.objects.filter(pair__dataset=dataset, **before._asdict())
    current = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    return (
        current.filter(pair__calculus_labels__in=earlier)
        .annotate(was=F("pair__calculus_labels__label"), was_reason=F("pair__calculus_labels__reason"))
        .exclude(label=F("was"))
        .select_related("pair")
        .order_by("pair_id")
    )
