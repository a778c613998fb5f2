"""The commands meaning and testbed."""

import io
import sys

import pytest

from natlog.__main__ import main


def feed(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_meaning_prints_a_row_a_sentence(monkeypatch, capsys):
    feed(monkeypatch, "One white dog did not run.\n\nann slept\n")
    assert main(["meaning", "sygns"]) == 0
    header, first, second = capsys.readouterr().out.splitlines()
    assert header == "sentence\tfol\tclf\tvf\tpolarity\ttags"
    assert first.split("\t")[:5] == [
        "One white dog did not run.",
        "exists x1.(dog(x1) & white(x1) & -run(x1))",
        "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 white x1 [SEP] b1 NOT b2 [SEP] b2 run x1",
        "EXIST AND DOG WHITE NOT RUN",
        "dog:up white:up run:down",
    ]
    assert second.startswith("ann slept\texists x1.(ann(x1) & sleep(x1))\t")


def test_meaning_refuses_what_lies_outside_with_line_and_word(monkeypatch, capsys):
    feed(monkeypatch, "ann slept\n\na zebra ran\nall dog ran\n")
    assert main(["meaning", "sygns"]) == 2
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "meaning: line 3, word 2: 'zebra' is not in the fragment",
        "meaning: line 4, word 2: 'dog' does not fit here",
    ]
    assert len(out.splitlines()) == 2


def test_meaning_names_a_file_that_is_not_there(tmp_path, capsys):
    assert main(["meaning", "sygns", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sygns", "transitivity", "systematicity"])
def test_testbed_writes_the_same_bytes_for_the_same_seed(name, tmp_path):
    paths = [tmp_path / f"{number}.tsv" for number in range(3)]
    for path, seed in zip(paths, ("4", "4", "5"), strict=True):
        assert main(["testbed", name, "--n", "30", "--seed", seed, "--out", str(path)]) == 0
    first, again, other = (path.read_bytes() for path in paths)
    assert first == again != other
    header, *rows = first.decode().splitlines()
    assert len(rows) == 30
    assert {len(row.split("\t")) for row in rows} == {len(header.split("\t"))}


@pytest.mark.parametrize(
    ("options", "says"), [(["--depth", "9"], "has depths 0 to 4"), (["--n", "0"], "at least one row")]
)
def test_testbed_refuses_an_option_that_cannot_be_and_writes_nothing(options, says, tmp_path, capsys):
    out = tmp_path / "out.tsv"
    assert main(["testbed", "sygns", *options, "--out", str(out)]) == 2
    assert says in capsys.readouterr().err
    assert not out.exists()


def test_testbed_says_what_its_columns_hold(capsys):
    assert main(["testbed", "sygns", "--columns"]) == 0
    assert "how many relative clauses" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "options", "proofs"),
    [
        ("sygns", [], 4 * 20),
        ("transitivity", [], 2 * 4),
        ("systematicity", [], 2 * 20),
        ("systematicity", ["--depth", "1"], 2 * 20),
    ],
)
def test_check_proves_what_the_rows_claim(name, options, proofs, capsys):
    kind = ["counting"] if options else []
    assert main(["testbed", name, "--n", "20", *options, "--check", *kind]) == 0
    assert capsys.readouterr().err.split() == [str(proofs), "proofs:", "confirmed"]


def test_a_pair_file_that_cannot_be_read_is_named(tmp_path, capsys):
    assert main(["testbed", "transitivity", "--pairs", str(tmp_path / "none.tsv")]) == 2
    assert "none.tsv" in capsys.readouterr().err
