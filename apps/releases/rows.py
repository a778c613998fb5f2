"""The rows of published pairs: what is said of each. As columns: columns.py; as text: formats/."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from apps.comparison.judges import Judges
from apps.datasets.models import CalculusLabel, Correction, Dataset, Pair, Tag
from apps.datasets.tags import BY_HAND, FLAGS
from apps.frame.rows import plain_rows
from apps.releases.pseudonyms import Pseudonyms
from apps.releases.selection import REVERSED, Candidate, Decided, is_people_s_twin, pairs_between

# The facts of a twin that stands on people's agreement, no source relating its wordings.
BY_PEOPLE = {"twin_by": "people's agreement with the calculus"}
# Among a pair's facts: what the calculus said before a researcher corrected it.
CORRECTION = "correction"


class Calculus(NamedTuple):
    """What is published of a calculus label."""

    label: str
    reason: str
    confidence: float | None
    assumed: bool | None
    engine: str
    version: str
    convention: str
    parser: str


_CALCULUS = tuple("engine_version" if name == "version" else name for name in Calculus._fields)


class Published(NamedTuple):
    """One pair as it is published. ``gold`` is "" where the rule gives none; ``prompt`` is the number of
    the pair that a twin was made of, the pair's own otherwise."""

    pair: int
    prompt: int
    digest: str
    premises: tuple[str, ...]
    hypothesis: str
    gold: str
    direction: str
    genre: str
    source: str
    facts: dict[str, Any]
    origin: str
    tags: tuple[str, ...]
    answers: tuple[str, ...]
    file_label: str
    calculus: Calculus | None


class Source:
    """Reads what a batch of pairs needs beside the pairs themselves: seven queries a batch."""

    def __init__(self, dataset: Dataset, names: Pseudonyms, judges: Judges) -> None:
        self.dataset, self.names, self.judges = dataset, names, judges

    def said(self, first: int, last: int) -> Said:
        """What is said of the pairs of the numbers from ``first`` to ``last``."""
        of: dict[str, Any] = {
            "pair__in": pairs_between(self.dataset, first, last),
            "pair__gte": first,
            "pair__lte": last,
        }
        tagged = Tag.objects.filter(**of).exclude(source=BY_HAND, name__in=FLAGS).order_by()
        tags: dict[int, set[str]] = {}
        for pk, name in plain_rows(tagged.values_list("pair_id", "name")):
            tags.setdefault(pk, set()).add(name)
        labelled = CalculusLabel.objects.filter(**of, is_current=True).order_by()
        labels = plain_rows(labelled.values_list("pair_id", *_CALCULUS))
        twins = Pair.objects.filter(
            swapped_from__in=of["pair__in"], swapped_from__gte=first, swapped_from__lte=last
        )
        found = plain_rows(twins.order_by().values_list("swapped_from_id", "pk", "digest"))
        given = self.judges.answers().filter(**{f"item__{name}": value for name, value in of.items()})
        answers: dict[int, list[tuple[str, str]]] = {}
        for pk, person, answer in plain_rows(given.values_list("item__pair_id", "participant_id", "answer")):
            answers.setdefault(pk, []).append((self.names.of(person), answer))
        return Said(
            tags={pk: tuple(sorted(names)) for pk, names in tags.items()},
            facts=_facts_of(self.dataset, first, last),
            labels={pk: Calculus._make(label) for pk, *label in labels},
            twins={original: (pk, digest) for original, pk, digest in found},
            answers={pk: tuple(answer for _name, answer in sorted(row)) for pk, row in answers.items()},
        )


@dataclass(frozen=True)
class Said:
    """What is said of some pairs, by their numbers. ``twins``: number and digest of each one's twin;
    ``answers`` are in the order of pseudonyms."""

    tags: dict[int, tuple[str, ...]]
    facts: dict[int, dict[str, Any]]
    labels: dict[int, Calculus]
    twins: dict[int, tuple[int, str]]
    answers: dict[int, tuple[str, ...]]

    def published(self, row: Decided, *, with_twin: bool) -> Iterator[Published]:
        """The pair, and its twin with the label turned over where it has one."""
        pair = row.pair
        tags = self.tags.get(pair.pk, ())
        genre = _genre(pair, tags)
        yield Published(
            pair=pair.pk,
            prompt=pair.pk,
            digest=pair.digest,
            premises=tuple(pair.texts),
            hypothesis=pair.hypothesis,
            gold=pair.gold,
            direction=pair.place,
            genre=genre,
            source=pair.source,
            facts=self.facts.get(pair.pk, {}),
            origin=pair.origin,
            tags=tags,
            answers=self.answers.get(pair.pk, ()),
            file_label=pair.raw_file_label,
            calculus=self.labels.get(pair.pk),
        )
        if with_twin and pair.pk in self.twins:
            twin, digest = self.twins[pair.pk]
            yield Published(
                pair=twin,
                prompt=pair.pk,
                digest=digest,
                premises=(pair.hypothesis,),
                hypothesis=" ".join(pair.texts),
                gold=REVERSED[pair.gold],
                direction=pair.place,
                genre=genre,
                source=pair.source,
                facts=BY_PEOPLE if is_people_s_twin(pair) else {},
                origin=Pair.Origin.SWAP.value,
                tags=tags,
                answers=(),
                file_label="",
                calculus=None,
            )


def _facts_of(dataset: Dataset, first: int, last: int) -> dict[int, dict[str, Any]]:
    """What is known of pairs, and what of theirs was corrected by hand; of those alone of which there is
    something. Two queries."""
    pairs = pairs_between(dataset, first, last)
    known = plain_rows(pairs.exclude(facts={}).values_list("pk", "facts"))
    facts: dict[int, dict[str, Any]] = {pk: json.loads(text) for pk, text in known}
    for one in Correction.objects.filter(pair__in=pairs.values("pk"), undone_at=None).order_by():
        was: dict[str, Any] = {"direction_was": one.direction_was} if one.direction else {}
        if one.tags is not None:
            was["tags_was"] = one.tags_was
        facts[one.pair_id] = {**facts.get(one.pair_id, {}), CORRECTION: was}
    return facts


def _genre(pair: Candidate, tags: Iterable[str]) -> str:
    """The pair's genre with its tags, as MED writes it; a file's own genre is left as it came."""
    if pair.origin == Pair.Origin.IMPORT:
        return pair.genre
    said = pair.genre.split(":")  # a pair of a release that came in again has its tags there already
    return ":".join(part for part in (pair.genre, *(tag for tag in tags if tag not in said)) if part)


# ---- Cells of tables -----------------------------------------------------------------------------------


def one_line(text: str) -> str:
    """Text for a cell of an unquoted TSV file: tabs and line ends of every kind become spaces."""
    return " ".join(text.replace("\t", " ").splitlines()) if text else ""


def neutral_cell(value: object) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def cell(text: str) -> str:
    """A text as a CSV cell that no spreadsheet takes for a formula: as the csv module writes it among others
    (one that is empty and alone would be quoted)."""
    text = neutral_cell(text)
    if '"' in text or "," in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text


def cells_text(values: Iterable[object]) -> str:
    """Some cells of a CSV line, to be joined with others by a comma."""
    return ",".join(["" if value is None else cell(str(value)) for value in values])
