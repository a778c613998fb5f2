"""Where the rows of training sets come from: the study's datasets, and what rooms above offer.

A room above registers its source when Django starts: releases come from apps/releases/training_source.py.
A source's *reference* is ``kind:number``, with what else the kind needs behind another colon.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from django.utils.translation import gettext as _

from apps.datasets.models import Dataset, GoldLabel, Tag
from apps.inference.mixing import MixingError, Row
from apps.inference.references import calculus_directions, training_labels
from apps.studies.access import within
from apps.studies.models import Study


class Source(Protocol):
    """One kind of source. ``kind`` begins its references, ``title`` stands over them in lists."""

    kind: str

    @property
    def title(self) -> str: ...

    def choices(self, study: Study) -> Iterable[tuple[str, str]]:
        """References with their names."""

    def rows(self, study: Study, reference: str) -> list[Row]:
        """The labelled pairs of one of the choices; MixingError where they can't be read."""

    def dataset(self, study: Study, reference: str) -> Dataset | None:
        """The dataset that one of the choices is, or was frozen from."""


class Datasets:
    """Pairs with a gold label, or else the human majority."""

    kind = "dataset"

    @property
    def title(self) -> str:
        return _("Datasets")

    def choices(self, study: Study) -> Iterable[tuple[str, str]]:
        found = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None).order_by("name")
        return [(f"{self.kind}:{pk}", name) for pk, name in found.values_list("pk", "name")]

    def rows(self, study: Study, reference: str) -> list[Row]:
        """Five queries."""
        dataset = within(Dataset, study).get(pk=int(reference.partition(":")[2]))
        labels, directions = training_labels(dataset), calculus_directions(dataset)
        return [
            Row(
                pair.premise,
                pair.hypothesis,
                labels[pair.pk],
                pair.direction or directions.get(pair.pk, ""),
                dataset.name,
            )
            for pair in dataset.pairs.prefetch_related("premises").iterator(chunk_size=1000)
            if pair.pk in labels
        ]

    def dataset(self, study: Study, reference: str) -> Dataset | None:
        return within(Dataset, study).filter(pk=int(reference.partition(":")[2])).first()


_sources: dict[str, Source] = {}


def register(source: Source) -> None:
    """Add a kind of source; adding it twice changes nothing."""
    _sources[source.kind] = source


register(Datasets())


def choices_of(study: Study) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every reference of the study with its name, by the title of its kind. A query each kind."""
    found = [(source.title, list(source.choices(study))) for source in _sources.values()]
    return [(title, choices) for title, choices in found if choices]


def names_of(study: Study) -> dict[str, str]:
    """The names of all references of the study."""
    return {reference: name for _title, choices in choices_of(study) for reference, name in choices}


def dataset_of(study: Study, reference: str) -> Dataset | None:
    """The dataset behind a reference; None where it is not there any more."""
    source = _sources.get(reference.partition(":")[0])
    return source.dataset(study, reference) if source else None


def rows_of(study: Study, reference: str) -> list[Row]:
    """The rows of a reference; MixingError where the study has no such source any more."""
    source = _sources.get(reference.partition(":")[0])
    names = dict(source.choices(study)) if source else {}
    if source is None or reference not in names:
        raise MixingError(_("“%(name)s” is not among the study's sources.") % {"name": reference})
    return [row._replace(source=names[reference]) for row in source.rows(study, reference)]


def has_rows(study: Study, reference: str) -> bool:
    """Whether a reference has any labelled pair; MixingError as :func:`rows_of`. Most are told by one gold
    label of their dataset, so that a large one is not read for it."""
    dataset = dataset_of(study, reference)
    if dataset and GoldLabel.objects.filter(pair__dataset=dataset).exists():
        return True
    return bool(rows_of(study, reference))


def columns_of(
    study: Study, reference: str, wanted: Collection[str] = ()
) -> dict[tuple[str, str], dict[str, str]]:
    """What tells a dataset's pairs apart beside label and direction, by their two sentences: the genre (up
    to the first colon: MED's names more), each tag of the dataset (``tag NAME``), yes or no, and of the facts
    that its file tells those that are ``wanted`` (``fact NAME``), "" where it tells none of the pair. Of a
    release they are those that its dataset has now. Four queries."""
    dataset = dataset_of(study, reference)
    if dataset is None:
        return {}
    names: dict[int, set[str]] = {}
    for pair, name in Tag.objects.filter(pair__dataset=dataset).values_list("pair_id", "name"):
        names.setdefault(pair, set()).add(name.casefold())
    every = sorted(set().union(*names.values()))
    pairs = list(dataset.pairs.prefetch_related("premises").iterator(chunk_size=1000))
    facts = [name for name in set().union(*(pair.facts for pair in pairs)) if f"fact {name}" in wanted]
    return {
        (pair.premise, pair.hypothesis): {"genre": pair.genre.partition(":")[0]}
        | {f"tag {name}": "yes" if name in names.get(pair.pk, ()) else "no" for name in every}
        | {f"fact {name}": str(pair.facts.get(name, "")) for name in facts}
        for pair in pairs
    }
