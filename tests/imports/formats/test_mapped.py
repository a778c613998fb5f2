"""A table of which somebody has said what its columns hold."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from apps.corpora.sources import FileProblem
from apps.imports.formats.mapped import ColumnMapping, values_of
from apps.imports.rows import Answer, NeedsColumns
from tests.imports import layouts

MAPPING = ColumnMapping(
    premises=("p1", "p2"),
    hypothesis="h",
    label="l",
    direction="d",
    tags=("t",),
    source="s",
    answers=("a1", "a2"),
    facts=("score",),
    values={"0": "entailment", "1": "neutral", "2": "contradiction"},
)
TABLE = "p1,p2,h,l,d,t,s,a1,a2,score\nOne.,Two.,Three.,2,Upward,npi; negation,Me 2020,0,1,0.5\n"


def test_every_kind_of_column(pairs_in):
    (row,) = pairs_in(TABLE, "x.csv", format="mapped", mapping=MAPPING)
    assert (row.premises, row.hypothesis, row.label) == (("One.", "Two."), "Three.", "contradiction")
    assert (row.direction, row.tags, row.source) == ("upward", ("negation", "npi"), "Me 2020")
    assert row.answers == (Answer("entailment"), Answer("neutral"))
    assert row.facts == {"score": "0.5"}


def test_json_and_parquet_keep_numbers_and_lists(pairs_in):
    cells = {"p": ["One.", "Two."], "h": "Three.", "l": 1, "t": ["npi"], "a": [0, 1], "score": 0.5}
    mapping = ColumnMapping(
        ("p",), "h", "l", tags=("t",), answers=("a",), facts=("score",), values=MAPPING.values
    )
    (row,) = pairs_in(layouts.parquet([cells]), "x.parquet", mapping=mapping)
    assert (row.premises, row.label, row.tags) == (("One.", "Two."), "neutral", ("npi",))
    assert row.answers == (Answer("entailment"), Answer("neutral"))
    assert row.facts == {"score": 0.5}


@pytest.mark.parametrize("header", ["premise,hypothesis,label", "Sentence1,Sentence2,gold", "p,h,gold_label"])
def test_usual_names_need_no_mapping(pairs_in, header):
    (row,) = pairs_in(f"{header}\nOne.,Two.,neutral\n", "x.csv")
    assert (row.premises, row.hypothesis, row.label) == (("One.",), "Two.", "neutral")


def test_unknown_names_are_asked_about(events):
    with pytest.raises(NeedsColumns) as asked:
        events("first\tsecond\nOne.\tTwo.\n")
    assert asked.value.names == ["first", "second"]


def test_a_column_that_is_not_there_is_named(events):
    with pytest.raises(FileProblem, match="there is no column judged"):
        events("text\nOne.\n", mapping=ColumnMapping(("text",), "judged"))


def test_a_mapping_survives_being_stored():
    assert ColumnMapping.of(MAPPING.stored()) == MAPPING


@pytest.mark.parametrize("line", ["0", "0=perhaps", "=entailment"])
def test_what_a_label_stands_for_is_checked(line):
    with pytest.raises(ValidationError, match="write a label of the file"):
        values_of([line])
