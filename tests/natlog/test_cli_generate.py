"""``python -m natlog generate``."""

import csv
import io
import json

import pytest

from natlog.__main__ import main
from natlog.pairs import read_pairs

SENTENCES = (
    "No dog barked loudly.\nEvery animal is hungry.\nThe dog barked.\nThe cat barked.\nTom saw a small dog.\n"
)


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_text(SENTENCES)
    return str(path)


def test_pairs_come_as_a_table_that_can_be_read_as_pairs(sentences, tmp_path, capsys):
    assert main(["generate", sentences, "--per-sentence", "9"]) == 0
    out, report = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    found = {(row["sentence1"], row["sentence2"]): row for row in rows}
    row = found["No dog barked loudly.", "No animal barked loudly."]
    assert (row["gold_label"], row["direction"], row["operation"]) == (
        "non-entailment",
        "downward",
        "substitute",
    )
    assert (row["before"], row["after"], row["start"], row["end"]) == ("dog", "animal", "3", "6")
    assert len(found) == len(rows)
    assert "substitute, downward, entailment" in report
    path = tmp_path / "pairs.tsv"
    path.write_text(out)
    assert len(read_pairs(str(path))) == len(rows)


def test_json_and_the_same_again(sentences, capsys):
    outputs = []
    for _turn in range(2):
        assert main(["generate", sentences, "--json", "--seed", "3"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert all(json.loads(line)["seed"] == 3 for line in outputs[0].splitlines())


def test_balance_limits_each_cell(sentences, capsys):
    assert main(["generate", sentences, "--balance", "1", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    cells = [(row["operation"], row["direction"], row["gold_label"]) for row in rows]
    assert len(cells) == len(set(cells))


def test_what_was_left_out_is_listed_with_the_reason(tmp_path, capsys):
    corpus, out = tmp_path / "s.txt", tmp_path / "rejected.tsv"
    corpus.write_text("Tom has a dog that barks.\nNo dog barked loudly.\nThe dog ran.\n")
    assert main(["generate", str(corpus), "--per-sentence", "9", "--rejected", str(out)]) == 0
    header, *rows = out.read_text().splitlines()
    assert header.split("\t") == ["sentence", "changed", "operation", "kind", "why", "detail"]
    assert ("left out" in capsys.readouterr().err) == bool(rows)


@pytest.mark.parametrize(
    "options",
    [["--operations", "shrink"], ["--per-sentence", "0"], ["--balance", "0"], ["--convention", "no"]],
)
def test_bad_options_are_named(sentences, options, capsys):
    assert main(["generate", sentences, *options]) == 2
    assert capsys.readouterr().err.startswith("generate: ")
