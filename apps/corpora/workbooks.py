"""Sheets of Excel workbooks, row by row; other programs' and old workbooks are refused by their name."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import error as ZlibError

from django.utils.translation import gettext as _

from apps.corpora.sources import MOST_SHRUNK, SHRUNK_FROM, ZIP, FileProblem, NeedsMember

# A workbook's texts are held in memory while it is read: less than what a plain file may have.
MAXIMUM_UNPACKED = 128 * 1024 * 1024
OLE = bytes.fromhex("d0cf11e0a1b11ae1")

Row = tuple[int, tuple[Any, ...]]


class NeedsSheet(NeedsMember):
    """A workbook of several sheets with something in them, of which one is to be chosen."""

    def __init__(self, sheets: list[str]) -> None:
        super().__init__(sheets)
        shown = ", ".join(sheets[:20]) + (" …" if len(sheets) > 20 else "")
        self.message = _("the workbook has several sheets; choose one: %(names)s") % {"names": shown}
        self.args = (self.message,)


def is_workbook(path: Path) -> bool:
    """Whether a file is an Excel workbook. Raises FileProblem for a kind of workbook that is not read."""
    with path.open("rb") as file:
        head = file.read(len(OLE))
    if head == OLE:
        raise FileProblem(_("this is an Excel workbook in the old form (.xls): save it as .xlsx or as CSV"))
    if not head.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False  # whoever opens the archive says what is wrong with it
    if "content.xml" in names and "mimetype" in names:
        raise FileProblem(_("this is an OpenDocument file (.ods): save it as .xlsx or as CSV"))
    if "xl/workbook.bin" in names:
        raise FileProblem(_("this is a binary Excel workbook (.xlsb): save it as .xlsx or as CSV"))
    return "xl/workbook.xml" in names


@contextmanager
def sheet_rows(path: Path, sheet: str = "") -> Iterator[Iterator[Row]]:
    """The rows of one sheet that hold something, with their numbers from 1: the sheet of that name, or the
    only one. Formulas are what they came to. Raises FileProblem, and NeedsSheet where there are several."""
    import openpyxl

    _refuse_bombs(path)
    with path.open("rb") as file:  # the library would go by the name's end
        try:
            workbook = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        except Exception as error:  # whatever a damaged workbook makes of it
            raise _unreadable(error) from None
        yield _said(_rows(_sheet(workbook, sheet)))


def _sheet(workbook: Any, wanted: str) -> Any:
    sheets = {sheet.title: sheet for sheet in workbook.worksheets}
    if wanted:
        if wanted not in sheets:
            raise FileProblem(_("the workbook has no sheet “%(name)s”") % {"name": wanted[:60]})
        return sheets[wanted]
    filled = [title for title, sheet in sheets.items() if next(_said(_rows(sheet)), None)]
    if len(filled) > 1:
        raise NeedsSheet(filled)
    return sheets[filled[0]] if filled else next(iter(sheets.values()), None)


def _rows(sheet: Any) -> Iterator[Row]:
    if sheet is None:
        return
    sheet.reset_dimensions()  # what a workbook says of its size is often wrong
    for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
        if any(cell is not None and str(cell).strip() for cell in cells):
            yield number, cells


def _said(rows: Iterator[Row]) -> Iterator[Row]:
    try:
        yield from rows
    except Exception as error:  # as above
        raise _unreadable(error) from None


def _unreadable(error: Exception) -> FileProblem:
    if isinstance(error, FileProblem):
        return error
    reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return FileProblem(_("this Excel workbook can't be read: %(error)s") % {"error": reason})


def _refuse_bombs(path: Path) -> None:
    """By the sizes that the archive's list says; more than those is never unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ZlibError, OSError, ValueError) as error:
        raise _unreadable(error) from None
    if unpacked > MAXIMUM_UNPACKED:
        raise FileProblem(
            _("the file holds more than %(limit)d MB. Split it.") % {"limit": MAXIMUM_UNPACKED // 2**20}
        )
    if unpacked > max(SHRUNK_FROM, MOST_SHRUNK * path.stat().st_size):
        raise FileProblem(
            _("the archive unpacks to more than %(n)d times its size and is refused") % {"n": MOST_SHRUNK}
        )


def cell_text(value: Any) -> str:
    """A cell as text; a whole number without a fraction.

    >>> cell_text(2.0), cell_text(None), cell_text(" a ")
    ('2', '', ' a ')
    """
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
