"""What a dataset is made of: type × label × where the pairs come from (MED, Table 5)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from apps.comparison.judges import Judges
from apps.comparison.pairs import labelled, two_way
from apps.comparison.tallied import tallied
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset, Direction, Pair
from apps.releases.services import SWAP

# Whose labels are counted: columns of ``compared``.
LABEL_SOURCES = {
    "file": "file_label",
    "human": "human",
    "calculus": "calculus",
    "adjudicated": "adjudicated",
}
CROWD, PAPER, OTHER = "crowd", "paper", "other"
ORIGIN_NAMES = {CROWD: _("Crowd"), PAPER: _("Paper"), OTHER: _("Other")}
LABELS = (ENTAILMENT, NON_ENTAILMENT)


@dataclass(frozen=True)
class Line:
    """``counts`` are those of ``origins`` in order."""

    place: str
    label: str
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class Composition:
    """Table 5 of a dataset: a line for each type and label, two-way. ``places`` are the sums by type;
    ``unlabelled`` pairs have no label of this source and stand in no line."""

    labels: str
    twins: bool
    origins: tuple[str, ...]
    lines: list[Line]
    places: dict[str, int]
    totals: tuple[int, ...]
    unlabelled: int

    @property
    def total(self) -> int:
        return sum(self.totals)


def origin_of(genre: str, origin: str) -> str:
    """Crowd or paper as MED's genre has it, else as the pair came to be: written by annotators, or typed in
    with its publication.

    >>> origin_of("paper:GLUE:non_monotone", "import"), origin_of("", "crowd"), origin_of("fiction", "import")
    ('paper', 'crowd', 'other')
    """
    head = genre.partition(":")[0]
    if head in (CROWD, PAPER):
        return head
    return {Pair.Origin.CROWD: CROWD, Pair.Origin.TYPED: PAPER}.get(Pair.Origin(origin), OTHER)


def composition(dataset: Dataset, judges: Judges, *, labels: str, twins: bool = False) -> Composition:
    """Counts of the dataset's pairs; with ``twins`` also of its swapped twins, whose label is their own. One
    query, three with twins."""
    counts: Counter[tuple[str, str, str]] = Counter()
    own = labelled(dataset.pairs.exclude(origin=Pair.Origin.SWAP))
    source = LABEL_SOURCES[labels]
    columns = ("place", "genre", "origin", *([source] if source != "human" else []))
    for (place, genre, origin, *label), answers, number in tallied(own, judges, columns):
        counts[place, label[0] if label else answers.human, origin_of(genre, origin)] += number
    if twins:
        places = dict(own.values_list("pk", "place"))
        swapped = dataset.pairs.filter(origin=Pair.Origin.SWAP, gold_labels__source=SWAP)
        rows = swapped.annotate(label=two_way("gold_labels__label"))
        for original, label, genre, origin in rows.values_list(
            "swapped_from", "label", "genre", "swapped_from__origin"
        ):
            counts[places.get(original or 0, ""), label, origin_of(genre, origin or Pair.Origin.SWAP)] += 1
    return _of_counts(counts, labels, twins)


def _of_counts(counts: Counter[tuple[str, str, str]], labels: str, twins: bool) -> Composition:
    labelled = Counter({key: n for key, n in counts.items() if key[1] in LABELS})
    found = {origin for _place, _label, origin in labelled}
    origins = (CROWD, PAPER, *([OTHER] if OTHER in found else []))
    places = [place for place in (*Direction.values, "") if place or any(not key[0] for key in labelled)]
    lines = [
        Line(place, label, tuple(labelled[place, label, origin] for origin in origins))
        for place in places
        for label in LABELS
    ]
    return Composition(
        labels=labels,
        twins=twins,
        origins=origins,
        lines=lines,
        places={place: sum(line.total for line in lines if line.place == place) for place in places},
        totals=tuple(map(sum, zip(*(line.counts for line in lines), strict=True))),
        unlabelled=counts.total() - labelled.total(),
    )


def as_csv(found: Composition) -> str:
    """The table as CSV, in English, with a last line of totals."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["type", "label", *found.origins, "total"])
    for line in found.lines:
        writer.writerow([line.place or "none", line.label, *line.counts, line.total])
    writer.writerow(["total", "", *found.totals, found.total])
    return text.getvalue()
