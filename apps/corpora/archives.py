"""The one file in an archive, or the one sheet of a workbook, that brings sentences in."""

from __future__ import annotations

import csv
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePath

from django.utils.translation import gettext as _

from apps.corpora.sources import GZIP, ZIP, ZIP_EMPTY, FileProblem, NeedsMember, opened
from apps.corpora.workbooks import OLE, NeedsSheet, cell_text, is_workbook, sheet_rows


@dataclass(frozen=True)
class Packed:
    """What was packed, with its own name: a sheet as the text of a CSV file."""

    name: str
    data: bytes


def unpacked(data: bytes, file_name: str, most: int) -> Packed | None:
    """What is packed in a file, at most ``most`` bytes; None where it is no archive and no workbook.

    Raises FileProblem for one that is broken, too large, or holds several files or sheets.
    """
    if not data.startswith((GZIP, ZIP, ZIP_EMPTY, OLE)):
        return None
    with tempfile.NamedTemporaryFile() as copy:
        copy.write(data)
        copy.flush()
        path = Path(copy.name)
        try:
            if is_workbook(path):
                found = Packed(f"{PurePath(file_name).stem}.csv", _sheet_as_csv(path, most))
            else:
                with opened(path, file_name) as source:
                    found = Packed(source.name, source.stream.read(most + 1))
        except NeedsSheet as several:
            names = ", ".join(several.members[:20])
            text = _("the workbook has several sheets (%(names)s): save the one you want by itself")
            raise FileProblem(text % {"names": names}) from None
        except NeedsMember as several:
            names = ", ".join(several.members[:20])
            text = _("the archive holds several files (%(names)s): unpack it, and bring the one you want in")
            raise FileProblem(text % {"names": names}) from None
    if len(found.data) > most:
        raise FileProblem(_("the file holds more than %(limit)d MB. Split it.") % {"limit": most // 2**20})
    return found


def _sheet_as_csv(path: Path, most: int) -> bytes:
    """Rows are as long as the first one, unless they hold more."""
    text = io.StringIO()
    writer = csv.writer(text)
    with sheet_rows(path) as rows:
        width = 0
        for _number, row in rows:
            cells = [cell_text(cell) for cell in row]
            while len(cells) > width and not cells[-1].strip():
                cells.pop()
            width = width or len(cells)
            writer.writerow([*cells, *[""] * (width - len(cells))])
            if text.tell() > most:
                break
    return text.getvalue().encode("utf-8", "replace")
