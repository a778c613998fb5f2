"""Records of Parquet, with what `datasets` wrote into the file of the names of its classes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _

from apps.corpora.sources import MAXIMUM_BYTES, FileProblem
from apps.imports.records.record import MOST_COLUMNS, Record, Records

PARQUET_BATCH = 500


def parquet_records(file: IO[bytes]) -> Records:
    """Parquet, a batch at a time. The sizes that the file declares are checked before it is read."""
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(file, thrift_string_size_limit=2**22, thrift_container_size_limit=2**20)
        groups = [table.metadata.row_group(index) for index in range(table.metadata.num_row_groups)]
        declared = sum(group.total_byte_size for group in groups)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileProblem(_("no readable Parquet: %(error)s") % {"error": _short(error)}) from None
    if declared > MAXIMUM_BYTES or table.metadata.num_columns > MOST_COLUMNS:
        raise FileProblem(
            _("the file holds more than %(limit)d MB. Split it.") % {"limit": MAXIMUM_BYTES // 2**20}
        )
    return Records(tuple(table.schema_arrow.names), _parquet_rows(table, _class_names(table)))


def _class_names(table: Any) -> dict[str, list[str]]:
    """What the numbers of a column stand for, where `datasets` wrote that into the file."""
    try:
        written = (table.schema_arrow.metadata or {}).get(b"huggingface", b"{}")
        features = json.loads(written)["info"]["features"]
        found = {column: _names_of(feature) for column, feature in features.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {column: names for column, names in found.items() if names}


def _names_of(feature: Any) -> list[str]:
    """The names of a ClassLabel, or of a list of them."""
    inner = feature[0] if isinstance(feature, list) else feature
    names = inner.get("names") or inner.get("feature", {}).get("names") or []
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


def _named(value: Any, names: list[str]) -> Any:
    if isinstance(value, list):
        return [_named(item, names) for item in value]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return names[value] if is_number and 0 <= value < len(names) else None if value == -1 else value


def _plain(value: Any) -> Any:
    """A cell as JSON can hold it: no value for what is not a number, times and decimals as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, str | int | bytes) else str(value)


def _parquet_rows(table: Any, names: Mapping[str, list[str]]) -> Iterator[Record]:
    import pyarrow

    number = 0
    try:
        for batch in table.iter_batches(batch_size=PARQUET_BATCH, use_threads=False):
            if batch.nbytes > MAXIMUM_BYTES // 4:
                raise FileProblem(_("%(n)d rows hold too much to be read") % {"n": len(batch)}, number + 1)
            for row in batch.to_pylist():
                number += 1
                for column in names:
                    row[column] = _named(row.get(column), names[column])
                yield Record(number, number, {key.lower(): _plain(value) for key, value in row.items()})
    except (pyarrow.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        if isinstance(error, FileProblem):
            raise
        raise FileProblem(
            _("no readable Parquet: %(error)s") % {"error": _short(error)}, number + 1
        ) from None


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
