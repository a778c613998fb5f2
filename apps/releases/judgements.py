"""The rows of published judgements: every single answer with its times, guideline and pseudonym."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.campaigns.models import IMPORTED, Item, Judgement, Replacement
from apps.datasets.models import Dataset, Premise
from apps.quality.models import Flag
from apps.releases.pseudonyms import NOTHING_KNOWN, Names, Standing
from apps.releases.rows import neutral_cell
from apps.studies.selectors import has_left

if TYPE_CHECKING:
    import pyarrow

JUDGEMENT_COLUMNS = (
    "task", "campaign", "guideline_version", "annotator", "simulated", "has_left", "could_see_labels",
    "trust", "trust_then", "pair", "in_release", "premises", "hypothesis", "blank", "replacement", "flags",
    "answer", "rating", "nonsense", "skip_reason", "counted", "predictions_shown", "tries", "seconds",
    "shown_at", "submitted_at", "revised_at", "revisions",
)  # fmt: skip
ITEMS_A_BATCH = 1000


@dataclass(frozen=True)
class Judgements:
    """Where judgements are read from: ``is_published`` says whether a pair, by its number, is in the
    release; ``campaign`` is the only one, where one is given."""

    dataset: Dataset
    names: Names
    standings: dict[tuple[int, int], Standing]
    is_published: Callable[[int], bool]
    campaign: int | None = None

    def after(self, item: int) -> tuple[int, int, list[dict[str, Any]]] | None:
        """The judgements on the next 1000 items above number ``item``: the last item's number, how many
        items there were, and the rows; None where there are no more. Five queries.

        Surplus answers and skips too; no test questions. In the order of the items' numbers, and within
        an item by pseudonym, so that the order tells nothing.
        """
        items = items_of(self.dataset).filter(pk__gt=item).order_by("pk")
        if self.campaign is not None:
            items = items.filter(campaign=self.campaign)
        numbers = list(items.values_list("pk", flat=True)[:ITEMS_A_BATCH])
        if not numbers:
            return None
        given = Judgement.objects.filter(item__in=numbers).annotate(has_left=has_left("participant__"))
        rows = sorted(
            given.values(*_COLUMNS), key=lambda row: (row["item_id"], self.names.of(row["participant_id"]))
        )
        return numbers[-1], len(numbers), list(_dressed(rows, self))


def items_of(dataset: Dataset) -> Any:
    """The items whose judgements are published."""
    return Item.objects.filter(campaign__dataset=dataset, is_test=False)


# What a published judgement needs, read as plain columns: a dataset may have 100,000 of them.
_COLUMNS = (
    "pk",
    "item__campaign_id",
    "item_id",
    "participant_id",
    "participant__simulated",
    "participant__panel",
    "has_left",
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
    "nonsense",
    "skip_reason",
    "counted",
    "predictions_shown",
    "tries",
    "could_see_labels",
    "seconds",
    "assignment__shown_at",
    "submitted_at",
    "revised_at",
    "revision",
)


def _dressed(rows: Sequence[dict[str, Any]], source: Judgements) -> Iterator[dict[str, Any]]:
    names = source.names
    premises: dict[int, list[str]] = {}
    of_pairs = Premise.objects.filter(pair__in={row["item__pair_id"] for row in rows})
    for pair, text in of_pairs.order_by("pair_id", "position").values_list("pair_id", "text"):
        premises.setdefault(pair, []).append(text)
    flags: dict[tuple[int, int], list[str]] = {}
    found = Flag.objects.filter(judgement__in=[r["pk"] for r in rows if r["item__pair_id"] is None])
    for judgement, position, code in found.order_by("code").values_list("judgement_id", "position", "code"):
        flags.setdefault((judgement, position), []).append(code)
    replacements: dict[int, list[dict[str, Any]]] = {}
    made = Replacement.objects.filter(judgement__in=[r["pk"] for r in rows if r["item__pair_id"] is None])
    columns = ("judgement_id", "position", "text", "hypothesis", "pair_id")
    for judgement, position, *of in made.order_by("judgement_id", "position").values_list(*columns):
        entry = dict(zip(columns[2:], of, strict=True), flags=flags.get((judgement, position), []))
        entry["pair"] = entry.pop("pair_id")
        replacements.setdefault(judgement, []).append(entry)
    for row in rows:
        pair = row["item__pair_id"]
        yield _judgement(
            row,
            annotator=names.of(row["participant_id"]),
            standing=source.standings.get((row["item__campaign_id"], row["participant_id"]), NOTHING_KNOWN),
            in_release=source.is_published(pair) if pair else False,
            premises=premises.get(pair, []) if pair else [row["item__blank__sentence__text"]],
            replacements=replacements.get(row["pk"], []),
        )


def _judgement(row: dict[str, Any], *, standing: Standing, **more: Any) -> dict[str, Any]:
    blank = row["item__blank__text"]
    span = {"start": row["item__blank__start"], "end": row["item__blank__end"]}
    # A file tells neither when an answer was given nor how long it took; the times stored for it are
    # those of its import.
    timed = row["participant__panel"] != IMPORTED
    return {
        **more,
        "trust": standing.trust,
        "trust_then": standing.trust_at(row["submitted_at"]) if timed else None,
        "task": row["item__campaign__task"],
        "campaign": row["item__campaign__name"],
        "guideline_version": row["guideline__version"],
        "simulated": row["participant__simulated"] or row["item__campaign__simulated"],
        "has_left": row["has_left"],
        "pair": row["item__pair_id"],
        "hypothesis": row["item__pair__hypothesis"],
        "blank": None if blank is None else {"text": blank, **span},
        "answer": row["answer"] or None,
        "rating": row["rating"],
        "nonsense": row["nonsense"],
        "skip_reason": row["skip_reason"] or None,
        "counted": row["counted"],
        "predictions_shown": row["predictions_shown"],
        "tries": row["tries"],
        "could_see_labels": row["could_see_labels"],
        "seconds": row["seconds"] if timed else None,
        "shown_at": row["assignment__shown_at"].isoformat() if timed else None,
        "submitted_at": row["submitted_at"].isoformat() if timed else None,
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
            row.update(hypothesis=made["hypothesis"], pair=made["pair"], flags=" ".join(made["flags"]))
        yield [neutral_cell(row.get(name)) for name in JUDGEMENT_COLUMNS]


def judgement_schema() -> pyarrow.Schema:
    """The columns of ``judgements/judgements.parquet``; those of the JSON lines, in this order."""
    import pyarrow as pa

    text, number = pa.string(), pa.int64()
    replacement = pa.struct(
        [("text", text), ("hypothesis", text), ("pair", number), ("flags", pa.list_(text))]
    )
    return pa.schema(
        [
            ("task", text),
            ("campaign", text),
            ("guideline_version", number),
            ("annotator", text),
            ("simulated", pa.bool_()),
            ("has_left", pa.bool_()),
            ("could_see_labels", pa.bool_()),
            ("trust", pa.float64()),
            ("trust_then", pa.float64()),
            ("pair", number),
            ("in_release", pa.bool_()),
            ("premises", pa.list_(text)),
            ("hypothesis", text),
            ("blank", pa.struct([("text", text), ("start", number), ("end", number)])),
            ("replacements", pa.list_(replacement)),
            ("answer", text),
            ("rating", number),
            ("nonsense", pa.bool_()),
            ("skip_reason", text),
            ("counted", pa.bool_()),
            ("predictions_shown", pa.bool_()),
            ("tries", number),
            ("seconds", pa.float64()),
            ("shown_at", text),
            ("submitted_at", text),
            ("revised_at", text),
            ("revisions", number),
        ]
    )
