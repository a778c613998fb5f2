"""Sentences out of CCG derivations: each one's text, and one error for each that can't be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.corpora.formats.ccg import read_ccg
from apps.corpora.formats.readings import Format

AUTO = r"(<T S[dcl] 1 2> (<L NP NNP NNP Ann NP>) (<L S[dcl]\NP VBZ VBZ sleeps S[dcl]\NP>) )"


def test_a_sentence_for_each_derivation():
    reading = read_ccg(f"ID=1\n{AUTO}\nID=2\n{AUTO.replace('Ann', 'Ben')}\n")
    assert [(row.number, row.text) for row in reading.rows] == [(1, "Ann sleeps"), (2, "Ben sleeps")]


def test_a_broken_derivation_is_one_error():
    reading = read_ccg(f"ID=1\n{AUTO}\nID=2\n{AUTO[:40]}\nID=3\n{AUTO}\n")
    assert [row.number for row in reading.rows] == [1, 3]
    (error,) = reading.errors
    assert (error.number, error.line) == (2, 4)
    assert error.message.startswith("No derivation: ")


@pytest.mark.parametrize("text", ["<root/>", "<root", "Dogs run.", AUTO[:-20]])
def test_a_file_that_is_no_derivation_is_one_error(text):
    reading = read_ccg(text)
    assert not reading.rows
    assert len(reading.errors) == 1


def test_an_empty_file_has_no_sentences():
    assert read_ccg("\n") == read_ccg("")
    assert not read_ccg("").errors


@pytest.mark.parametrize("name", ["fracas_001.xml", "wsj.auto"])
def test_a_derivation_file_is_known_by_its_name(name):
    assert Format.of_file(name) == Format.CCG


@pytest.mark.parametrize("parser", ["candc", "jigg"])
def test_both_parsers_of_the_same_problems_give_sentences(shared_data, parser):
    files: list[Path] = sorted((shared_data / "ccg" / parser).glob("*.xml"))
    readings = [read_ccg(path.read_text()) for path in files]
    assert not any(reading.errors for reading in readings)
    counted = [path.read_text().count("<ccg>" if parser == "candc" else "<sentence>") for path in files]
    assert [len(reading.rows) for reading in readings] == counted
