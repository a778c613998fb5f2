"""The sections of a report, in the order in which its job makes them. A new one is a module with a ``KIND``
and its line here."""

from __future__ import annotations

from apps.reports.sections import balance, cues, downward, duplicates, lengths, probe, vocabulary
from apps.reports.sections.section import Kind, Section, Table

__all__ = ["SECTIONS", "Kind", "Section", "Table"]

SECTIONS: tuple[Kind, ...] = (
    balance.KIND,
    lengths.KIND,
    cues.KIND,
    vocabulary.KIND,
    duplicates.KIND,
    downward.KIND,
    probe.KIND,
)
