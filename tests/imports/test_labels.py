"""How published files spell labels, answers and genres."""

import pytest

from apps.datasets.labels import BY_VALUE, SPELLINGS
from apps.imports.labels import answers_of, label_of, list_of, read_genre
from apps.imports.rows import Answer, CellError


@pytest.mark.parametrize(
    ("genre", "direction", "tags", "source"),
    [
        ("crowd:non_monotone", "non-monotone", (), "crowd"),
        ("crowd:downward_monotone:npi:conjunction", "downward", ("npi", "conjunction"), "crowd"),
        (
            "paper:upward_monotone:reverse:lexical_knowledge",
            "upward",
            ("reverse", "lexical_knowledge"),
            "paper",
        ),
        ("paper:FraCaS_GQ:upward_monotone", "upward", (), "paper:FraCaS_GQ"),
        ("paper:GLUE:lexical_knowledge:downward_monotone", "downward", ("lexical_knowledge",), "paper:GLUE"),
        (
            "paper:GLUE:upward_monotone:World knowledge:lexical_knowledge",
            "upward",
            ("World knowledge", "lexical_knowledge"),
            "paper:GLUE",
        ),
        ("upward_monotone:downward_monotone", "", (), ""),
        ("fiction", "", (), ""),
        ("", "", (), ""),
    ],
)
def test_med_s_genre_names_direction_tags_and_source(genre, direction, tags, source):
    assert read_genre(genre) == (direction, tags, source)


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("entailment", "entailment"),
        ("ENTAILMENT", "entailment"),
        (" neutral ", "neutral"),
        ("not_entailment", "non-entailment"),
        ("contradiction", "contradiction"),
        ("unknown", "neutral"),
        ("-", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_label_in_any_spelling(written, label):
    assert label_of(written, "gold_label") == label


def test_numbers_are_labels_only_where_it_is_said_what_they_stand_for():
    assert label_of(1, "label", {"0": "entailment", "1": "neutral"}) == "neutral"
    with pytest.raises(CellError, match="“1” is none of"):
        label_of(1, "label")


def test_an_empty_answer_is_nobody_s():
    assert answers_of(["neutral", "", "-", "entailment"], "x") == (Answer("neutral"), Answer("entailment"))


@pytest.mark.parametrize("written", ["[5, 4", "5, 4, 5", "{}", "__import__('os')", "[" * 5000, ""])
def test_only_a_list_is_read_as_one(written):
    with pytest.raises(CellError, match=r"a list such as"):
        list_of(written, "crowd_score")


def test_every_spelling_is_one_of_a_label_of_the_table():
    assert set(SPELLINGS.values()) == set(BY_VALUE)
