"""What the list of pairs shows under its filters, as a file: a look at the data, and no publication.

Nothing is frozen, chosen by a gold rule or renamed (people have the study's pseudonyms), which is what a
release is for. A thousand pairs are in memory at most.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from django.db.models import TextField
from django.db.models.functions import Cast
from django.http import StreamingHttpResponse

from apps.comparison.judges import Judges
from apps.comparison.pairs import placed
from apps.comparison.tallied import human
from apps.curation.filters import PairFilters
from apps.datasets.models import Dataset, GoldLabel, Pair, Premise, Tag
from apps.frame.among import Among
from apps.inference.models import Prediction
from apps.inference.selectors import latest_runs
from apps.releases.rows import neutral_cell
from apps.studies.models import Participant

if TYPE_CHECKING:
    import pyarrow

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
COLUMNS = (
    "id", "premise", "premises", "hypothesis", "direction", "genre", "origin", "source", "tags", "labels",
    "calculus_label", "calculus_confidence", "calculus_reason", "human_label", "judgements", "predictions",
)  # fmt: skip
_BATCH = 1000
_PIECE = 1 << 16


#: A judgement: the annotator's pseudonym, the answer, the rating, the campaign's number, seconds, and when.
Given = tuple[str, str, int | None, int, float, str]


@dataclass(frozen=True)
class _Shared:
    """What all batches need: whose answers stand, the models by their runs, the people's pseudonyms."""

    judges: Judges
    models: dict[int, str]
    names: dict[int, str]


def rows(dataset: Dataset, filters: PairFilters) -> Iterator[dict[str, Any]]:
    """The pairs that pass, in order, each by :data:`COLUMNS`. Three queries, one more where people judge in
    several campaigns, and six a batch, one less without models.

    ``labels`` are the gold labels by their source, as they are stored; ``human_label`` is what more than half
    say, two-way (``apps/comparison/pairs.py``), the answers are those that are read on the page.
    """
    people = Participant.objects.filter(study=dataset.study_id)
    shared = _Shared(
        filters.judges.looked_up(),
        {run.pk: run.model.name for run in latest_runs(dataset)},
        dict(people.values_list("pk", "pseudonym")),
    )
    for numbers in _in_batches(filters.numbers().iterator(chunk_size=_BATCH), _BATCH):
        yield from _batch(numbers, shared)


def _batch(numbers: Sequence[int], shared: _Shared) -> Iterator[dict[str, Any]]:
    these = Among("pair_id", numbers)
    premises = _lists(Premise.objects.filter(these).order_by("position").values_list("pair", "text"))
    tags = _lists(Tag.objects.filter(these).order_by("name").values_list("pair", "name"))
    labels: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for pair, by, said in GoldLabel.objects.filter(these).values_list("pair", "source", "label"):
        labels[pair][by] = said
    judgements = _judgements(numbers, shared)
    predictions = _predictions(these, shared)
    found = placed(Pair.objects.filter(Among("pk", numbers)))
    for pk, hypothesis, place, genre, origin, source, label, confidence, reason in found.values_list(
        "pk", "hypothesis", "place", "genre", "origin", "source",
        "current__label", "current__confidence", "current__reason",
    ):  # fmt: skip
        texts, given = premises[pk], judgements[pk]
        yield {
            "id": pk,
            "premise": " ".join(texts),
            "premises": texts,
            "hypothesis": hypothesis,
            "direction": place,
            "genre": genre,
            "origin": origin,
            "source": source,
            "tags": list(dict.fromkeys(tags[pk])),
            "labels": labels[pk],
            "calculus_label": label,
            "calculus_confidence": confidence,
            "calculus_reason": reason,
            "human_label": human(tuple([answer for _name, answer, *_ in given])),
            "judgements": given,
            "predictions": predictions[pk],
        }


def _judgements(numbers: Sequence[int], shared: _Shared) -> defaultdict[int, list[Given]]:
    """The answers that stand, by pair, in the order of their times.

    A time comes as the database writes it, ``2026-01-31 12:00:00`` and what follows, in UTC: to make it an
    object and write that out again takes as long as reading the row.
    """
    given = shared.judges.answers().filter(Among("item__pair_id", numbers)).order_by("submitted_at", "pk")
    written_at = Cast("submitted_at", TextField())
    columns = ("item__pair", "participant", "answer", "rating", "item__campaign", "seconds", written_at)
    by_pair: defaultdict[int, list[Given]] = defaultdict(list)
    for pair, person, answer, rating, campaign, seconds, at in given.values_list(*columns):
        by_pair[pair].append(
            (
                shared.names[person],
                answer,
                rating,
                campaign,
                round(seconds, 1),
                f"{at[:10]}T{at[11:19]}+00:00",
            )
        )
    return by_pair


