"""A table as CSV and LaTeX: the same figures, each in its reader's form."""

from __future__ import annotations

import csv
import io

import pytest
from django.utils import translation

from apps.frame.exhibits import Cell, Column, Table
from apps.frame.exhibits.tables import Form, shown

TABLE = Table(
    "Accuracy",
    [
        Column("model", "Model"),
        Column("pairs", "Pairs", Form.COUNT),
        Column("right", "Right, %", Form.SHARE, 1),
    ],
    [
        [Cell("R&D_1 ↑"), Cell(1200, "/pairs"), Cell(2 / 3)],
        [Cell("=cmd"), Cell(0), Cell(None, beside="nothing to compare")],
        [Cell("all"), Cell(1200), Cell(0.5)],
    ],
    emphasised=frozenset({2}),
)


def test_csv_keeps_every_digit_and_leaves_out_what_there_is_none_of():
    header, *rows = csv.reader(io.StringIO(TABLE.csv()))
    assert header == ["model", "pairs", "right"]
    assert rows[0] == ["R&D_1 ↑", "1200", "0.6666666667"]
    assert rows[1][2] == ""


def test_a_text_that_a_spreadsheet_takes_for_a_formula_is_quoted():
    assert list(csv.reader(io.StringIO(TABLE.csv())))[2][0] == "'=cmd"


def test_a_column_s_name_gets_the_same_care():
    assert Table("t", [Column("=1+1", "sum")], []).csv().strip() == "'=1+1"


def test_markdown_has_the_page_s_decimals_and_no_bar_ends_a_cell():
    assert TABLE.markdown() == [
        "| Model | Pairs | Right, % |",
        "|---|---|---|",
        "| R&D_1 ↑ | 1200 | 66.7 |",
        "| =cmd | 0 | – |",
        "| all | 1200 | 50.0 |",
    ]
    hard = Table("", [Column("a", "a|b")], [[Cell("c\\d|\ne")]])
    assert hard.markdown() == [r"| a\|b |", "|---|", r"| c\\d\| e |"]
    told = Table("Names", [Column("name", "name")], [[Cell("<b>A & B")]])
    assert told.markdown()[-1] == "| &lt;b>A & B |"


def test_a_heading_that_stands_above_is_not_shown_again():
    own = Table("", [Column("a", "a"), Column("n", "n", Form.COUNT)], [
        [Cell("x"), Cell(1)], [Cell("x"), Cell(2)], [Cell("y"), Cell(2)], [Cell("x"), Cell(3)],
    ])  # fmt: skip
    assert [again for _set_apart, again, _cells in own.shown] == [False, True, False, False]


def test_a_program_reads_the_same_whatever_language_a_reader_has():
    worded = Table("", [Column("kind", "Art")], [[Cell("anderes Wort", key="other word")]])
    assert worded.csv().split() == ["kind", "other", "word"]
    assert "anderes Wort" in worded.latex() and "| anderes Wort |" in worded.markdown()


def test_latex_has_no_letter_that_its_plain_fonts_lack():
    hard = Table("", [Column("a", "a")], [[Cell("D1 ∪ D2 | a < b · G ⇔ P\nx")]])
    assert r"D1 $\cup$ D2 \textbar{} a \textless{} b $\cdot$ G $\Leftrightarrow$ P x \\" in hard.latex()


def test_latex_has_booktabs_rules_escapes_and_the_decimals_of_the_page():
    lines = TABLE.latex().splitlines()
    assert lines[1:4] == [r"\begin{tabular}{lrr}", r"\toprule", r"Model & Pairs & Right, \% \\"]
    assert r"R\&D\_1 $\uparrow$ & 1200 & 66.7 \\" in lines
    assert r"=cmd & 0 & -- \\" in lines


def test_a_row_set_apart_has_a_rule_above_it():
    lines = TABLE.latex().splitlines()
    assert lines[lines.index(r"all & 1200 & 50.0 \\") - 1] == r"\midrule"


def test_a_row_that_lacks_a_cell_is_a_mistake_of_ours():
    with pytest.raises(ValueError, match="shorter"):
        Table("", TABLE.columns, [[Cell("a")]]).latex()


def test_a_mean_with_its_deviation_is_written_as_the_reader_writes_numbers():
    column = Column("right", "right", Form.SPREAD)
    with translation.override("de"):
        assert shown(column, Cell("98.5 ± 0.2")) == "98,5 ± 0,2"
        assert shown(column, Cell("98.5")) == "98,5" and shown(column, Cell(None)) == "–"
    assert Table("t", [column], [[Cell("98.5 ± 0.2")]]).csv().split() == ["right", "98.5", "±", "0.2"]
