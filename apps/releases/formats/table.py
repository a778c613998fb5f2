"""CSV, for spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apps.releases.columns import Row, soft_label_json
from apps.releases.formats.format import Format, Loading, texts
from apps.releases.rows import cell

COLUMNS = (
    "id", "premise", "premises", "hypothesis", "gold_label", "soft_label", "answers", "direction", "genre",
    "source", "facts", "origin", "swapped_from", "tags", "file_label", "calculus_label", "calculus_reason",
    "calculus_confidence", "calculus_assumed",
)  # fmt: skip
_ALL = (*COLUMNS, "split", "group")
_YES_NO: dict[bool | None, str] = {True: "true", False: "false", None: ""}


_kept_cell = lru_cache(4096)(cell)


def line(row: Row, *, index: int, labels: Sequence[str]) -> str:
    """What a cell can't hold (lists, shares) is JSON there."""
    item, calculus, swapped_from = row.item, row.item.calculus, row.swapped_from
    shares = _kept_cell(soft_label_json(item.answers, row.possible, in_cell=True)) if item.answers else ""
    before = (
        f"{item.pair},{cell(row.premise)},{cell(row.premises_json)},{cell(item.hypothesis)},"
        f"{_kept_cell(item.gold)},{shares},{_kept_cell(row.answers_json)},{_kept_cell(item.direction)},"
        f"{_kept_cell(item.genre)},{_kept_cell(item.source)},{cell(row.facts_cell)},"
        f"{_kept_cell(item.origin)},{'' if swapped_from is None else swapped_from},"
        f"{_kept_cell(row.tags_json)},{_kept_cell(item.file_label)},"
    )
    if calculus is None:
        return f"{before},,,"
    return (
        f"{before}{_kept_cell(calculus.label)},{cell(calculus.reason)},{calculus.confidence},"
        f"{_YES_NO[calculus.assumed]}"
    )


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
