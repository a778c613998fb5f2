"""The rows of a release's files: pairs in MED's and MNLI's columns and as JSON, single judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Q
from django.utils.crypto import salted_hmac

from apps.campaigns.models import Campaign, Judgement, Replacement
from apps.corpora.models import Corpus
from apps.datasets.comparison import NEUTRAL
from apps.datasets.models import ENTAILMENT, UNNATURAL, CalculusLabel, Dataset, Pair, Premise, Release
from apps.datasets.releasing.rules import REVERSED, Decided
from apps.datasets.services import BY_HAND
from apps.studies.models import Participant
from apps.studies.services import release_pseudonym

# The columns of MED's published file, which are MNLI's.
MED_COLUMNS = (
    "index",
    "promptID",
    "pairID",
    "genre",
    "sentence1_binary_parse",
    "sentence2_binary_parse",
    "sentence1_parse",
    "sentence2_parse",
    "sentence1",
    "sentence2",
    "label1",
    "label2",
    "label3",
    "label4",
    "label5",
    "gold_label",
)
LABEL_COLUMNS = 5
JUDGEMENT_COLUMNS = (
    "task",
    "campaign",
    "guideline_version",
    "annotator",
    "simulated",
    "pair",
    "in_release",
    "premises",
    "hypothesis",
    "blank",
    "replacement",
    "answer",
    "rating",
    "skip_reason",
    "counted",
    "seconds",
    "shown_at",
    "submitted_at",
    "revised_at",
    "revisions",
)


@dataclass(frozen=True)
class Published:
    """One pair as it is published."""

    pair: int
    prompt: int
    premises: tuple[str, ...]
    hypothesis: str
    gold: str
    direction: str
    genre: str
    origin: str
    tags: tuple[str, ...]
    answers: tuple[str, ...]
    calculus: dict[str, Any] | None


class Source:
    """Reads what a batch of pairs needs beside the pairs themselves: three queries a batch."""

    def __init__(self, release: Release) -> None:
        self.names = Pseudonyms(release)

    def load(self, pairs: Sequence[Pair]) -> None:
        pks = [pair.pk for pair in pairs]
        self._tags: dict[int, list[str]] = {}
        for pair in Pair.objects.filter(pk__in=pks).prefetch_related("tags"):
            names = {tag.name for tag in pair.tags.all() if tag.source != BY_HAND}
            self._tags[pair.pk] = sorted(names)
        labels = CalculusLabel.objects.filter(pair__in=pks, is_current=True)
        self._labels = {label.pair_id: label for label in labels}
        self._twins = dict(Pair.objects.filter(swapped_from__in=pks).values_list("swapped_from_id", "pk"))
        self._answers: dict[int, list[tuple[str, str]]] = {}
        given = Judgement.objects.filter(item__pair__in=pks, counted=True, skip_reason="")
        for pk, person, answer in given.values_list("item__pair_id", "participant_id", "answer"):
            self._answers.setdefault(pk, []).append((self.names.of(person), answer))

    def published(self, row: Decided, *, with_twin: bool) -> Iterator[Published]:
        """The pair, and its twin with the label turned over where it has one."""
        pair = row.pair
        tags = tuple(self._tags[pair.pk])
        label = self._labels.get(pair.pk)
        yield Published(
            pair=pair.pk,
            prompt=pair.pk,
            premises=tuple(premise.text for premise in pair.premises.all()),
            hypothesis=pair.hypothesis,
            gold=pair.gold,
            direction=pair.place,
            genre=_genre(pair, tags),
            origin=pair.origin,
            tags=tags,
            answers=tuple(answer for _name, answer in sorted(self._answers.get(pair.pk, []))),
            calculus=_calculus(label) if label else None,
        )
        if with_twin and pair.pk in self._twins:
            yield Published(
                pair=self._twins[pair.pk],
                prompt=pair.pk,
                premises=(pair.hypothesis,),
                hypothesis=pair.premise,
                gold=REVERSED[pair.gold],
                direction=pair.place,
                genre=_genre(pair, tags),
                origin=Pair.Origin.SWAP.value,
                tags=tags,
                answers=(),
                calculus=None,
            )


def _genre(pair: Pair, tags: Iterable[str]) -> str:
    """The pair's genre with its tags, as MED writes it; a file's own genre is left as it came."""
    if pair.origin == Pair.Origin.IMPORT:
        return pair.genre
    return ":".join(part for part in (pair.genre, *tags) if part)


def _calculus(label: CalculusLabel) -> dict[str, Any]:
    return {
        "label": label.label,
        "reason": label.reason,
        "confidence": label.confidence,
        "engine": label.engine,
        "version": label.engine_version,
        "convention": label.convention,
        "parser": label.parser,
    }


def one_line(text: str) -> str:
    """Text for a cell of an unquoted TSV file: tabs and line ends of every kind become spaces."""
    return " ".join(text.replace("\t", " ").splitlines()) if text else ""


def _mnli(label: str) -> str:
    """MED's and MNLI's word for a label; *unnatural* has none and stays."""
    return label if label in (ENTAILMENT, UNNATURAL, "") else NEUTRAL


def med_row(index: int, item: Published) -> list[str]:
    """A pair in MED's columns: the parses stay empty, as in MED's own file."""
    answers = [_mnli(answer) for answer in item.answers[:LABEL_COLUMNS]]
    answers += [""] * (LABEL_COLUMNS - len(answers))
    cells = [
        str(index),
        str(item.prompt),
        str(item.pair),
        item.genre,
        "",
        "",
        "",
        "",
        " ".join(item.premises),
        item.hypothesis,
        *answers,
        _mnli(item.gold),
    ]
    return [one_line(cell) for cell in cells]


def json_row(item: Published) -> dict[str, Any]:
    return {
        "id": item.pair,
        "premises": list(item.premises),
        "hypothesis": item.hypothesis,
        "gold_label": item.gold,
        "direction": item.direction,
        "genre": item.genre,
        "origin": item.origin,
        "swapped_from": item.prompt if item.prompt != item.pair else None,
        "tags": list(item.tags),
        "answers": list(item.answers),
        "calculus": item.calculus,
    }


class Pseudonyms:
    """Published names of participants; a release's salt keeps two releases from being joined by name."""

    def __init__(self, release: Release) -> None:
        # From the server's key, so that it is the same when the release is written again and kept nowhere.
        salt = salted_hmac("polarlab.datasets.release", str(release.pk)).hexdigest()
        people = Participant.objects.filter(study=release.dataset.study)
        self._names = {person.pk: release_pseudonym(person, salt) for person in people.iterator()}

    def of(self, participant: int) -> str:
        return self._names[participant]


