"""What an answer comes to, and that none is guessed."""

import math

import pytest

from apps.inference.chat.answers import Alternative, Token, read_answer

TWO = {"entailment": "yes", "non-entailment": "no"}
THREE = {"entailment": "entailment", "neutral": "neutral", "contradiction": "contradiction"}


@pytest.mark.parametrize(
    ("text", "words", "label"),
    [
        ("yes", TWO, "entailment"),
        ("  Yes.", TWO, "entailment"),
        ("**No**, since some dogs are black.", TWO, "non-entailment"),
        ("“No”", TWO, "non-entailment"),
        ("NO!", TWO, "non-entailment"),
        ("entailment", TWO, "entailment"),
        ("Non-entailment: the premise …", TWO, "non-entailment"),
        ("<think>no, or yes?</think>\n\nyes", TWO, "entailment"),
        ("Contradiction", THREE, "contradiction"),
        ("1. neutral", THREE, "neutral"),
        # What follows is no label of these.
        ("", TWO, ""),
        ("…", TWO, ""),
        ("neutral", TWO, ""),
        ("not entailment", TWO, ""),
        ("The answer is yes.", TWO, ""),
        ("yesterday", TWO, ""),
        ("noyes", TWO, ""),
        ("<think>yes", TWO, ""),
        ("y", TWO, ""),
        ("5", TWO, ""),
        ('{"answer": "yes"}', TWO, ""),
    ],
)
def test_the_first_word_is_the_label(text, words, label):
    assert read_answer(text, form="word", words=words).label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"answer": "yes"}', "entailment"),
        ('Sure! {"answer": "No."} I hope that helps.', "non-entailment"),
        ('```json\n{\n  "label": "no",\n  "reason": "{yes}"\n}\n```', "non-entailment"),
        ('{"reason": "a {nested} brace", "answer": "yes"}', "entailment"),
        ('{"answer": "yes"} and again {"answer": "yes"}', "entailment"),
        ('{broken} {"answer": "no"}', "non-entailment"),
        # What follows is none.
        ('{"answer": "yes"} or {"answer": "no"}', ""),
        ('{"answer": ["yes"]}', ""),
        ('{"answer": true}', ""),
        ('{"answer": "maybe"}', ""),
        ('{"result": "yes"}', ""),
        ('{"answer": "yes"', ""),
        ("yes", ""),
        ("[" * 5000 + "{" * 5000, ""),
    ],
)
def test_json_is_found_within_prose(text, label):
    assert read_answer(text, form="json", words=TWO).label == label


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        ("", {"refusal": "No."}, "refused"),
        ("yes", {"finish": "content_filter"}, "refused"),
        ("I’m sorry, but no.", {}, "refused"),
        ("As an AI model …", {}, "refused"),
        ("Well", {"finish": "length"}, "cut"),
        ("Well", {}, "unreadable"),
        ("yes, bec", {"finish": "length"}, ""),
    ],
)
def test_why_an_answer_is_no_label(text, options, problem):
    assert read_answer(text, form="word", words=TWO, **options).problem == problem


def token(text, **shares):
    return Token(text, [Alternative(name, math.log(share)) for name, share in shares.items()])


def scores_of(text, tokens, form="word", words=TWO):
    reading = read_answer(text, form=form, words=words, tokens=tokens)
    return reading.scores if reading.has_probabilities else None


def test_scores_are_those_of_the_labels_own_token():
    tokens = [token('{"', a=1.0), token("answer", yes=0.9, no=0.1), token('": "', a=1.0),
              token("no", no=0.6, yes=0.2), token('"}', a=1.0)]  # fmt: skip
    assert scores_of('{"answer": "no"}', tokens, "json") == {"entailment": 0.25, "non-entailment": 0.75}


def test_a_token_counts_for_the_one_label_that_it_begins():
    words = {"entailment": "entailment", "neutral": "neutral", "contradiction": "contradiction"}
    first = token("ent", **{"ent": 0.4, " Ne": 0.2, "con": 0.2, "c": 0.2, "": 0.9, "Sure": 0.9})
    undefined = Token(first.text, [*first.alternatives, Alternative("n", math.nan)])
    found = scores_of("entailment", [undefined, token("ailment", ailment=1.0)], words=words)
    assert found == {"entailment": 0.4, "neutral": 0.2, "contradiction": 0.4}


def test_white_space_that_the_text_has_not_does_not_shift_the_place():
    assert scores_of("yes", [token("\n", yes=0.1), token(" yes", yes=0.8, no=0.2)]) == {
        "entailment": 0.8,
        "non-entailment": 0.2,
    }


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        [token("oui", yes=0.9)],  # not the text's tokens
        [token("yes", maybe=1.0)],  # none of a label
        [token("yes", no=1.0)],  # the said label is not among them
        [Token("yes", [])],
    ],
)
def test_without_usable_probabilities_the_said_label_alone_has_a_score(tokens):
    reading = read_answer("yes", form="word", words=TWO, tokens=tokens)
    assert (reading.scores, reading.has_probabilities) == ({"entailment": 1.0}, False)
