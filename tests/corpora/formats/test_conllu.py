"""Sentences out of CoNLL-U: the text alone comes in, and a block with a fault is named by its line."""

import pytest

from apps.corpora.formats.conllu import read_conllu

CONLLU = """\
# sent_id = d-1
# text = Dogs don't run.
1\tDogs\tdog\tNOUN\t_\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\trun\trun\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

"""


def word(name, head="_"):
    return f"{name}\tdog\tdog\tNOUN\t_\t_\t{head}\t_\t_\t_"


def texts(reading):
    return [row.text for row in reading.rows]


def test_the_text_and_the_identifier_come_in():
    row = read_conllu(CONLLU).rows[0]
    assert (row.text, row.external_id) == ("Dogs don't run.", "d-1")


def test_without_a_text_line_the_words_are_joined_as_they_were_written():
    bare = "\n".join(line for line in CONLLU.splitlines() if not line.startswith("# text")) + "\n"
    assert texts(read_conllu(bare)) == ["Dogs don't run."]


@pytest.mark.parametrize(
    ("lines", "line", "column", "said"),
    [
        (["1\tDogs\tdog\tNOUN"], 10, "", "4 columns; CoNLL-U has ten"),
        (["# a comment", word("1"), "2\trun"], 12, "", "2 columns; CoNLL-U has ten"),
        (["this is no table"], 10, "", "1 column; CoNLL-U has ten"),
        ([word("1", "9")], 10, "HEAD", "The head “9” is no word of this sentence of 1 word."),
        ([word("1", "2"), word("2", "x")], 11, "HEAD", "The head “x” is no word"),
        ([word("1", "1")], 10, "HEAD", "Word 1 is its own head."),
        ([word("2")], 10, "ID", "The id “2” stands where word 1 is due."),
        ([word("1"), word("1")], 11, "ID", "The id “1” stands where word 2 is due."),
        ([word("1"), word("3")], 11, "ID", "The id “3” stands where word 2 is due."),
        ([word("x")], 10, "ID", "The id “x” stands where word 1 is due."),
        ([word("1"), word("1-2"), word("2")], 11, "ID", "The id “1-2” stands where"),
        ([word("1-3"), word("1"), word("2-4"), word("2")], 12, "ID", "overlaps the one before"),
        ([word("1-3"), word("1"), word("2")], 12, "ID", "ends at word 3, but the sentence has 2"),
        ([word("1"), word("2.1")], 11, "ID", "The id “2.1” stands where"),
        (["# nothing but a comment"], 10, "", "The block has no tokens."),
    ],
)
def test_a_block_with_a_fault_is_one_error_at_its_line(lines, line, column, said):
    reading = read_conllu(CONLLU + "\n".join(lines) + "\n\n" + CONLLU.replace("d-1", "d-2"))
    assert [row.external_id for row in reading.rows] == ["d-1", "d-2"]
    (error,) = reading.errors
    assert (error.number, error.line, error.column) == (2, line, column)
    assert said in error.message


def test_empty_nodes_ranges_and_a_file_without_analysis_are_sound():
    lines = [word("0.1"), word("1"), word("1.1"), word("1.2"), word("2-3"), word("2"), word("3")]
    assert not read_conllu("\n".join(lines) + "\n").errors
