"""The buttons of a validation card."""

import pytest

from apps.campaigns.answers import answers_of
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
