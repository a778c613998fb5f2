"""A model's words become a dataset's labels."""

import pytest

from apps.inference.labels import LabelError, canonical, fitted

TWO = ["entailment", "non-entailment"]
THREE = ["entailment", "neutral", "contradiction"]


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("ENTAILMENT", "entailment"),
        (" Neutral ", "neutral"),
        ("not_entailment", "non-entailment"),
        ("non entailment", "non-entailment"),
        ("contradiction", "contradiction"),
        ("e", "entailment"),
    ],
)
def test_known_spellings(word, label):
    assert canonical(word) == label


@pytest.mark.parametrize("word", ["LABEL_0", "", "positive", "\0"])
def test_an_unknown_word_is_an_error_that_names_it(word):
    with pytest.raises(LabelError, match="is none of entailment"):
        canonical(word)


@pytest.mark.parametrize(
    ("label", "labels", "expected"),
    [
        ("entailment", TWO, "entailment"),
        ("neutral", TWO, "non-entailment"),
        ("contradiction", TWO, "non-entailment"),
        ("contradiction", THREE, "contradiction"),
        ("non-entailment", THREE, "neutral"),
        ("contradiction", ["entailment", "neutral"], "neutral"),
    ],
)
def test_labels_are_fitted_to_the_dataset(label, labels, expected):
    assert fitted(label, labels) == expected


def test_a_label_without_a_place_is_an_error_that_names_the_labels():
    with pytest.raises(LabelError, match="good, bad"):
        fitted("entailment", ["good", "bad"])
