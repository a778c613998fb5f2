"""Comparing the CCG route with the dependency route, as a function and as a command."""

import argparse
import json
from pathlib import Path

import pytest

from natlog.commands import compare as command
from natlog.parsing import load_parser
from natlog.parsing.ccg import read_file
from natlog.polarity import mark
from natlog.polarity.comparison import agreement, compare

FIXTURE = Path(__file__).with_name("fixtures") / "derivations.auto"


class Swapped:
    """A parser that takes *no* for *some*, so that the two routes must differ."""

    def parse_tokens(self, words):
        return load_parser().parse_tokens([{"No": "Some"}.get(word, word) for word in words])


def run(*arguments):
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["compare", *map(str, arguments)])
    return args.run(args)


@pytest.fixture(scope="module")
def two_trees():
    trees = {tree.text: tree for tree in read_file(FIXTURE)}
    return [trees["Some dog sees every cat"], trees["No dog sees a cat."]]


def test_both_routes_mark_the_same_words(two_trees):
    found = compare(two_trees, load_parser())
    assert [item.differing for item in found] == [(), ()]
    assert agreement(found).token_share == 1.0


def test_differing_tokens_are_counted_and_shown(two_trees):
    found = compare(two_trees, Swapped())
    assert found[1].differing == (1, 2, 3, 4)
    counts = agreement(found)
    assert (counts.tokens, counts.agreeing_tokens) == (11, 7)
    assert (counts.sentences, counts.agreeing_sentences) == (2, 1)
    assert str(found[1]).splitlines() == [
        "ccg  No↑ [dog↓] [sees↓] [a↓] [cat↓] .↑",
        "dep  No↑ [dog↑] [sees↑] [a↑] [cat↑] .↑",
    ]


def test_nothing_compared_is_undefined():
    assert agreement([]).token_share is None


def test_the_real_files_agree_in_at_least_92_percent_of_their_tokens(shared_data):
    trees = [
        tree for path in sorted((shared_data / "ccg" / "candc").glob("*.xml")) for tree in read_file(path)
    ]
    counts = agreement(compare(trees, load_parser()))
    assert counts.tokens == 934
    assert counts.token_share >= 0.92


def test_real_c_and_c_and_jigg_files_are_marked_alike(shared_data):
    for path in sorted((shared_data / "ccg" / "candc").glob("*.xml")):
        jigg = read_file(shared_data / "ccg" / "jigg" / path.name)
        assert [mark(tree).signs for tree in read_file(path)] == [mark(tree).signs for tree in jigg]


def test_the_command_prints_counts_and_disagreements(capsys):
    assert run(FIXTURE) == 0
    out = capsys.readouterr().out
    assert out.startswith("tokens ")
    assert "sentences " in out


def test_the_command_prints_json(capsys):
    assert run(FIXTURE, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["n"] == sum(len(tree.tokens) for tree in read_file(FIXTURE))
    assert 0.9 < report["tokens"] <= 1
    for item in report["disagreements"]:
        assert item["tokens"]


def test_the_command_reports_what_it_cannot_read_and_goes_on(tmp_path, capsys):
    path = tmp_path / "one_bad.auto"
    good = FIXTURE.read_text(encoding="utf-8").splitlines()[1]
    path.write_text(f"{good}\n(<L N>)\n", encoding="utf-8")
    assert run(path) == 2
    captured = capsys.readouterr()
    assert "line 2" in captured.err
    assert "sentences  1 of 1" in captured.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.auto"], "absent.auto"),
        ([FIXTURE, "--convention", "nobody"], "no convention 'nobody'"),
        ([FIXTURE, "--parser", "no_such_pipeline"], "no_such_pipeline"),
    ],
)
def test_the_command_explains_what_it_cannot_use(arguments, message, capsys):
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
