"""The text formats in which a release's pairs are published, each with a file for each split.

A new one is a module with a ``FORMAT`` and its place in the list, which is the card's order. Parquet, which
Croissant and the archive's digest rest on, is written beside them (apps/releases/production.py).
"""

from __future__ import annotations

from apps.releases.formats import json_lines, med, table
from apps.releases.formats.format import Format

__all__ = ["FORMATS", "Format"]

FORMATS: tuple[Format, ...] = (json_lines.FORMAT, table.FORMAT, med.FORMAT)
