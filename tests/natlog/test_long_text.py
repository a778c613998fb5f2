"""Texts that are no sentences: refused by the parser's limits, and none is walked pair by pair."""

from __future__ import annotations

import json

import pytest

from natlog.calculus import Labeller
from natlog.calculus.svg import tree_svg
from natlog.heads import DEEPEST
from natlog.parsing import load_parser
from natlog.parsing.constituents import MOST_LEVELS, levels
from natlog.parsing.spacy import LONGEST, LONGEST_WORD
from natlog.polarity import MOST_STEPS, mark
from natlog.profile import profile
from natlog.tokens import words_of
from natlog.tree import Polarity, to_dict, tree_from_dict

pytestmark = pytest.mark.usefixtures("ends")

NO_SENTENCES = {
    "20,000 characters without a space": "a" * 20_000,
    "20,000 brackets without a space": "(" * 20_000,
    "addresses without a space": "http://a.b/" * 1_800,
    "contractions without a space": "n't" * 6_600,
    "5,000 commas": "A dog" + " ," * 5_000 + " barked.",
    "5,000 commas without a space": "A dog" + "," * 5_000 + " barked.",
    "300 nested brackets": "A dog " + "( " * 300 + "barked" + " )" * 300 + ".",
    "2,000 coordinated nouns": "A dog" + " and a cat" * 2_000 + " barked.",
}
LONG_SENTENCES = {
    "130 coordinated nouns": "A dog" + " and a cat" * 130 + " barked.",
    "390 adjectives": "The " + "old " * 390 + "dog barked.",
    "130 nouns in one another": "The dog" + " of the dog" * 130 + " barked.",
    "130 clauses in one another": "John thinks that " * 130 + "a dog barked.",
    "95 relative clauses in one another": "No dog that saw " * 95 + "a cat barked.",
    "390 negations": "John did " + "not " * 390 + "run.",
    "399 determiners": "every " * 399,
    "150 nested brackets": "A dog " + "( " * 150 + "barked" + " )" * 150 + ".",
    "75 conditionals": "if dog the cat like " * 75,
}


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller()


@pytest.mark.parametrize("name", [*NO_SENTENCES, *LONG_SENTENCES])
def test_a_long_text_goes_through_all_that_natlog_does(labeller: Labeller, name: str) -> None:
    text = NO_SENTENCES.get(name) or LONG_SENTENCES[name]
    marking = mark(load_parser().parse(text))
    assert len(marking.signs) == len(marking.tree.tokens)
    assert json.loads(json.dumps(to_dict(marking)))["tree"]["text"] == text
    assert tree_from_dict(json.loads(json.dumps(to_dict(marking.tree)))) == marking.tree
    assert tree_svg(marking).endswith("</svg>")
    words_of(text)
    assert profile(marking).depth <= len(marking.signs)
    other = mark(load_parser().parse(f"Fine {text.replace('dog', 'poodle', 1)} indeed"))
    for premise, hypothesis in ((marking, marking), (marking, other), (other, marking)):
        labeller.label_marked(premise, hypothesis)
    labeller.label("A dog ran.", text)


@pytest.mark.parametrize("name", NO_SENTENCES)
def test_what_is_no_sentence_is_left_unparsed(name: str) -> None:
    tree = load_parser().parse(NO_SENTENCES[name])
    assert tree.confidence == 0 and levels(tree.root) <= 3


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("Go . " * (LONGEST // 2), True),
        ("Go . " * (LONGEST // 2 + 1), False),
        ("w" * LONGEST_WORD, True),
        ("w" * (LONGEST_WORD + 1), False),
    ],
)
def test_the_limits_of_a_sentence(text: str, parsed: bool) -> None:
    assert (load_parser().parse(text).confidence > 0) is parsed


@pytest.mark.parametrize("name", LONG_SENTENCES)
def test_no_tree_is_deeper_than_what_visits_it_can_go(name: str) -> None:
    tree = load_parser().parse(LONG_SENTENCES[name])
    assert levels(tree.root) <= MOST_LEVELS
    assert profile(mark(tree)).depth <= DEEPEST


def test_where_operators_are_heaped_up_no_sentence_is_read() -> None:
    few, many = (
        mark(load_parser().parse("John did " + "not " * count + "run.")) for count in (3, MOST_STEPS + 10)
    )
    assert set(many.signs) == {Polarity.FLAT} and not any(many.token_why)
    assert set(few.signs) != {Polarity.FLAT}