# What a published judgement needs, read as plain columns: a dataset may have 100,000 of them.
_COLUMNS = (
    "pk",
    "item_id",
    "participant_id",
    "participant__simulated",
    "item__campaign__task",
    "item__campaign__name",
    "item__campaign__simulated",
    "item__pair_id",
    "item__pair__hypothesis",
    "item__blank__text",
    "item__blank__start",
    "item__blank__end",
    "item__blank__sentence__text",
    "guideline__version",
    "answer",
    "rating",
    "skip_reason",
    "counted",
    "seconds",
    "assignment__shown_at",
    "submitted_at",
    "revised_at",
    "revision",
)
JUDGEMENTS_A_BATCH = 2000


def judgements(release: Release, published: set[int]) -> Iterator[dict[str, Any]]:
    """Every judgement given in the dataset's campaigns, surplus ones and skips too; no test questions.

    In the order of campaigns and items; within an item by pseudonym, so that the order tells nothing.
    One query, and two for each batch.
    """
    names = Pseudonyms(release)
    given = Judgement.objects.filter(item__campaign__dataset=release.dataset, item__is_test=False)
    rows = given.order_by("item__campaign_id", "item__position", "item_id").values(*_COLUMNS)
    batch: list[dict[str, Any]] = []
    for _item, group in groupby(rows.iterator(chunk_size=2000), key=lambda row: row["item_id"]):
        batch += sorted(group, key=lambda row: names.of(row["participant_id"]))
        if len(batch) >= JUDGEMENTS_A_BATCH:
            yield from _judgement_batch(batch, names, published)
            batch = []
    yield from _judgement_batch(batch, names, published)


