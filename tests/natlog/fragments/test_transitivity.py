"""The Boolean fragment: scope, labels, what is embedded."""

from collections import Counter

import pytest

from natlog.fragments import transitivity
from natlog.fragments.embedding import composite, someone, templates, two_way, verbs
from natlog.fragments.grammar import load
from natlog.fragments.meanings import meaning_of_sentence
from natlog.fragments.parsing import OutsideFragment, parse_all
from natlog.logic.nltk_notation import parse, to_nltk

GRAMMAR = load("transitivity")


def formula(sentence):
    return to_nltk(meaning_of_sentence(GRAMMAR, sentence).formula)


@pytest.mark.parametrize(
    ("sentence", "meaning"),
    [
        (
            "Ann and Bob saw Chris or Daniel.",
            "((see(ann,chris) | see(ann,daniel)) & (see(bob,chris) | see(bob,daniel)))",
        ),
        ("Ann and Bob did not swim.", "(-swim(ann) & -swim(bob))"),
        ("It is not the case that Ann and Bob did not swim.", "-(-swim(ann) & -swim(bob))"),
        ("Ann, Bob or Chris ran.", "(run(ann) | run(bob) | run(chris))"),
        ("Ann and Bob swim.", "(swim(ann) & swim(bob))"),
        ("Ann or Bob swims.", "(swim(ann) | swim(bob))"),
        ("Ann does not see Bob.", "-see(ann,bob)"),
    ],
)
def test_meanings(sentence, meaning):
    assert formula(sentence) == meaning


def test_three_names_associate_as_in_the_paper():
    found = meaning_of_sentence(GRAMMAR, "Ann, Bob and Chris ran.").formula
    assert (found.left, type(found.right).__name__) == (parse("run(ann)"), "And")


@pytest.mark.parametrize("sentence", ["Ann swim", "Ann and Bob swims", "Ann saw nobody", "Ann and Bob saw"])
def test_what_lies_outside_is_refused(sentence):
    with pytest.raises(OutsideFragment):
        formula(sentence)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Ann and Bob left.", "Ann left.", "entailment"),
        ("Ann or Bob left.", "Bob left.", "neutral"),
        ("Ann or Bob did not leave.", "Bob left.", "neutral"),
        ("Ann and Bob did not leave.", "Bob left.", "contradiction"),
        ("It was not the case that Ann or Bob left.", "Bob did not leave.", "entailment"),
    ],
)
def test_labels_by_truth_table(premise, hypothesis, label):
    first, second = (meaning_of_sentence(GRAMMAR, text).formula for text in (premise, hypothesis))
    assert transitivity.relation(first, second) == label


def test_the_verbs_are_those_of_table_4_half_of_them_veridical():
    assert len({verb.lemma for verb in verbs()}) == 30
    assert [verb.veridical for verb in verbs()] == [True] * 15 + [False] * 15
    assert len(GRAMMAR.words("PN")) == len(GRAMMAR.words("IV.past")) == len(GRAMMAR.words("TV.past")) == 10


def test_composites_follow_table_3_and_a_contradiction_stays_one_under_a_veridical_verb():
    found = {
        (v, base): composite(v, base)
        for v in (True, False)
        for base in ("entailment", "neutral", "contradiction")
    }
    assert [two_way(label) for label in found.values()] == ["entailment"] + ["non-entailment"] * 5
    assert found[True, "contradiction"] == "contradiction" != found[False, "contradiction"]


def test_forty_templates_agree_with_their_verb():
    assert len({template.text for template in templates()}) == 40
    know = next(verb for verb in verbs() if verb.lemma == "know")
    assert someone().around(know, "present", "Ann left") == "Someone knows that Ann left."
    plural = next(template for template in templates() if template.plural)
    assert plural.around(know, "present", "Ann left") == "We know that Ann left."
    assert plural.around(know, "past", "Ann left") == "We knew that Ann left."


@pytest.fixture(scope="module")
def items():
    return list(transitivity.draw(1000, None, 11))


def test_kinds_and_labels_have_the_papers_ratios(items):
    assert Counter(item.kind for item in items) == {"s1-s2": 200, "f(s1)-s1": 400, "f(s1)-s2": 400}
    shares = Counter((item.kind, two_way(item.label)) for item in items)
    assert shares["s1-s2", "entailment"] == 100
    assert shares["f(s1)-s1", "entailment"] == 200
    assert shares["f(s1)-s2", "entailment"] == 100


def test_rows_are_sentences_of_the_fragment_with_the_labels_of_their_formulas(items):
    for item in items[::5]:
        _, kind, first, second, _, label, _, count, *_ = item.row()
        assert kind == "s1-s2"
        (premise,), (hypothesis,) = parse_all(GRAMMAR, first), parse_all(GRAMMAR, second)
        assert transitivity.relation(premise.meaning(), hypothesis.meaning()) == label
        assert transitivity.connectives(premise.meaning()) == int(count) <= 6
        assert premise.meaning() == item.inference.formula
        names = [
            word for word in first.rstrip(".").replace(",", "").lower().split() if word in GRAMMAR.words("PN")
        ]
        assert len(names) == len(set(names))


def test_the_frame_stays_with_a_comma_too_and_the_complement_takes_its_tense(items):
    embedded = [item for item in items if item.verb]
    assert any("," in item.inference.first for item in embedded)
    for item in embedded:
        premise = item.row()[2]
        form = item.verb.past if item.inference.tense == "past" else item.verb.singular
        assert premise.startswith(f"Someone {form} that ")
        assert premise.lower().endswith(f"{item.inference.first}.")
        assert ("did not" in premise or "was not" in premise) <= (item.inference.tense == "past")


def test_fewer_connectives_when_asked_for():
    assert {int(item.row()[7]) for item in transitivity.draw(100, 2, 1)} <= {1, 2}
