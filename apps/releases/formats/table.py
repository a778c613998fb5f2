"""CSV, for spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.releases.formats.format import Format, Loading, texts
from apps.releases.rows import cells_text, json_cell

COLUMNS = (
    "id", "premise", "premises", "hypothesis", "gold_label", "soft_label", "answers", "direction", "genre",
    "source", "facts", "origin", "swapped_from", "tags", "file_label", "calculus_label", "calculus_reason",
    "calculus_confidence", "calculus_assumed",
)  # fmt: skip
_ALL = (*COLUMNS, "split", "group")
_YES_NO: dict[bool | None, str] = {True: "true", False: "false", None: ""}


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
    return cells_text([flat.get(name) for name in COLUMNS])


def end(split: str, group: int) -> str:
    return f",{split},{group}\r\n"


FORMAT = Format(
    ending="csv",
    holds="the same as a table; lists are JSON in their cell, and a cell that begins like a formula has `'` "
    "before it",
    line=line,
    end=end,
    loading=Loading(
        "table",
        datasets=(
            '"csv", data_files={files}, keep_default_na=False,',
            f"features={texts(_ALL)},",
        ),
        pandas='read_csv("{file}", keep_default_na=False)',
        polars='read_csv("{file}", infer_schema=False)',
    ),
    header=",".join(_ALL) + "\r\n",
)
