"""What a page shows and a paper takes: tables and figures, each with its files.

A page offers its exhibits by name: ``kept`` of its module of exhibits, which a study's report takes them from
too. The page's own address with ``?as=NAME.FORMAT`` is the file, so that the filters of an address are those
of every file of the page.
"""

from __future__ import annotations

from apps.frame.exhibits.answers import Exhibits, exhibit_answer
from apps.frame.exhibits.figures import Figure
from apps.frame.exhibits.tables import Cell, Column, Table

__all__ = ["Cell", "Column", "Exhibits", "Figure", "Table", "exhibit_answer"]
