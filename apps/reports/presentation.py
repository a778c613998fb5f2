"""A report's facts as sections of tables, which the page and the CSV file show alike."""

from __future__ import annotations

import csv
import io

from django.utils.translation import override

from apps.releases.rows import neutral_cell
from apps.reports.models import BalanceReport
from apps.reports.sections import SECTIONS, Section


def sections(report: BalanceReport) -> list[Section]:
    """Those sections that are there yet, in order."""
    there = [kind for kind in SECTIONS if kind.name in report.facts]
    return [
        kind.shown(report, report.facts[kind.name]) for kind in sorted(there, key=lambda kind: kind.place)
    ]


def csv_text(report: BalanceReport) -> str:
    """Every table with its section's title before it, and the sentences; one file for a spreadsheet, in
    English whoever reads it, with plain spaces and minus signs."""
    out = io.StringIO()
    writer = csv.writer(out)
    with override("en"):
        found = sections(report)
    for section in found:
        writer.writerow([neutral_cell(section.title)])
        for sentence in section.words:
            writer.writerow([neutral_cell(sentence)])
        for table in section.tables:
            if table.title:
                writer.writerow([neutral_cell(table.title)])
            writer.writerow(map(neutral_cell, table.columns))
            writer.writerows(map(_cell, row) for row in table.rows)
        writer.writerow([])
    return out.getvalue().replace("\u00a0", " ")


def _cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; a negative number is none."""
    return text.replace("−", "-") if text.startswith("−") else neutral_cell(text)
