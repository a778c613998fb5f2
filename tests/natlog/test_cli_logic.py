"""The commands prove and counter."""

import io
import json
import sys

import pytest

from natlog.__main__ import main


@pytest.fixture
def feed(monkeypatch):
    def put(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return put


def test_prove_answers_forward_and_back_for_each_line(feed, capsys):
    feed("% a comment\n? [X]: (dog(X) & run(X))\t? [X]: dog(X)\n\np\tp\n")
    assert main(["prove"]) == 0
    assert capsys.readouterr().out == "yes\tno\nyes\tyes\n"


def test_prove_shows_a_countermodel(feed, capsys):
    feed("? [X]: dog(X)\t? [X]: run(X)\n")
    assert main(["prove", "--countermodel"]) == 0
    assert capsys.readouterr().out == "no\tno\n  a: dog\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("p\tp &\n", "line 1, column 6: a formula is wanted, not the end"),
        ("p\tp\n! [X]: q(Y)\tp\n", "line 2, column 10: a free variable, Y"),
        ("p\n", "line 1: two formulas with a tab between are wanted, not 1"),
    ],
)
def test_prove_refuses_bad_input_with_its_place_and_proves_nothing(feed, capsys, text, place):
    feed(text)
    assert main(["prove"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert place in captured.err


def test_prove_says_which_provers_there_are(feed, capsys):
    feed("p\tp\n")
    assert main(["prove", "--prover", "oracle"]) == 2
    assert "no prover called 'oracle'" in capsys.readouterr().err


@pytest.fixture
def files(tmp_path):
    (tmp_path / "given").write_text("b1 REF x1\nb1 dog x1\nb1 run x1\n\nb1 REF x1 [SEP] b1 cat x1\n")
    (tmp_path / "gold").write_text("b1 REF x2\nb1 dog x2\nb1 sleep x2\n\nb2 REF x1\nb2 cat x1\n")
    return str(tmp_path / "given"), str(tmp_path / "gold")


def test_counter_prints_precision_recall_and_f(files, capsys):
    assert main(["counter", *files]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "precision  0.6667",
        "recall     0.6667",
        "f          0.6667",
        "2 clauses match of 3, gold 3, 2 DRSs",
    ]
    assert main(["counter", *files, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matched"] == 2


def test_counter_shows_clauses(files, capsys):
    assert main(["counter", *files, "--clauses"]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "DRS 1: 1 of 2 given, 2 gold",
        "  = b1 dog x1   b1 dog x2",
        "  - b1 run x1",
        "  + b1 sleep x2",
    ]


def test_counter_refuses_files_of_unequal_length_and_lines_that_are_no_clause(files, tmp_path, capsys):
    (tmp_path / "one").write_text("b1 REF x1\n")
    assert main(["counter", str(tmp_path / "one"), files[1]]) == 2
    assert "has 1 DRSs" in capsys.readouterr().err
    (tmp_path / "bad").write_text("b1 REF x1\n\nnonsense here now\n")
    assert main(["counter", str(tmp_path / "bad"), files[1]]) == 2
    assert "line 3, column 1" in capsys.readouterr().err
