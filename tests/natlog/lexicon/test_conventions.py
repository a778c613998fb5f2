"""The sentence that explains each convention where one is chosen is marked as that convention marks it."""

import pytest

from natlog.lexicon.conventions import conventions, load_convention
from natlog.parsing import load_parser
from natlog.polarity import mark


def words_of(example: str) -> list[str]:
    return [word[:-1] for word in example.split()]


@pytest.mark.parametrize("name", conventions())
def test_the_example_is_what_the_marker_says(name):
    example = load_convention(name).example
    assert words_of(example) == words_of(load_convention("default").example)
    tree = load_parser().parse(" ".join(words_of(example)[:-1]) + ".")
    assert str(mark(tree, name)) == example


def test_each_convention_marks_it_in_its_own_way():
    assert len({load_convention(name).example for name in conventions()}) == len(conventions())
