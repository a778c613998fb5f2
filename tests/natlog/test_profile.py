"""What a parse shows of a sentence: operators at work, main and embedding verbs, depth."""

from __future__ import annotations

import pytest

from natlog.calculus import Labeller
from natlog.profile import Profile, profile, together


@pytest.fixture(scope="module")
def by() -> Labeller:
    return Labeller(convention="med")


@pytest.mark.parametrize(
    ("text", "operators", "verbs", "depth"),
    [
        ("No dog ran.", {"no"}, {"run"}, 0),
        ("Every dog that barked slept.", {"every"}, {"sleep"}, 1),
        ("Ann knows that Tom failed to win.", {"refuse"}, {"know", "fail"}, 2),
        ("Ann said that Bob knows that Tom won.", set(), {"say", "know"}, 2),
        ("At most three cats did not sleep if it rained.", {"at-most", "if", "not"}, {"sleep"}, 1),
    ],
)
def test_a_sentence_s_profile(by, text, operators, verbs, depth):
    assert profile(by.markings([text])[text]) == Profile(
        tuple(sorted(operators)), tuple(sorted(verbs)), depth
    )


def test_several_sentences_have_all_and_the_deepest():
    one, two = Profile(("no",), ("run",), 0), Profile(("every", "no"), ("know",), 2)
    assert together([one, two]) == Profile(("every", "no"), ("know", "run"), 2)
    assert together([]) == Profile()
