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

from django.http import StreamingHttpResponse

from apps.comparison.judges import Judges
from apps.comparison.pairs import compared
from apps.curation.filters import PairFilters
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair, Premise, Tag
from apps.inference.models import Prediction, Run
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
# What a cell of a CSV can't hold is JSON there; Parquet holds what differs from pair to pair as JSON too.
_JSON_IN_CSV = ("premises", "tags", "labels", "judgements", "predictions")
_JSON_IN_PARQUET = ("labels", "predictions")
_BATCH = 1000
_PIECE = 1 << 16


@dataclass(frozen=True)
class _Shared:
    """What all batches need."""

    judges: Judges
    runs: Sequence[Run]
    names: dict[int, str]


def rows(dataset: Dataset, filters: PairFilters) -> Iterator[dict[str, Any]]:
    """The pairs that pass, in order, each as JSON. Three queries, and nine a batch.

    ``labels`` are the gold labels by their source, as they are stored; ``human_label`` is what more than half
    say, two-way (``apps/comparison/pairs.py``), the answers are those that are read on the page.
    """
    people = Participant.objects.filter(study=dataset.study)
    shared = _Shared(filters.judges, latest_runs(dataset), dict(people.values_list("pk", "pseudonym")))
    for numbers in _in_batches(filters.numbers().iterator(chunk_size=_BATCH), _BATCH):
        yield from _batch(numbers, shared)


def _batch(numbers: Sequence[int], shared: _Shared) -> Iterator[dict[str, Any]]:
    of_pairs = {"pair__in": numbers}
    premises = _lists(Premise.objects.filter(**of_pairs).order_by("position").values_list("pair", "text"))
    tags = _lists(Tag.objects.filter(**of_pairs).order_by("name").values_list("pair", "name"))
    gold = _lists(GoldLabel.objects.filter(**of_pairs).values_list("pair", "source", "label"))
    current = CalculusLabel.objects.filter(**of_pairs, is_current=True)
    calculus = {pk: rest for pk, *rest in current.values_list("pair", "label", "confidence", "reason")}
    given = shared.judges.answers().filter(item__pair__in=numbers).order_by("submitted_at", "pk")
    columns = ("item__pair", "participant", "answer", "rating", "item__campaign", "seconds", "submitted_at")
    judgements = _lists(given.values_list(*columns))
    names = {run.pk: run.model.name for run in shared.runs}
    predicted = Prediction.objects.filter(run__in=names, **of_pairs)
    predictions = _lists(predicted.values_list("pair", "run", "label", "scores"))
    found = compared(Pair.objects.filter(pk__in=numbers), shared.judges)
    for pk, hypothesis, place, genre, origin, source, human in found.values_list(
        "pk", "hypothesis", "place", "genre", "origin", "source", "human"
    ):
        label, confidence, reason = calculus.get(pk, (None, None, None))
        texts = [text for (text,) in premises[pk]]
        yield {
            "id": pk,
            "premise": " ".join(texts),
            "premises": texts,
            "hypothesis": hypothesis,
            "direction": place,
            "genre": genre,
            "origin": origin,
            "source": source,
            "tags": list(dict.fromkeys(name for (name,) in tags[pk])),
            "labels": dict(gold[pk]),
            "calculus_label": label,
            "calculus_confidence": confidence,
            "calculus_reason": reason,
            "human_label": human,
            "judgements": [
                {
                    "annotator": shared.names[person],
                    "answer": answer,
                    "rating": rating,
                    "campaign": campaign,
                    "seconds": round(seconds, 1),
                    "at": at.isoformat(timespec="seconds"),
                }
                for person, answer, rating, campaign, seconds, at in judgements[pk]
            ],
            "predictions": {
                names[run]: {"label": said, "scores": scores} for run, said, scores in predictions[pk]
            },
        }


def _in_batches(found: Iterable[Any], size: int) -> Iterator[list[Any]]:
    left = iter(found)
    while some := list(islice(left, size)):
        yield some


def _lists(found: Iterable[tuple[Any, ...]]) -> defaultdict[int, list[tuple[Any, ...]]]:
    by_pair: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for pk, *rest in found:
        by_pair[pk].append(tuple(rest))
    return by_pair


def answer(dataset: Dataset, filters: PairFilters, form: str) -> StreamingHttpResponse:
    """The file as it is sent. ``form`` is one of :data:`FORMATS`."""
    sent = StreamingHttpResponse(written(form, rows(dataset, filters)), content_type=FORMATS[form])
    sent["Content-Disposition"] = f'attachment; filename="pairs-{dataset.pk}.{form}"'
    return sent


# ---- The formats ------------------------------------------------------------------------------


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
    for row in found:
        cells = {**row, **{name: _json(row[name]) for name in _JSON_IN_CSV}}
        writer.writerow([neutral_cell(cells[name]) for name in COLUMNS])
        if text.tell() > _PIECE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _json_lines(found: Iterator[dict[str, Any]]) -> Iterator[str]:
    for some in _in_batches(found, 100):
        yield "".join(_json(row) + "\n" for row in some)


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


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
