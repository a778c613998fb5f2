"""CSV, for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

from apps.releases.formats.format import Format, Loading, texts
from apps.releases.rows import Passing, json_cell, neutral_cell

COLUMNS = (
    "id", "premise", "premises", "hypothesis", "gold_label", "soft_label", "answers", "direction", "genre",
    "source", "facts", "origin", "swapped_from", "tags", "file_label", "calculus_label", "calculus_reason",
    "calculus_confidence", "calculus_assumed", "split", "group",
)  # fmt: skip


_YES_NO: dict[bool | None, str] = {True: "true", False: "false", None: ""}


_writer: Any = csv.writer(Passing())


def line(row: dict[str, Any], *, index: int, labels: Sequence[str]) -> str:
    """What a cell can't hold (lists, shares) is JSON there."""
    calculus = row["calculus"] or {}
    flat = {
        **row,
        **{
            name: json_cell(row[name])
            for name in ("premises", "answers", "tags", "soft_label", "facts")
            if row[name] is not None
        },
        "calculus_label": calculus.get("label"),
        "calculus_reason": calculus.get("reason"),
        "calculus_confidence": calculus.get("confidence"),
        "calculus_assumed": _YES_NO[calculus.get("assumed")],
    }
    written: str = _writer.writerow([neutral_cell(flat.get(name)) for name in COLUMNS])
    return written


FORMAT = Format(
    ending="csv",
    holds="the same as a table; lists are JSON in their cell, and a cell that begins like a formula has `'` "
    "before it",
    line=line,
    loading=Loading(
        "table",
        datasets=('"csv", data_files={files}, keep_default_na=False,', f"features={texts(COLUMNS)},"),
        pandas='read_csv("{file}", keep_default_na=False)',
        polars='read_csv("{file}", infer_schema=False)',
    ),
    header=",".join(COLUMNS) + "\r\n",
)
