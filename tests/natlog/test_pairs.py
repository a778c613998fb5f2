"""Pair files in every layout, and errors that name file and line."""

import pytest

from natlog.pairs import Pair, PairFileError, read_pairs

ROWS = [("A dog barks.", "An animal barks.", "entailment"), ("A dog barks.", "A cat barks.", "neutral")]
FRACAS = """<?xml version="1.0"?>
<fracas-problems>
<comment class="section"> 1 GENERALIZED QUANTIFIERS </comment>
<problem id="7" fracas_answer="yes"><p idx="1"> A dog barks. </p><q>?</q><h> An animal barks. </h></problem>
<problem id="8" fracas_answer="undef"><p idx="1">x</p><q>?</q><h>y</h></problem>
<problem id="9" fracas_answer="no"><p idx="1">x</p><p idx="2">z</p><q>?</q><h>y</h></problem>
<problem id="10" fracas_answer="unknown"><p idx="1">A dog barks.</p><q>?</q><h>A cat barks.</h></problem>
</fracas-problems>
"""
LAYOUTS = {
    "mnli.tsv": "index\tgenre\tsentence1\tsentence2\tgold_label\n"
    + "".join(f"1\tx\t{a}\t{b}\t{c}\n" for a, b, c in ROWS),
    "plain.jsonl": "".join(
        f'{{"premise": "{a}", "hypothesis": "{b}", "label": "{c}"}}\n' for a, b, c in ROWS
    ),
    "columns.txt": "".join(f"{a}\t{b}\t{c}\n" for a, b, c in ROWS),
    "sick.csv": "sentence_A,sentence_B,entailment_label\n"
    + "".join(f'"{a}","{b}",{c.upper()}\n' for a, b, c in ROWS),
    "crlf.tsv": "sentence1\tsentence2\tlabel\r\n" + "".join(f"{a}\t{b}\t{c}\r\n" for a, b, c in ROWS),
    "bom.tsv": "\ufeffsentence1\tsentence2\tlabel\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in ROWS),
    "fracas.xml": FRACAS,
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_gives_the_same_pairs(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(LAYOUTS[name].encode())
    assert [(pair.premise, pair.hypothesis, pair.label) for pair in read_pairs(str(path))] == ROWS


def test_quotes_in_a_tsv_are_text(tmp_path):
    path = tmp_path / "quotes.tsv"
    path.write_text('sentence1\tsentence2\n"No," he said.\tHe said "no\n')
    assert read_pairs(str(path)) == [Pair('"No," he said.', 'He said "no', line=2)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one column\n", "line 1: two tab-separated columns"),
        (b"a\tb\nc\n", "line 2: two tab-separated columns"),
        (b"sentence1\tsentence2\na\n", "line 2: 1 columns"),
        (b"sentence1\tsentence2\na\t \n", r"line 2: sentence2 .* missing or empty"),
        (b'{"premise": "a", "hypothesis": "b"}\nnonsense\n{"x": 1}', "line 2"),
        (b'{"premise": "a", "hypothesis": 3}\n', "line 1: sentence2 is no text"),
        (b'{"premise": "a"\n', "line 1: not JSON"),
        (
            b'{"premise": "a\\ud800", "hypothesis": "b"}\n',
            "line 1: sentence1 holds a NUL or a lone surrogate",
        ),
        (b"a\tb\n\xff\xfe\tc\n", "line 2: not UTF-8"),
        (b"a\tb\tmaybe\n", "line 1: label 'maybe' is none of"),
        (b"<fracas-problems><problem>", "line 1: not well-formed XML"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><x/>', "entities"),
        (b"", "no pair found"),
    ],
)
def test_bad_files_are_refused_by_line(tmp_path, content, message):
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(PairFileError, match=message) as error:
        read_pairs(str(path))
    assert str(path) in str(error.value)


def test_a_missing_file_is_named():
    with pytest.raises(PairFileError, match=r"nowhere\.tsv: No such file"):
        read_pairs("nowhere.tsv")
