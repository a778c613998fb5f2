"""JSON lines: all that is published of a pair."""

from __future__ import annotations

from collections.abc import Sequence

from apps.releases.columns import Row, kept_json, soft_label_json
from apps.releases.files import json_value
from apps.releases.formats.format import Format, Loading
from apps.releases.rows import Calculus

_WORDS: dict[bool | None, str] = {True: "true", False: "false", None: "null"}


def line(row: Row, *, index: int, labels: Sequence[str]) -> str:
    item, swapped_from = row.item, row.swapped_from
    return (
        f'{{"id": {item.pair}, "premise": {row.premise_json}, "premises": {row.premises_json}, '
        f'"hypothesis": {row.hypothesis_json}, "gold_label": {kept_json(item.gold or None)}, '
        f'"soft_label": {soft_label_json(item.answers, row.possible)}, "answers": {row.answers_json}, '
        f'"direction": {kept_json(item.direction)}, "genre": {kept_json(item.genre)}, '
        f'"source": {kept_json(item.source)}, "facts": {row.facts_json}, "origin": {kept_json(item.origin)}, '
        f'"swapped_from": {"null" if swapped_from is None else swapped_from}, "tags": {row.tags_json}, '
        f'"file_label": {kept_json(item.file_label or None)}, '
        f'"calculus": {"null" if item.calculus is None else _calculus(item.calculus)}'
    )


def _calculus(label: Calculus) -> str:
    return (
        f'{{"label": {kept_json(label.label)}, "reason": {json_value(label.reason)}, '
        f'"confidence": {label.confidence}, "assumed": {_WORDS[label.assumed]}, '
        f'"engine": {kept_json(label.engine)}, "version": {kept_json(label.version)}, '
        f'"convention": {kept_json(label.convention)}, "parser": {kept_json(label.parser)}}}'
    )


def end(split: str, group: int) -> str:
    return f', "split": "{split}", "group": {group}}}\n'


FORMAT = Format(
    ending="jsonl",
    holds="the same as JSON lines; imported again, they give the same pairs",
    line=line,
    end=end,
    loading=Loading("lines", datasets=('"json", data_files={files}, features=pairs["{first}"].features',)),
)
