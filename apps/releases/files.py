"""The files that a release is staged in and made of: always the same bytes for the same rows."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow

# Rows of one group of a Parquet file.
ROWS_A_GROUP = 10_000
RELIABILITY_METHODS = ("dawid-skene", "mace")
# A pair's number, the first 64 bits of its digest, and how many rows it is published as.
_NODE = [("number", "<i8"), ("digest", "<u8"), ("rows", "u1")]


def text(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="")


def text_write(path: Path, lines: Iterable[str]) -> None:
    """Some thousand lines at once: a file takes as long for each as it takes to make them."""
    path.write_bytes("".join(lines).encode())


class Sink:
    """A text file that is there as a whole or not at all: whoever writes it a second time does no harm."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = _unfinished(path)

    def __enter__(self) -> IO[str]:
        self._file = text(self._part)
        return self._file

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._file.close()
        if kind is None:
            self._part.replace(self._path)


def _unfinished(path: Path) -> Path:
    """A name of this process' own, which no pattern for finished parts fits."""
    return path.with_name(f".{path.name}.{os.getpid()}")


def csv_writer(file: IO[str]) -> Any:
    return csv.writer(file)


# Kept: `json.dumps` makes one anew for each value.
json_value = json.JSONEncoder(ensure_ascii=False).encode


def json_line(value: dict[str, Any]) -> str:
    """One line; keys in their own order, which is the columns'."""
    return json_value(value) + "\n"


def json_members(value: dict[str, Any]) -> str:
    """A part of a line, to be joined with others by ``", "``."""
    return json_value(value)[1:-1]


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield json.loads(line)


def json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def json_write(path: Path, value: Any) -> None:
    with Sink(path) as file:
        file.write(json_text(value))


# ---- Numbers ----------------------------------------------------------------------------------


def node_record(number: int, digest: str, rows: int) -> bytes:
    """A published pair that is no twin, as :func:`nodes` reads it."""
    return (
        number.to_bytes(8, "little") + digest_bits(digest).to_bytes(8, "little") + rows.to_bytes(1, "little")
    )


def digest_bits(digest: str) -> int:
    """The first 64 bits of a pair's digest."""
    return int(digest[:16], 16)


def nodes(folder: Path) -> np.ndarray[Any, Any]:
    """The records of the published pairs that are no twins (``number``, ``digest``, ``rows``)."""
    import numpy as np

    parts = [np.fromfile(path, dtype=np.dtype(_NODE)) for path in sorted(folder.glob("*.nodes"))]
    return np.concatenate(parts) if parts else np.empty(0, np.dtype(_NODE))


def numbers(folder: Path) -> np.ndarray[Any, Any]:
    """The numbers alone; they ascend."""
    found: np.ndarray[Any, Any] = nodes(folder)["number"]
    return found


def array_write(path: Path, array: np.ndarray[Any, Any]) -> None:
    import numpy as np

    np.save(path, array, allow_pickle=False)


def array_read(path: Path) -> np.ndarray[Any, Any]:
    """The array as it lies on disk, not read into memory."""
    import numpy as np

    array: np.ndarray[Any, Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


# ---- Parquet ----------------------------------------------------------------------------------


def columns_write(path: Path, table: pyarrow.Table) -> None:
    """A part of a Parquet file, as it is in memory: it is packed once, when the parts are joined."""
    import pyarrow as pa

    part = _unfinished(path)
    with pa.OSFile(str(part), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    part.replace(path)


def columns_read(path: Path) -> pyarrow.Table:
    import pyarrow as pa

    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def parquet_join(
    target: Path, parts: Iterable[Path], schema: pyarrow.Schema, beat: Callable[[], None]
) -> int:
    """One file out of many, a few thousand rows in memory at a time; returns the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = waiting = 0
    tables: list[Any] = []
    unfinished = _unfinished(target)
    with pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
        for part in parts:
            tables.append(columns_read(part))
            waiting += tables[-1].num_rows
            if waiting >= ROWS_A_GROUP:
                writer.write_table(pa.concat_tables(tables).combine_chunks())
                rows, waiting, tables = rows + waiting, 0, []
            beat()
        if waiting:
            writer.write_table(pa.concat_tables(tables).combine_chunks())
    unfinished.replace(target)
    return rows + waiting
