"""JSON lines: all that is published of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.releases import files
from apps.releases.formats.format import Format, Loading


def line(row: dict[str, Any], *, index: int, labels: Sequence[str]) -> str:
    return files.json_value(row).removesuffix("}")


def end(split: str, group: int) -> str:
    return f', "split": "{split}", "group": {group}}}\n'


FORMAT = Format(
    ending="jsonl",
    holds="the same as JSON lines; imported again, they give the same pairs",
    line=line,
    end=end,
    loading=Loading("lines", datasets=('"json", data_files={files}, features=pairs["{first}"].features',)),
)
