"""Excel workbooks: one sheet is read; what is no .xlsx is refused by its name."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from apps.corpora.sources import FileProblem
from apps.corpora.workbooks import MAXIMUM_UNPACKED, NeedsSheet, is_workbook, sheet_rows


def workbook(**sheets: list[list[object]]) -> bytes:
    """A workbook with these sheets, as Excel writes it."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


@pytest.fixture
def path(tmp_path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        found = tmp_path / "book.xlsx"
        found.write_bytes(data)
        return found

    return write


def rows(path: Path, sheet: str = "") -> list:
    with sheet_rows(path, sheet) as found:
        return list(found)


def test_the_only_sheet_with_something_in_it_is_read(path):
    file = path(
        workbook(Notes=[], Pairs=[["premise", "n"], [], ["Every dog barks.", 2], [None, date(2024, 5, 4)]])
    )
    assert is_workbook(file)
    assert [(number, cells[0]) for number, cells in rows(file)] == [
        (1, "premise"), (3, "Every dog barks."), (4, None),
    ]  # fmt: skip


def test_of_several_sheets_one_is_chosen(path):
    file = path(workbook(One=[["a"]], Two=[["b"]], Empty=[]))
    with pytest.raises(NeedsSheet, match="several sheets; choose one: One, Two") as asked:
        rows(file)
    assert asked.value.members == ["One", "Two"]
    assert rows(file, "Two") == [(1, ("b",))]
    with pytest.raises(FileProblem, match="no sheet “Three”"):
        rows(file, "Three")


def test_a_workbook_without_anything_has_no_rows(path):
    assert rows(path(workbook(Empty=[]))) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 512, r"old form \(\.xls\)"),
        (
            zipped({"mimetype": b"application/vnd.oasis", "content.xml": b"<x/>"}),
            r"OpenDocument file \(\.ods\)",
        ),
        (zipped({"xl/workbook.bin": b"x"}), r"binary Excel workbook \(\.xlsb\)"),
    ],
)
def test_other_workbooks_are_refused_by_name(path, data, message):
    with pytest.raises(FileProblem, match=message):
        is_workbook(path(data))


@pytest.mark.parametrize("data", [b"a,b\n", b"", b"PK\x03\x04 cut off", zipped({"x.tsv": b"one"})])
def test_what_is_no_workbook(path, data):
    assert not is_workbook(path(data))


def test_a_damaged_workbook_says_so(path):
    whole = _members(workbook(Pairs=[["a"], ["b"]]))
    whole["xl/worksheets/sheet1.xml"] = whole["xl/worksheets/sheet1.xml"][:-40]
    with pytest.raises(FileProblem, match="this Excel workbook can't be read"):
        rows(path(zipped(whole)))


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    ("size", "message"), [(40 * 2**20, "200 times its size"), (MAXIMUM_UNPACKED + 1, "more than 128 MB")]
)
def test_a_workbook_that_unpacks_to_too_much_is_refused_before(path, size, message):
    bomb = {**_members(workbook(Pairs=[["a"]])), "xl/sharedStrings.xml": b" " * size}
    with pytest.raises(FileProblem, match=message):
        rows(path(zipped(bomb)))
