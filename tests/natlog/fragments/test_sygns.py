"""The fragment of SyGNS: scope, forms of meaning, tags, what is refused."""

import pytest

from natlog.fragments import sygns
from natlog.fragments.grammar import load
from natlog.fragments.meanings import meaning_of, meaning_of_sentence
from natlog.fragments.parsing import OutsideFragment, parse, parse_all
from natlog.logic.formula import alpha_equivalent
from natlog.logic.nltk_notation import to_nltk
from natlog.logic.variable_free import formula_of

GRAMMAR = load("sygns")


def meaning(sentence):
    return meaning_of_sentence(GRAMMAR, sentence)


@pytest.mark.parametrize(
    ("sentence", "formula", "form"),
    [
        (
            "One white dog did not run.",
            "exists x1.(dog(x1) & white(x1) & -run(x1))",
            "EXIST AND DOG WHITE NOT RUN",
        ),
        (
            "all tigers ran or laughed",
            "all x1.(tiger(x1) -> (run(x1) | laugh(x1)))",
            "ALL TIGER OR RUN LAUGH",
        ),
        (
            "ann did not chase two dogs",
            "exists x1.(ann(x1) & -exists x2.(two(x2) & dog(x2) & chase(x1,x2)))",
            "EXIST ANN NOT TWO DOG CHASE",
        ),
        (
            "a cat that bob did not like slept",
            "exists x1.(cat(x1) & exists x2.(bob(x2) & -like(x2,x1)) & sleep(x1))",
            "EXIST AND CAT EXIST BOB NOT INV LIKE SLEEP",
        ),
        (
            "every dog did not kiss tom",
            "all x1.(dog(x1) -> -exists x2.(tom(x2) & kiss(x1,x2)))",
            "ALL DOG NOT EXIST TOM KISS",
        ),
    ],
)
def test_did_not_scopes_under_the_subject_and_over_the_verb_phrase(sentence, formula, form):
    found = meaning(sentence)
    assert (to_nltk(found.formula), str(found.form)) == (formula, form)


def test_the_row_has_every_form():
    assert meaning("all dogs did not run").row() == (
        "all dogs did not run",
        "all x1.(dog(x1) -> -run(x1))",
        "b1 IMP b2 b3 [SEP] b2 REF x1 [SEP] b2 dog x1 [SEP] b3 NOT b4 [SEP] b4 run x1",
        "ALL DOG NOT RUN",
        "dog:down run:down",
        "sbj_quant:yes;obj_quant:no;negation:yes;adjective:no;peripheral:no;center:no;adverb:no;conjunction:no;"
        "disjunction:no",
    )


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("ann liked a small dog", {"obj_quant", "adjective"}),
        ("bob liked a bear that chased all cats", {"obj_quant", "peripheral"}),
        ("bob liked a bear that slept", {"obj_quant", "peripheral"}),
        ("a bear that slept liked bob", {"sbj_quant", "center"}),
        ("two dogs that all cats kicked loved ann", {"sbj_quant", "center"}),
        ("bob liked a bear that all cats kicked", {"obj_quant", "center"}),
        ("two dogs that a bear that chased all polite cats kicked ran", {"sbj_quant", "center", "adjective"}),
        ("ann slept slowly", {"adverb"}),
        ("ann did not sleep and run", {"negation", "conjunction"}),
    ],
)
def test_tags_say_what_a_sentence_shows(sentence, shown):
    assert {tag for tag, is_shown in meaning(sentence).tags.items() if is_shown} == shown


@pytest.mark.parametrize(
    ("sentence", "word", "reason"),
    [
        ("a zebra ran", 2, "'zebra' is not in the fragment"),
        ("all dog ran", 2, "'dog' does not fit here"),
        ("ann did not ran", 4, "'ran' does not fit here"),
        ("ann liked", 2, "not complete after 'liked'"),
        ("ann slept quickly bob", 4, "'bob' does not fit here"),
        ("", 1, "a sentence is wanted"),
        ("ann " * 300, 201, "more than 200 words"),
    ],
)
def test_what_lies_outside_is_refused_with_the_place(sentence, word, reason):
    with pytest.raises(OutsideFragment, match=reason) as refused:
        meaning(sentence)
    assert refused.value.word == word


@pytest.mark.parametrize(
    "category", ["N.sg", "N.pl", "PN", "IV.base", "IV.past", "IV2.past", "TV.base", "ADJ", "ADV"]
)
def test_a_class_has_ten_words(category):
    assert len(set(GRAMMAR.words(category))) == 10


@pytest.mark.parametrize("depth", sygns.DEPTHS)
def test_drawn_sentences_have_the_depth_parse_in_one_way_and_differ(depth):
    sentences = [derivation.text for _, derivation in sygns.draw(60, 3, depth)]
    assert len(set(sentences)) == 60
    for sentence in sentences:
        (derivation,) = parse_all(GRAMMAR, sentence)
        assert derivation.depth == sentence.split().count("that") == depth


def test_the_variable_free_form_composed_by_its_own_column_says_what_the_formula_says():
    for _, derivation in sygns.draw(200, 5):
        found = meaning_of(GRAMMAR, derivation)
        assert alpha_equivalent(formula_of(found.form), found.formula)


def test_the_same_seed_draws_the_same_and_another_others():
    first, again, other = ([item[1].text for item in sygns.draw(20, seed)] for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("sentence", "quantifiers", "modifiers", "negation", "embedding"),
    [
        ("One tiger ran", "one", "-", "no", "-"),
        ("Ann chased Bob", "-", "-", "no", "-"),
        ("One small tiger did not chase every cat", "one;every", "ADJ", "yes", "-"),
        ("Two small tigers ran quickly", "two", "ADJ;ADV", "no", "-"),
        ("Every tiger ran or laughed", "every", "CON", "no", "-"),
        ("Bob liked a bear that did not run and laugh", "a", "CON", "yes", "PER"),
        (
            "Two dogs that a bear that chased all polite cats kicked loved Ann",
            "two;a;all",
            "ADJ",
            "no",
            "CEN",
        ),
    ],
)
def test_a_sentence_has_what_the_splits_look_at(sentence, quantifiers, modifiers, negation, embedding):
    """Tables 1 and 2; the last holds PER in a clause whose host goes on, which counts as CEN here."""
    found = sygns.phenomena(parse(GRAMMAR, sentence))
    assert found == {
        "quantifiers": quantifiers,
        "modifiers": modifiers,
        "negation": negation,
        "embedding": embedding,
    }
    assert set(found) == set(sygns.PHENOMENA)
