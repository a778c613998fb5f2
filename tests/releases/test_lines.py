"""The lines of the text formats, put together by hand: as the csv and json modules write the same row."""

from __future__ import annotations

import csv
import io
import json

from apps.releases.columns import row_of, soft_label
from apps.releases.formats import json_lines, med, table
from apps.releases.rows import Calculus, Published

POSSIBLE = ("entailment", "non-entailment", "unnatural")
TEXTS = [
    "A dog ran.", "", " padded ", 'She said "no".', "a,b;c", '"', '""', "one\ntwo", "one\r\ntwo", "cr\rcr",
    "=1+1", "+1", "-1", "@me", "\ttab", "a\tb", "\x0bvt", "\x1cfs", "\x85", "\u2028", "\\", "\x01", "'",
    "é e\u0301 😀 漢字", "None", "[1]", '=a,"b"\n',
]  # fmt: skip


def published(text: str, **values: object) -> Published:
    calculus = Calculus("entailment", text, 1 / 3, True, "natlog", "1", "med", text)
    one = Published(
        7, 7, "d", (text,), text, "entailment", "upward", text, text, {}, "crowd", (), (), "", calculus
    )
    return one._replace(**values)


def rows():
    for text in TEXTS:
        yield published(text)
        yield published(text, premises=(text, "B."), tags=(text, "x"), facts={text: [text], "b": 1, "a": {}})
        yield published("A.", answers=("entailment", text, "unnatural"), file_label=text, direction="")
        yield published(text, gold="", calculus=None, origin="swap", prompt=3)
    yield published("A.", premises=(), calculus=Calculus("", "", 1e-07, None, "", "", "", ""))
    yield published("A.", calculus=Calculus("", "", 0.0, False, "", "", "", ""))


def as_json(item: Published) -> dict[str, object]:
    return {
        "id": item.pair,
        "premise": " ".join(item.premises),
        "premises": list(item.premises),
        "hypothesis": item.hypothesis,
        "gold_label": item.gold or None,
        "soft_label": soft_label(item.answers, POSSIBLE),
        "answers": list(item.answers),
        "direction": item.direction,
        "genre": item.genre,
        "source": item.source,
        "facts": item.facts,
        "origin": item.origin,
        "swapped_from": item.prompt if item.prompt != item.pair else None,
        "tags": list(item.tags),
        "file_label": item.file_label or None,
        "calculus": item.calculus and item.calculus._asdict(),
    }


def test_a_line_of_json_is_the_json_modules():
    for item in rows():
        line = json_lines.line(row_of(item, POSSIBLE), index=1, labels=POSSIBLE[:2])
        assert line + "}" == json.dumps(as_json(item), ensure_ascii=False)


def test_a_line_of_the_table_is_the_csv_modules():
    for item in rows():
        written = io.StringIO(newline="")
        csv.writer(written).writerow(as_cells(item))
        line = table.line(row_of(item, POSSIBLE), index=1, labels=POSSIBLE[:2])
        assert line + "\r\n" == written.getvalue()


def as_cells(item: Published) -> list[str]:
    row, calculus = as_json(item), item.calculus
    row |= {f"calculus_{name}": value for name, value in (calculus._asdict() if calculus else {}).items()}
    row["calculus_assumed"] = {True: "true", False: "false", None: ""}[calculus.assumed if calculus else None]
    for name in ("premises", "answers", "tags", "soft_label", "facts"):
        if row[name] is not None:
            row[name] = json.dumps(row[name], ensure_ascii=False, sort_keys=True)
    texts = ["" if row.get(name) is None else str(row[name]) for name in table.COLUMNS]
    return [f"'{text}" if text.startswith(tuple("=+-@\t\r")) else text for text in texts]


def test_a_line_of_meds_columns_has_as_many_cells_and_no_line_end():
    for item in rows():
        line = med.line(row_of(item, POSSIBLE), index=5, labels=POSSIBLE[:2])
        assert len(line.splitlines()) == 1
        cells = line.split("\t")
        assert len(cells) == len(med.COLUMNS)
        assert cells[:3] == ["5", str(item.prompt), str(item.pair)]
