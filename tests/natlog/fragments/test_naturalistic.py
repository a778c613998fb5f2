"""Pairs of an inference dataset, embedded: both tenses of a sentence, rows and labels."""

import csv
import itertools
from collections import Counter

import pytest

from natlog.fragments import naturalistic
from natlog.fragments.embedding import someone
from natlog.pairs import Pair
from natlog.parsing import load_parser


@pytest.mark.parametrize(
    ("sentence", "past"),
    [
        ("A man is playing a guitar", "a man was playing a guitar"),
        (
            "Two dogs are running and a man who is smiling watches them.",
            "two dogs were running and a man who was smiling watched them",
        ),
        ("There is no cat on the table.", "there was no cat on the table"),
        ("A woman isn't eating", "a woman wasn't eating"),
        ("John walks his dog", "John walked his dog"),
    ],
)
def test_a_sentence_has_both_tenses(sentence, past):
    found = naturalistic.tensed(load_parser().parse(sentence))
    assert found.past == past
    back = naturalistic.tensed(load_parser().parse(found.past[:1].upper() + found.past[1:]))
    assert back.present == found.present


@pytest.mark.parametrize(
    "sentence", ["A man playing a guitar", "A dog ran and a cat sleeps", "A man can swim"]
)
def test_a_sentence_whose_tense_cannot_be_told_is_passed_over(sentence):
    assert naturalistic.tensed(load_parser().parse(sentence)) is None


PAIRS = [
    Pair("A man is playing a guitar", "A man is playing an instrument", "entailment"),
    Pair("A cat is sleeping", "A cat is running", "contradiction"),
    Pair("A man playing", "A man", "entailment"),
]


def test_each_pair_gives_a_row_and_two_for_each_verb():
    rows = [item.row() for item in naturalistic.draw(PAIRS, load_parser(), 122, 1)]
    assert len(rows) == 122
    assert [row[1] for row in rows[:3]] == ["s1-s2", "f(s1)-s1", "f(s1)-s2"]
    labels = {(row[1], row[9], row[11]): row[5] for row in rows}
    assert labels["f(s1)-s2", "V", "entailment"] == "entailment"
    assert labels["f(s1)-s2", "V", "contradiction"] == "contradiction"
    assert labels["f(s1)-s2", "NV", "entailment"] == labels["f(s1)-s1", "NV", "contradiction"] == "neutral"
    for row in rows:
        if row[8] != "-":
            is_past = row[6] == "past"
            assert (" was " in row[2], " was " in row[3]) == (is_past, is_past)


def test_a_verb_s_tense_tells_nothing_of_the_label():
    pairs = [
        Pair(f"A {noun} is running", f"A {noun} is {doing}", label)
        for noun in ("dog", "cat", "man", "boy")
        for doing, label in (("moving", "entailment"), ("sleeping", "contradiction"))
    ]
    rows = [item.row() for item in naturalistic.draw(pairs, load_parser(), 61 * 8, 1)]
    counts = Counter((row[1], row[8], row[6], row[11]) for row in rows)
    assert set(counts.values()) == {2} and len(counts) == (1 + 2 * 30) * 2 * 2


@pytest.mark.parametrize("stop", ["", "."])
def test_sentences_end_as_the_pair_s_do(stop):
    pairs = [Pair(f"{pair.premise}{stop}", f"{pair.hypothesis}{stop}", pair.label) for pair in PAIRS]
    rows = [item.row() for item in naturalistic.draw(pairs, load_parser(), 122, 1)]
    assert all(text.endswith(".") == bool(stop) for row in rows for text in row[2:4])


def test_the_paper_s_own_rows_come_out_letter_by_letter(shared_data):
    """Sixteen pairs of SICK under thirty verbs, as people were shown them (appendix D). One is passed over,
    for its "cannot"; *learn* has the other past tense there, "learnt"."""
    asked = {
        (row["sentence1"], row["sentence2"]): row for row in _table(shared_data / "transitivity_human.tsv")
    }
    numbers = {row["pair_ID"] for row in asked.values()}
    pairs = [
        Pair(row["sentence_A"].strip(), row["sentence_B"], row["entailment_label"].lower())
        for row in _table(shared_data / "sick_corrected.csv")
        if row["pair_ID"] in numbers
    ]
    told = {}
    for number, base in enumerate(naturalistic._bases(pairs, load_parser())):
        for turn in (number, number + 2):  # the tense of a verb depends on the pair's number
            for item in naturalistic._rows(turn, base, itertools.cycle([someone()])):
                told[item.row()[2:4]] = item.row()[4]
    missing = {sentences for sentences in asked if sentences not in told}
    with_cannot = {one for one in missing if " cannot " in one[0] or " could not " in one[0]}
    assert (len(asked), len(with_cannot), len(missing - with_cannot)) == (1920, 120, 30)
    assert all(premise.startswith("Someone learnt that ") for premise, _ in missing - with_cannot)
    for sentences in set(asked) - missing:
        assert (told[sentences] == "entailment") == (asked[sentences]["gold_label"] == "entailment")


def _table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_too_few_pairs_are_refused():
    with pytest.raises(LookupError, match="3 pairs are wanted"):
        list(naturalistic.draw(PAIRS, load_parser(), 183, 1))


def test_a_part_of_a_file_is_chosen_by_a_column(tmp_path):
    path = tmp_path / "sick.txt"
    path.write_text(
        "sentence_A\tsentence_B\tentailment_label\tpart\n"
        "A man runs\tA man moves\tENTAILMENT\tTRAIN\n"
        "A cat runs\tA cat moves\tENTAILMENT\tTEST\n"
    )
    (pair,) = naturalistic.pairs_of(str(path), "part=TEST")
    assert pair.premise == "A cat runs"
    with pytest.raises(LookupError, match="no column set"):
        naturalistic.pairs_of(str(path), "set=TEST")
    with pytest.raises(LookupError, match="no row"):
        naturalistic.pairs_of(str(path), "part=DEV")
