"""The buttons of a validation card."""

import pytest
from django.utils.translation import override

from apps.campaigns.answers import answers_of
from apps.datasets.labels import BY_VALUE, LABEL_SETS
from apps.datasets.models import Dataset


@pytest.mark.parametrize(
    ("labels", "buttons"),
    [
        (["entailment", "non-entailment"], "1 entailment, 2 non-entailment, 3 unnatural"),
        (
            ["entailment", "neutral", "contradiction"],
            "1 entailment, 2 neutral, 3 contradiction, 4 unnatural",
        ),
        (["follows"], "1 follows, 2 unnatural"),
    ],
)
def test_a_datasets_labels_in_order_then_unnatural(labels, buttons):
    answers = answers_of(Dataset(labels=labels))
    assert ", ".join(f"{answer.key} {answer.value}" for answer in answers) == buttons
    assert all(str(answer.title) for answer in answers)


def test_a_label_without_words_of_its_own_shows_itself():
    assert answers_of(Dataset(labels=["follows"]))[0].title == "follows"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", LABEL_SETS)
def test_where_a_button_says_it_cannot_be_true_no_other_fits_that_too(key, language):
    """*Need not be true* is so of a contradiction as well; with two labels it is meant to be."""
    labels = list(LABEL_SETS[key])
    with override(language):
        answers = {
            answer.value: (str(answer.title), str(answer.meaning))
            for answer in answers_of(Dataset(labels=labels))
        }
        neutral = (str(BY_VALUE["neutral"].title), str(BY_VALUE["neutral"].meaning))
    assert len(set(answers.values())) == len(labels) + 1
    assert (answers["non-entailment"] == neutral) is ("contradiction" in labels)
