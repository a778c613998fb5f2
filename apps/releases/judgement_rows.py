"""The rows of published judgements, as JSON lines, as CSV and as columns for Parquet.

Of a person in a campaign and of an item, the text is made once and put into each of their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.releases.files import json_members, json_value
from apps.releases.judgements import Answers, Given, Judge, Judged
from apps.releases.rows import cells_text

if TYPE_CHECKING:
    import pyarrow

JUDGEMENT_COLUMNS = (
    "task", "campaign", "guideline_version", "annotator", "simulated", "has_left", "could_see_labels",
    "trust", "trust_then", "pair", "in_release", "premises", "hypothesis", "blank", "replacement", "flags",
    "answer", "rating", "nonsense", "skip_reason", "counted", "predictions_shown", "tries", "seconds",
    "shown_at", "submitted_at", "revised_at", "revisions",
)  # fmt: skip


def json_lines(answers: Answers) -> Iterator[str]:
    """A line a judgement."""
    of_items: dict[Judged, tuple[str, str]] = {}
    said: dict[tuple[Any, ...], str] = {}
    for row, item, judge in answers.rows:
        what, pair = of_items.get(item) or of_items.setdefault(item, _item_members(item))
        who, trust, where, kind = judge.texts.get("json") or _judge_members(judge)
        values = row[3:11]
        if values not in said:
            said[values] = _said_members(row)
        shown, submitted, revised = _times(row, judge)
        then = _trust_then(judge, submitted)
        made = json_value(answers.replacements.get(row.pk, [])) if item.pair is None else "[]"
        yield (
            f'{{{who}, {what}, "replacements": {made}, {trust}, '
            f'"trust_then": {"null" if then is None else then}, {where}, '
            f'"guideline_version": {answers.guidelines[row.guideline]}, {kind}, {pair}, {said[values]}, '
            f'"seconds": {row.seconds if judge.is_timed else "null"}, "shown_at": {_quoted(shown)}, '
            f'"submitted_at": {_quoted(submitted)}, "revised_at": {_quoted(revised)}, '
            f'"revisions": {row.revisions}}}\n'
        )


def _item_members(item: Judged) -> tuple[str, str]:
    texts = ", ".join(map(json_value, item.premises))
    hypothesis = "null" if item.hypothesis is None else json_value(item.hypothesis)
    blank = "null" if item.blank is None else json_value(item.blank)
    return (
        f'"in_release": {"true" if item.in_release else "false"}, "premises": [{texts}]',
        f'"pair": {"null" if item.pair is None else item.pair}, "hypothesis": {hypothesis}, "blank": {blank}',
    )


def _judge_members(judge: Judge) -> tuple[str, ...]:
    made = judge.texts["json"] = (
        json_members({"annotator": judge.annotator}),
        json_members({"trust": judge.standing.trust}),
        json_members({"task": judge.task, "campaign": judge.campaign}),
        json_members({"simulated": judge.simulated, "has_left": judge.has_left}),
    )
    return made


def _said_members(row: Given) -> str:
    return json_members(
        {
            "answer": row.answer or None,
            "rating": row.rating,
            "nonsense": row.nonsense,
            "skip_reason": row.skip_reason or None,
            "counted": row.counted,
            "predictions_shown": row.predictions_shown,
            "tries": row.tries,
            "could_see_labels": row.could_see_labels,
        }
    )


def _quoted(moment: str | None) -> str:
    return f'"{moment}"' if moment else "null"


def _times(row: Given, judge: Judge) -> tuple[str | None, str | None, str | None]:
    if not judge.is_timed:
        return None, None, row.revised_at
    return row.shown_at, row.submitted_at, row.revised_at


def _trust_then(judge: Judge, submitted: str | None) -> float | None:
    if not submitted or not judge.standing.tested:
        return None
    return judge.standing.trust_at(datetime.fromisoformat(submitted))


def csv_lines(answers: Answers) -> Iterator[str]:
    """A line a judgement, or one for each replacement of a creation answer."""
    of_items: dict[Judged, str] = {}
    said: dict[tuple[Any, ...], str] = {}
    for row, item, judge in answers.rows:
        where, who, trust = judge.texts.get("csv") or _judge_cells(judge)
        values = row[3:10]
        if values not in said:
            said[values] = cells_text(values)
        shown, submitted, revised = _times(row, judge)
        then = _trust_then(judge, submitted)
        before = (
            f"{where},{answers.guidelines[row.guideline]},{who},{row.could_see_labels},{trust},"
            f"{'' if then is None else then}"
        )
        after = (
            f"{said[values]},{row.seconds if judge.is_timed else ''},{shown or ''},{submitted or ''},"
            f"{revised or ''},{row.revisions}\r\n"
        )
        made = answers.replacements.get(row.pk) if item.pair is None else None
        if not made:
            what = of_items.get(item) or of_items.setdefault(item, _item_cells(item, {}))
            yield f"{before},{what},{after}"
        for one in made or ():
            yield f"{before},{_item_cells(item, one)},{after}"


def _judge_cells(judge: Judge) -> tuple[str, ...]:
    trust = judge.standing.trust
    made = judge.texts["csv"] = (
        cells_text((judge.task, judge.campaign)),
        cells_text((judge.annotator, judge.simulated, judge.has_left)),
        "" if trust is None else str(trust),
    )
    return made


def _item_cells(item: Judged, made: dict[str, Any]) -> str:
    return cells_text(
        (
            made.get("pair", item.pair),
            item.in_release,
            " ".join(item.premises),
            made.get("hypothesis", item.hypothesis),
            (item.blank or {}).get("text"),
            made.get("text"),
            " ".join(made["flags"]) if made else None,
        )
    )


# ---- Parquet ----------------------------------------------------------------------------------


def columns(answers: Answers) -> pyarrow.Table:
    """The judgements by :func:`judgement_schema`."""
    import pyarrow as pa

    rows = answers.rows
    items, of_item = _numbered(item for _row, item, _judge in rows)
    judges, of_judge = _numbered(judge for _row, _item, judge in rows)
    values = zip(*(row for row, _item, _judge in rows), strict=True) if rows else [()] * len(Given._fields)
    given = dict(zip(Given._fields, values, strict=True))
    times = [_times(row, judge) for row, _item, judge in rows]
    own: dict[str, Sequence[Any]] = {
        "guideline_version": [answers.guidelines[number] for number in given["guideline"]],
        "trust_then": [_trust_then(row[2], time[1]) for row, time in zip(rows, times, strict=True)],
        "replacements": [answers.replacements.get(number, []) for number in given["pk"]],
        "seconds": [row.seconds if judge.is_timed else None for row, _item, judge in rows],
        "shown_at": [time[0] for time in times],
        "submitted_at": [time[1] for time in times],
        "revised_at": [time[2] for time in times],
        **{name: [value or None for value in given[name]] for name in ("answer", "skip_reason")},
        **{name: given[name] for name in _AS_THEY_ARE},
    }
    made = []
    for column in judgement_schema():
        if column.name in own:
            made.append(pa.array(own[column.name], column.type))
        elif column.name == "trust":
            made.append(pa.array([judge.standing.trust for judge in judges], column.type).take(of_judge))
        else:
            whose, places = (items, of_item) if column.name in _OF_ITEMS else (judges, of_judge)
            values = [getattr(one, column.name) for one in whose]
            made.append(pa.array(values, column.type).take(places))
    return pa.Table.from_arrays(made, schema=judgement_schema())


_OF_ITEMS = ("pair", "in_release", "premises", "hypothesis", "blank")
_AS_THEY_ARE = (
    "could_see_labels", "rating", "nonsense", "counted", "predictions_shown", "tries", "revisions",
)  # fmt: skip


def _numbered(whose: Iterable[Any]) -> tuple[list[Any], Any]:
    """Each once, and for each in order the place of its own."""
    import pyarrow as pa

    places: dict[Any, int] = {}
    numbers = [places.setdefault(one, len(places)) for one in whose]
    return list(places), pa.array(numbers, pa.int64())


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