def _judgement_batch(
    rows: Sequence[dict[str, Any]], names: Pseudonyms, published: set[int]
) -> Iterator[dict[str, Any]]:
    premises: dict[int, list[str]] = {}
    of_pairs = Premise.objects.filter(pair__in={row["item__pair_id"] for row in rows})
    for pair, text in of_pairs.order_by("pair_id", "position").values_list("pair_id", "text"):
        premises.setdefault(pair, []).append(text)
    replacements: dict[int, list[dict[str, Any]]] = {}
    made = Replacement.objects.filter(judgement__in=[r["pk"] for r in rows if r["item__pair_id"] is None])
    columns = ("judgement_id", "text", "hypothesis", "pair_id")
    for judgement, text, hypothesis, pair in made.order_by("judgement_id", "position").values_list(*columns):
        entry = {"text": text, "hypothesis": hypothesis, "pair": pair}
        replacements.setdefault(judgement, []).append(entry)
    for row in rows:
        pair = row["item__pair_id"]
        yield _judgement(
            row,
            annotator=names.of(row["participant_id"]),
            in_release=pair in published,
            premises=premises.get(pair, []) if pair else [row["item__blank__sentence__text"]],
            replacements=replacements.get(row["pk"], []),
        )


def _judgement(row: dict[str, Any], **more: Any) -> dict[str, Any]:
    blank = row["item__blank__text"]
    span = {"start": row["item__blank__start"], "end": row["item__blank__end"]}
    return {
        **more,
        "task": row["item__campaign__task"],
        "campaign": row["item__campaign__name"],
        "guideline_version": row["guideline__version"],
        "simulated": row["participant__simulated"] or row["item__campaign__simulated"],
        "pair": row["item__pair_id"],
        "hypothesis": row["item__pair__hypothesis"],
        "blank": None if blank is None else {"text": blank, **span},
        "answer": row["answer"] or None,
        "rating": row["rating"],
        "skip_reason": row["skip_reason"] or None,
        "counted": row["counted"],
        "seconds": row["seconds"],
        "shown_at": row["assignment__shown_at"].isoformat(),
        "submitted_at": row["submitted_at"].isoformat(),
        "revised_at": row["revised_at"].isoformat() if row["revised_at"] else None,
        "revisions": row["revision"],
    }


def csv_rows(judgement: dict[str, Any]) -> Iterator[list[str]]:
    """A judgement as CSV: one row, or one for each replacement of a creation answer."""
    shared = {
        **judgement,
        "premises": " ".join(judgement["premises"]),
        "blank": (judgement["blank"] or {}).get("text"),
    }
    for made in judgement["replacements"] or [{}]:
        row = dict(shared, replacement=made.get("text"))
        if made:
            row.update(hypothesis=made["hypothesis"], pair=made["pair"])
        yield [neutral_cell(row.get(name)) for name in JUDGEMENT_COLUMNS]


def neutral_cell(value: object) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


# ---- Where it all came from -------------------------------------------------------------------


def calculus_versions(dataset: Dataset) -> list[dict[str, Any]]:
    current = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    names = ("engine", "engine_version", "convention", "parser")
    return [dict(zip(names, row, strict=True)) for row in sorted(set(current.values_list(*names)))]


def campaign_versions(dataset: Dataset) -> list[dict[str, Any]]:
    campaigns = Campaign.objects.filter(dataset=dataset).order_by("pk").prefetch_related("guidelines")
    return [
        {
            "name": campaign.name,
            "task": campaign.task,
            "annotators_an_item": campaign.target,
            "minimum_seconds": campaign.minimum_seconds,
            "guideline_versions": sorted(guideline.version for guideline in campaign.guidelines.all()),
            "simulated": campaign.simulated,
        }
        for campaign in campaigns
    ]


def corpora_of(dataset: Dataset) -> list[dict[str, Any]]:
    """The corpora that the premises come from, with their licences."""
    of_premises = Q(sentences__premises__pair__dataset=dataset)
    found = Corpus.objects.filter(of_premises).distinct().order_by("name")
    return [dict(row) for row in found.values("name", "licence", "source", "simulated")]
