"""A derivation step by step."""

import pytest

from natlog.fragments.grammar import load
from natlog.fragments.parsing import parse
from natlog.fragments.steps import steps
from natlog.logic.nltk_notation import to_nltk


def test_parts_come_before_wholes_and_the_last_step_is_the_sentences_meaning():
    found = steps(parse(load("sygns"), "every small dog did not run"))
    assert [step.text for step in found] == [
        "every", "small", "dog", "every small dog", "run", "run", "every small dog did not run",
    ]  # fmt: skip
    assert (found[3].syntax, found[3].rule) == ("NP -> Q.num ADJ N.num", r"Q(\x.(N(x) & ADJ(x)))")
    assert found[-1].meaning == "all x1.((dog(x1) & small(x1)) -> -run(x1))"
    assert [step.level for step in found] == [2, 2, 2, 1, 2, 1, 0]


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        ("sygns", "two birds that ann loved did not sleep or smile"),
        ("systematicity", "At most three large dogs ran."),
        ("transitivity", "Henry did not sleep."),
    ],
)
def test_the_last_step_is_what_the_fragment_says_the_sentence_means(fragment, sentence):
    derivation = parse(load(fragment), sentence)
    assert steps(derivation)[-1].meaning == to_nltk(derivation.meaning())
