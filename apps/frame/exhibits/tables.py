"""A table as a page, CSV or LaTeX have it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.formats import number_format
from django.utils.functional import Promise

#: Between a mean and its deviation.
PLUS_MINUS = "±"


class Form(StrEnum):
    """What a column holds: words, whole numbers, shares of 1 (read as per cent), other figures, and means
    with their deviations, which are texts: ``98.5 ± 0.2``."""

    WORDS = "words"
    COUNT = "count"
    SHARE = "share"
    FIGURE = "figure"
    SPREAD = "spread"
    PROBABILITY = "probability"  # of a test: one that is too small to show is said to be below what is


@dataclass(frozen=True)
class Column:
    """``key`` names it in files, ``title`` on the page; ``decimals`` are those shown, files have all."""

    key: str
    title: str | Promise
    form: Form = Form.WORDS
    decimals: int = 0

    @property
    def is_number(self) -> bool:
        return self.form != Form.WORDS


@dataclass(frozen=True)
class Cell:
    """A value, None where there is none, with the address of the pairs (or whatever else) that it counts and
    a word that stands beside it, such as why there is none. ``key`` is what a CSV has in the place of a value
    that is worded for a reader."""

    value: str | int | float | None
    url: str = ""
    beside: str = ""
    key: str = ""


Row = Sequence[Cell]


@dataclass(frozen=True)
class Table:
    """``rows`` hold a cell for each of ``columns``. ``emphasised`` are the numbers of rows to set apart, such
    as totals."""

    title: str | Promise
    columns: Sequence[Column]
    rows: Sequence[Row]
    emphasised: frozenset[int] = field(default_factory=frozenset)

    @property
    def shown(self) -> list[tuple[bool, bool, list[tuple[Column, Cell, str]]]]:
        """Each row: whether it is set apart, whether its heading is that of the row above, and its cells with
        their columns and texts."""
        above = [None, *(row[0].value for row in self.rows)]
        return [
            (
                number in self.emphasised,
                row[0].value == above[number],
                [(column, cell, shown(column, cell)) for column, cell in zip(self.columns, row, strict=True)],
            )
            for number, row in enumerate(self.rows)
        ]

    def csv(self) -> str:
        """In the words of the files (English keys, points), every digit kept; empty where there is none."""
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow([_safe(column.key) for column in self.columns])
        for row in self.rows:
            writer.writerow(["" if cell.value is None else _safe(cell.key or cell.value) for cell in row])
        return text.getvalue()

    def markdown(self) -> list[str]:
        """The lines of a table in Markdown."""
        lines = [markdown_row(str(column.title) for column in self.columns), "|---" * len(self.columns) + "|"]
        for row in self.rows:
            both = zip(self.columns, row, strict=True)
            lines.append(markdown_row(plain(column, cell.value) for column, cell in both))
        return lines

    def latex(self) -> str:
        """A ``tabular`` with booktabs' rules; what it needs stands in its first line."""
        letters = "".join("r" if column.is_number else "l" for column in self.columns)
        lines = [
            r"% \usepackage{booktabs}",
            rf"\begin{{tabular}}{{{letters}}}",
            r"\toprule",
            " & ".join(_latex(str(column.title)) for column in self.columns) + r" \\",
            r"\midrule",
        ]
        for number, row in enumerate(self.rows):
            if number in self.emphasised and number:
                lines.append(r"\midrule")
            texts = [
                _latex(plain(column, cell.value)) for column, cell in zip(self.columns, row, strict=True)
            ]
            lines.append(" & ".join(texts) + r" \\")
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def shown(column: Column, cell: Cell) -> str:
    """A cell's text on the page, in the reader's language.

    >>> shown(Column("right", "", Form.SPREAD), Cell("98.5 ± 0.2"))
    '98.5 ± 0.2'
    """
    text = plain(column, cell.value)
    if column.form == Form.SPREAD and text != "–":
        return f" {PLUS_MINUS} ".join(number_format(part) for part in text.split(f" {PLUS_MINUS} "))
    if not column.is_number or text == "–":
        return text
    below, number = ("< ", text[2:]) if text.startswith("< ") else ("", text)
    return f"{below}{number_format(number)}"


def plain(column: Column, value: str | int | float | None) -> str:
    """A value with the decimals that its column shows; – for none.

    >>> plain(Column("share", "", Form.SHARE, 1), 0.5), plain(Column("n", "", Form.COUNT), None)
    ('50.0', '–')
    >>> plain(Column("p", "", Form.PROBABILITY, 4), 2e-9)
    '< 0.0001'
    """
    if value is None or value == "":
        return "–"
    if isinstance(value, str):
        return value
    if column.form == Form.PROBABILITY and value < (least := 10**-column.decimals):
        return f"< {least:.{column.decimals}f}"
    return f"{100 * value if column.form == Form.SHARE else value:.{column.decimals}f}"


def markdown_row(cells: Iterable[str]) -> str:
    """A line of a table in Markdown; a bar in a name would end its cell, and an end of a line the table."""
    return "| " + " | ".join(markdown_text(cell).replace("|", r"\|") for cell in cells) + " |"


def markdown_text(text: str) -> str:
    """A name, or a sentence, in one line of Markdown: what looks like HTML in it is shown and not taken."""
    return " ".join(text.split()).replace("\\", r"\\").replace("<", "&lt;")


def _safe(value: str | int | float) -> str | int | float:
    """A spreadsheet takes a text that begins like a formula for one."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "\n": " ",
        "·": r"$\cdot$",
        "∪": r"$\cup$",
        "⇒": r"$\Rightarrow$",
        "⇐": r"$\Leftarrow$",
        "⇔": r"$\Leftrightarrow$",
        "…": r"\ldots{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "→": r"$\rightarrow$",
        "×": r"$\times$",
        "κ": r"$\kappa$",
        "α": r"$\alpha$",
        "±": r"$\pm$",
        "≥": r"$\geq$",
        "–": "--",
        "−": r"$-$",
    }
)


def _latex(text: str) -> str:
    return text.translate(_LATEX)