def _predictions(these: Among, shared: _Shared) -> defaultdict[int, dict[str, Any]]:
    """What the models say, by pair and by model."""
    by_pair: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    if shared.models:
        said = Prediction.objects.filter(these, run__in=shared.models)
        for pair, run, label, scores in said.values_list("pair", "run", "label", "scores"):
            by_pair[pair][shared.models[run]] = {"label": label, "scores": scores}
    return by_pair


def _in_batches(found: Iterable[Any], size: int) -> Iterator[list[Any]]:
    left = iter(found)
    while some := list(islice(left, size)):
        yield some


def _lists(found: Iterable[tuple[int, str]]) -> defaultdict[int, list[str]]:
    by_pair: defaultdict[int, list[str]] = defaultdict(list)
    for pair, text in found:
        by_pair[pair].append(text)
    return by_pair


def answer(dataset: Dataset, filters: PairFilters, form: str) -> StreamingHttpResponse:
    """The file as it is sent. ``form`` is one of :data:`FORMATS`."""
    sent = StreamingHttpResponse(written(form, rows(dataset, filters)), content_type=FORMATS[form])
    sent["Content-Disposition"] = f'attachment; filename="pairs-{dataset.pk}.{form}"'
    return sent


# ---- The formats ------------------------------------------------------------------------------

# One for all: `json.dumps` makes an encoder each time where it is told anything. A text by itself is quick,
# for all else the encoder is set up anew, so that what there is much of is put together here.
_json = json.JSONEncoder(ensure_ascii=False).encode


def _json_number(number: float | None) -> str:
    return "null" if number is None else repr(number)


def _json_texts(texts: list[str]) -> str:
    return f"[{', '.join(map(_json, texts))}]"


def _json_judgements(given: list[Given]) -> str:
    found = [
        f'{{"annotator": {_json(name)}, "answer": {_json(answer)}, "rating": {_json_number(rating)}, '
        f'"campaign": {campaign}, "seconds": {seconds!r}, "at": "{at}"}}'
        for name, answer, rating, campaign, seconds, at in given
    ]
    return f"[{', '.join(found)}]"


#: How columns are written as JSON, where ``_json`` would do but slowly.
_AS_JSON: dict[str, Callable[[Any], str]] = {
    "id": repr,
    "calculus_confidence": _json_number,
    "premises": _json_texts,
    "tags": _json_texts,
    "judgements": _json_judgements,
}
# What a cell of a CSV can't hold is JSON there; in Parquet, what differs from pair to pair.
_JSON_IN_CSV = ("premises", "tags", "labels", "judgements", "predictions")
_JSON_IN_PARQUET = ("labels", "predictions")


def written(form: str, found: Iterator[dict[str, Any]]) -> Iterator[str | bytes]:
    """The file, piece by piece. ``form`` is one of :data:`FORMATS`."""
    writers: dict[str, Callable[[Iterator[dict[str, Any]]], Iterator[Any]]] = {
        "csv": _csv,
        "jsonl": _json_lines,
        "parquet": _parquet,
    }
    return writers[form](found)


def _csv(found: Iterator[dict[str, Any]]) -> Iterator[str]:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    cells = [(name, _AS_JSON.get(name, _json) if name in _JSON_IN_CSV else neutral_cell) for name in COLUMNS]
    for row in found:
        writer.writerow([write(row[name]) for name, write in cells])
        if text.tell() > _PIECE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _json_lines(found: Iterator[dict[str, Any]]) -> Iterator[str]:
    cells = [(name, f'"{name}": ', _AS_JSON.get(name, _json)) for name in COLUMNS]
    for some in _in_batches(found, 100):
        lines = [", ".join([head + write(row[name]) for name, head, write in cells]) for row in some]
        yield "".join([f"{{{line}}}\n" for line in lines])


def _parquet(found: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Written to a file of its own first: Parquet's table of contents comes last and says where all lies."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema()
    with tempfile.TemporaryFile() as file:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for some in _in_batches(found, _BATCH):
                flat = [{**row, **{name: _json(row[name]) for name in _JSON_IN_PARQUET}} for row in some]
                writer.write_table(pa.Table.from_pylist(flat, schema))
        yield from _pieces(file)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while piece := file.read(_PIECE):
        yield piece


def _schema() -> pyarrow.Schema:
    import pyarrow as pa

    text, whole, number = pa.string(), pa.int64(), pa.float64()
    judgement = pa.struct(
        [
            ("annotator", text),
            ("answer", text),
            ("rating", whole),
            ("campaign", whole),
            ("seconds", number),
            ("at", text),
        ]
    )
    others = {
        "id": whole,
        "premises": pa.list_(text),
        "tags": pa.list_(text),
        "calculus_confidence": number,
        "judgements": pa.list_(judgement),
    }
    return pa.schema([(name, others.get(name, text)) for name in COLUMNS])
