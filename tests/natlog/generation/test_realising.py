"""Spaces, capitals and articles of a changed sentence."""

import pytest

from natlog.generation.change import Change, Operation
from natlog.generation.realising import realise
from natlog.parsing import load_parser
from natlog.tree import Polarity


def write(text, start, end, words, place=0):
    tree = load_parser().parse(text)
    change = Change(Operation.EXTEND, "adjective", start, end, tuple(words), place, Polarity.UP, False)
    return realise(tree, change)


@pytest.mark.parametrize(
    ("text", "start", "end", "words", "expected"),
    [
        ("Tom has a dog.", 3, 4, ["animal"], "Tom has an animal."),
        ("Tom has an old dog.", 3, 4, [], "Tom has a dog."),
        ("Tom has a dog.", 3, 3, ["old"], "Tom has an old dog."),
        ("Dogs bark.", 0, 0, ["old"], "Old dogs bark."),
        ("Old dogs bark.", 0, 1, [], "Dogs bark."),
        ("Tom sleeps.", 1, 1, ["or", "Ann"], "Tom or Ann sleeps."),
        ("Tom sleeps.", 2, 2, ["in", "the", "park"], "Tom sleeps in the park."),
        ("Tom sleeps in the park.", 2, 5, [], "Tom sleeps."),
        ("A dog barks.", 1, 2, ["animal"], "An animal barks."),
        ("Tom doesn't eat meat.", 4, 5, ["pork"], "Tom doesn't eat pork."),
    ],
)
def test_writing(text, start, end, words, expected):
    assert write(text, start, end, words)[0] == expected


def test_the_place_is_found_again():
    text, place = write("Tom has a dog.", 3, 3, ["old"], place=3)
    assert text[place:].startswith("dog")
    text, place = write("Tom has a dog.", 3, 4, ["animal"], place=3)
    assert text[place:].startswith("animal")
