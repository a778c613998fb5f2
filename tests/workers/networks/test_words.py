"""Words as numbers: the same texts, the same numbers; vectors from a file, or from a seed."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from workers.networks.batches import padded
from workers.networks.words import NOTHING, UNKNOWN, VectorFileError, WordReader, glove_rows

PAIRS = [("No dogs ran.", "No small dogs ran."), ("Some cats sleep", "Some cats sleep")]


def test_the_order_of_the_texts_changes_no_number():
    assert WordReader.fit(PAIRS).vocabulary == WordReader.fit(PAIRS[::-1]).vocabulary


def test_a_reader_comes_back_from_its_configuration():
    reader = WordReader.fit(PAIRS, hypothesis_only=True)
    assert WordReader.from_config(reader.config()).examples(PAIRS) == reader.examples(PAIRS)


def test_an_unknown_word_has_a_number_of_its_own():
    assert WordReader.fit(PAIRS).numbers(["dogs", "zebras"])[1] == UNKNOWN


def test_words_that_a_reader_was_never_shown_are_told_once_each_and_of_what_it_shows_alone():
    pair = ("No zebras ran, no zebras.", "No small zebras slept.")
    assert WordReader.fit(PAIRS).unknown(*pair) == ["zebras", ",", "slept"]
    assert WordReader.fit(PAIRS, hypothesis_only=True).unknown(*pair) == ["zebras", "slept"]
    assert WordReader.fit(PAIRS).unknown(*PAIRS[0]) == []
    assert WordReader.fit(PAIRS).unknown("", "") == []


def test_with_the_hypothesis_alone_every_premise_is_the_same():
    reader = WordReader.fit(PAIRS, hypothesis_only=True)
    assert {example.premise for example in reader.examples(PAIRS)} == {(NOTHING,)}


def test_rows_are_padded_to_the_longest():
    side = padded([[5, 6, 7], [8]])
    assert side.tokens.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert side.mask.tolist() == [[True, True, True], [True, False, False]]
    assert side.lengths.tolist() == [3, 1]


def test_vectors_come_from_a_file_and_the_rest_from_the_seed(tmp_path):
    file = tmp_path / "glove.txt"
    file.write_text("dogs 1 2\n. . 3 4\nzebras 5 6\n", encoding="utf-8")
    reader = WordReader.fit(PAIRS)
    vectors = reader.vectors(source=str(file), dimensions=2, seed=1)
    assert vectors[reader.numbers(["dogs"])[0]].tolist() == [1, 2]
    assert vectors[0].tolist() == [0, 0]
    assert vectors.equal(reader.vectors(source=str(file), dimensions=2, seed=1))
    assert not vectors.equal(reader.vectors(source=str(file), dimensions=2, seed=2))


def test_a_word_may_hold_spaces(tmp_path):
    file = tmp_path / "glove.txt"
    file.write_text(". . . 3 4\n", encoding="utf-8")
    assert list(glove_rows(file, 2)) == [(". . .", [3.0, 4.0])]


@pytest.mark.parametrize("line", ["dogs 1", "dogs 1 two"])
def test_a_damaged_line_is_named(tmp_path, line):
    file = tmp_path / "glove.txt"
    file.write_text(f"cats 1 2\n{line}\n", encoding="utf-8")
    with pytest.raises(VectorFileError, match="line 2"):
        list(glove_rows(file, 2))
