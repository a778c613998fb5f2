"""Tables, JSON lines and Parquet as records, by the names of their columns."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.corpora.formats.readings import RowError
from apps.corpora.sources import opened
from apps.imports.records.json_objects import json_records
from apps.imports.records.record import Record
from apps.imports.records.tables import table_records
from apps.imports.rows import CellError


@pytest.fixture
def table(saved) -> Callable[..., tuple[tuple[str, ...], list]]:
    def read(text: str, **options) -> tuple[tuple[str, ...], list]:
        path = saved(text, "x")
        with opened(path, path.name) as source:
            records = table_records(source, **options)
            return records.columns, list(records.rows)

    return read


def cells(rows: list) -> list[list[str]]:
    return [list(row.cells.values()) for row in rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tb\n1\t2\n", [["1", "2"]]),
        ("a,b\n1,2\n", [["1", "2"]]),
        ("a;b\n1,5;2\n", [["1,5", "2"]]),
        ("a|b\n1|2", [["1", "2"]]),
        ("a\tb\r\n1\t2\r3\t4\n\n5\t6", [["1", "2"], ["3", "4"], ["5", "6"]]),
        # A quotation mark in a TSV is a letter …
        ('a\tb\n"Go" he said\t2\n', [['"Go" he said', "2"]]),
        ('a\tb\n"Go\t2\n', [['"Go', "2"]]),
        # … unless a spreadsheet wrote the file.
        ('a\tb\n"He said ""go"""\t2\n', [['He said "go"', "2"]]),
        ('a,b\n"one, two",2\n', [["one, two", "2"]]),
        ('a,b\n"one\ntwo",2\n', [["one\ntwo", "2"]]),
    ],
)
def test_separators_ends_and_quotes(table, text, expected):
    assert cells(table(text)[1]) == expected


def test_columns_without_or_with_the_same_name_are_told_apart(table):
    columns, rows = table("Text\ttext\t\n1\t2\t3\n")
    assert columns == ("Text", "text (2)", "column 3")
    assert rows == [Record(1, 2, {"text": "1", "text (2)": "2", "column 3": "3"})]


def test_a_table_without_a_header(table):
    columns, rows = table("one\ttwo\n", has_header=False)
    assert columns == ("column 1", "column 2")
    assert cells(rows) == [["one", "two"]]


def test_rows_and_lines_are_counted_apart(table):
    rows = table("a\tb\n\n1\t2\nthree\n\n4\t5\n")[1]
    assert [(row.number, row.line) for row in rows] == [(1, 3), (2, 4), (3, 6)]
    assert isinstance(rows[1], RowError)


def test_json_lines(saved):
    path = saved('{"A": 1, "b": [2]}\n\nnothing\n[]\n{"a": {}}\n', "x")
    with opened(path, "x") as source:
        records = json_records(source)
        rows = list(records.rows)
    assert records.columns == ("a", "b")
    assert [(type(row), row.number, row.line) for row in rows] == [
        (Record, 1, 1),
        (RowError, 2, 3),
        (RowError, 3, 4),
        (Record, 4, 5),
    ]


@pytest.mark.parametrize(("value", "text"), [("  a ", "a"), (None, ""), (3, "3"), (2.5, "2.5")])
def test_a_cell_as_text(value, text):
    assert Record(1, 1, {"x": value}).text("missing", "x") == text


@pytest.mark.parametrize("value", [True, [], {}, b"x"])
def test_a_cell_that_is_no_text(value):
    with pytest.raises(CellError, match="this is no text"):
        Record(1, 1, {"x": value}).text("x")
