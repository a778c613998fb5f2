"""The chain of operators above a place, in words."""

import pytest

from apps.corpora.explanation import in_words, reasons_of


def step(operator, argument, effect, surface=None):
    return {
        "operator": operator,
        "surface": operator if surface is None else surface,
        "tokens": [0],
        "argument": argument,
        "effect": effect,
    }


NOT = step("not", "scope", "↓", "never")
EVERY = step("every", "first", "↓")
EXACTLY = step("exactly", "second", "=")


@pytest.mark.parametrize(
    ("chain", "so_far"),
    [([NOT], "↓"), ([NOT, EVERY], "↓↑"), ([NOT, EVERY, NOT], "↓↑↓"), ([EXACTLY, NOT], "=="), ([], "")],
)
def test_each_step_has_the_product_up_to_it(chain, so_far):
    assert "".join(reason.so_far for reason in reasons_of(chain)) == so_far


@pytest.mark.parametrize(
    ("chain", "words"),
    [
        ([], "No operator stands above it, so it is ↑."),
        ([NOT], "“never” makes its scope ↓."),
        (
            [NOT, EVERY],
            "“never” makes its scope ↓; “every” makes its first argument (the phrase it belongs to) ↓;"
            " together ↓ × ↓ = ↑.",
        ),
        (
            [step("bare-plural", "second", "↑", "")],
            "“bare plural” makes its second argument (the rest of the clause) ↑.",
        ),
        ([step("new", "elsewhere", "=")], "“new” makes its argument “elsewhere” =."),
    ],
)
def test_the_chain_is_one_sentence(chain, words):
    assert in_words(chain) == words


def test_every_argument_of_the_operators_has_words():
    from apps.corpora.explanation import _ARGUMENTS
    from natlog.lexicon.operators import ARGUMENTS

    assert {*ARGUMENTS, "word"} == set(_ARGUMENTS)
