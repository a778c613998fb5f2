"""Sentences out of files: lines and tables; every bad row is named and stops nothing."""

import csv
import io

import pytest

from apps.corpora.formats.conllu import read_conllu
from apps.corpora.formats.readings import (
    MAXIMUM_CHARACTERS,
    Format,
    read_lines,
    sentence_digest,
    text_problem,
)
from apps.corpora.formats.tables import Layout, column_named, is_header, read_column, read_records


def texts(reading):
    return [row.text for row in reading.rows]


def table(text, format=Format.CSV, column=0, **layout):
    return read_column(read_records(text, format), Layout(column, **layout))


# ---- Lines ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_one_sentence_a_line_whatever_ends_it(end):
    reading = read_lines(f"Dogs run.{end}{end}  Cats sleep. {end}")
    assert [(row.line, row.text) for row in reading.rows] == [(1, "Dogs run."), (3, "Cats sleep.")]


def test_only_line_ends_end_a_line():
    assert texts(read_lines("Dogs\u2028run\x0bfast\x85now.")) == ["Dogs\u2028run\x0bfast\x85now."]


@pytest.mark.parametrize("text", ["", "\n\n  \n", "\ufeff".strip("\ufeff")])
def test_nothing_is_no_sentence_and_no_error(text):
    assert read_lines(text) == read_conllu(text) == table(text)
    assert read_lines(text).rows == read_lines(text).errors == ()


def test_a_sentence_that_is_too_long_meets_our_own_limit():
    reading = read_lines("Dogs run.\n" + "x" * 200_000)
    assert texts(reading) == ["Dogs run."]
    assert str(reading.errors[0]) == (
        f"row 2 (line 2): The sentence has 200,000 characters; at most {MAXIMUM_CHARACTERS:,} are stored."
    )


def test_rows_over_the_limit_are_one_error_that_names_the_first():
    reading = read_lines("Dogs run.\nCats sleep.\nBirds sing.\nFish swim.\n").limited(2)
    assert texts(reading) == ["Dogs run.", "Cats sleep."]
    assert str(reading.errors[0]) == (
        "row 3 (line 3): At most 2 rows are taken at once; this one and 1 after it are not."
    )
    assert reading.limited(2) == reading


# ---- Tables --------------------------------------------------------------------------------------
def test_quoted_newlines_commas_and_quotes_are_one_cell_and_survive_a_round_trip():
    rows = [["id", "text"], ["1", 'He said, "Dogs\nrun", twice.'], ["2", "Cats sleep."]]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    records = read_records(out.getvalue(), Format.CSV)
    assert [list(record.cells) for record in records] == rows
    assert [record.line for record in records] == [1, 2, 4]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_of_a_csv_is_found(separator):
    assert texts(table(f"id{separator}text\n1{separator}Dogs run.\n", column=1)) == ["Dogs run."]


def test_a_cell_of_200000_characters_is_a_bad_row_and_no_crash():
    reading = table(f'id,text\n1,"{"x" * 200_000}"\n2,Dogs run.\n', column=1)
    assert texts(reading) == ["Dogs run."]
    assert "200,000 characters" in reading.errors[0].message


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("7312", "this row: 1; in the first row: 2"),
        ("7312,Dogs, cats and birds run.", "this row: 3; in the first row: 2"),
        ("7312,", "empty"),
        ("7312,half \ud800 a character", "surrogate"),
        ("7312,a \0 in it", "NUL"),
    ],
)
def test_the_row_and_column_of_a_bad_row_are_named(bad, message):
    lines = [f"{n},Dog number {n} runs." for n in range(1, 10_001)]
    lines[7311] = bad
    reading = table("\n".join(["id,text", *lines]), column=1)
    assert len(reading.rows) == 9_999
    (error,) = reading.errors
    assert (error.number, error.line, error.column) == (7312, 7313, "text")
    assert message in error.message


def test_an_open_quote_is_named_by_the_line_it_opens_at():
    reading = table('text\nDogs run.\n"Cats sleep.\nBirds sing.\n')
    assert texts(reading) == ["Dogs run."]
    assert reading.errors[0].line == 3


def test_a_tsv_keeps_quotes_that_are_text_and_reads_those_that_a_spreadsheet_wrote():
    mnli = 'text\tlabel\n"Who?" asked Tom.\tneutral\n"Nobody."\tneutral\n'
    assert texts(table(mnli, Format.TSV)) == ['"Who?" asked Tom.', '"Nobody."']
    spreadsheet = 'text\tlabel\n"He said ""no""."\tneutral\n"Two\tparts."\tneutral\n'
    assert texts(table(spreadsheet, Format.TSV)) == ['He said "no".', "Two\tparts."]


def test_identifiers_come_along():
    assert table("id,text\nd-1,Dogs run.\n", column=1, id_column=0).rows[0].external_id == "d-1"


def test_without_a_header_the_first_row_is_a_sentence():
    assert len(table("Dogs run.\nCats sleep.\n", has_header=False).rows) == 2


@pytest.mark.parametrize(
    ("cells", "header"),
    [
        (["id", "text"], True),
        (["sentence 1", "gold label", ""], True),
        (["Premise "], True),
        (["1", "text"], False),
        (["d-1", "No dog barked."], False),
        (["no dog barked at the cat"], False),
        (["Did it bark?"], False),
    ],
)
def test_a_first_row_with_a_number_or_a_sentence_does_not_read_like_names(cells, header):
    assert is_header(cells) is header


@pytest.mark.parametrize(
    ("header", "wanted", "said"),
    [
        (["Premise ", "label"], "Premise", "There is no header “Premise”"),
        (["text", "id", "text"], "text", "stands there 2 times"),
        (["a", "b"], "text", "The headers found: 1 “a”, 2 “b”"),
        (["a", "b"], "", "Say which column"),
    ],
)
def test_a_header_that_is_not_there_once_is_answered_with_what_is(header, wanted, said):
    with pytest.raises(LookupError, match="headers found") as refusal:
        column_named(header, wanted)
    assert said in refusal.value.args[0]


def test_a_padded_header_is_offered_by_its_number():
    with pytest.raises(LookupError, match=r"by its number: 2\."):
        column_named(["label", "Premise "], "premise")
    assert column_named(["label", "Premise "], "2") == 1


# ---- Duplicates ----------------------------------------------------------------------------------
def test_composed_and_decomposed_letters_are_the_same_sentence():
    assert sentence_digest("Caf\u00e9s open.") == sentence_digest("Cafe\u0301s open.")
    assert sentence_digest("Cafés open.") != sentence_digest("Cafes open.")


def test_excel_s_hint_names_the_separator_and_is_no_header():
    reading = table('sep=;\r\ntext;n\r\n"Dogs, cats.";1\r\nOne\r\n')
    assert texts(reading) == ["Dogs, cats."]
    assert [(error.number, error.line) for error in reading.errors] == [(2, 4)]


@pytest.mark.parametrize("mark", ["\u202d", "\u202e"])
def test_a_text_that_turns_its_own_direction_is_no_sentence(mark):
    assert "turns its direction" in text_problem(f"The teacher gave{mark} sweets.")
    assert text_problem("\u200fשלום\u200f, Tom said.") == ""
