"""Polarity on CCG derivations.

``fixtures/derivations.auto`` holds derivations written by hand in the manner of CCGbank, and
``fixtures/derivations.txt`` the sign that every word of them should get, line for line. Many are
examples of ``operators.toml``, so that every kind of operator is tried on both routes.
"""

import tomllib
from functools import reduce
from operator import mul
from pathlib import Path

import pytest

from natlog.lexicon import operators
from natlog.lexicon.conventions import UnknownConvention, conventions
from natlog.parsing.ccg import read_file, read_text
from natlog.parsing.label_schemes import CLEARNLP
from natlog.polarity import mark
from natlog.tree import Polarity

FIXTURES = Path(__file__).with_name("fixtures")
TREES = read_file(FIXTURES / "derivations.auto")
MARKED = (FIXTURES / "derivations.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("tree", "marked"), list(zip(TREES, MARKED, strict=True)), ids=[t.text for t in TREES]
)
def test_every_word_of_a_derivation_has_its_sign(tree, marked):
    assert str(mark(tree)) == marked


def test_the_lexicons_own_examples_come_out_the_same_on_derivations():
    entries = tomllib.loads(Path(operators.__file__).with_name("operators.toml").read_text(encoding="utf-8"))[
        "operator"
    ]
    examples = {example for entry in entries for example in entry["examples"]}
    words = {" ".join(word[:-1] for word in example.split()): example for example in examples}
    marked = {" ".join(token.text for token in tree.tokens): str(mark(tree)) for tree in TREES}
    tried = words.keys() & marked.keys()
    assert len(tried) >= 100
    assert {text: marked[text] for text in tried} == {text: words[text] for text in tried}


def product(steps):
    return reduce(mul, (step.effect for step in steps), Polarity.UP)


@pytest.mark.parametrize("convention", conventions())
def test_a_sign_is_the_product_of_its_steps(convention):
    for marking in (mark(tree, convention) for tree in TREES):
        assert marking.signs == tuple(map(product, marking.token_why))
        for constituent in marking.constituents:
            assert constituent.polarity is product(constituent.why)


def test_every_constituent_of_the_derivation_is_marked():
    for tree in TREES:
        nodes = [(node.start, node.end, node.label) for node in tree.root.walk() if node.children]
        assert [(item.start, item.end, item.label) for item in mark(tree).constituents] == nodes


def tree_of(text):
    return next(tree for tree in TREES if tree.text == text)


def test_the_chain_of_operators_is_told_outermost_first():
    marking = mark(tree_of("No doctor who gave no patient a hat slept."))
    chain = [(step.operator, step.argument, str(step.effect)) for step in marking.token_why[5]]
    assert chain == [("no", "first", "↓"), ("no", "first", "↓")]
    assert [step.surface for step in marking.token_why[8]] == ["No"]
    assert marking.token_why[8][0].tokens == (0,)


def test_a_noun_phrase_stands_outside_its_determiner_and_a_verb_phrase_under_its_subject():
    marking = mark(tree_of("No dog sees a cat."))
    assert marking.constituent(0, 2).polarity is Polarity.UP
    assert marking.constituent(2, 5).polarity is Polarity.DOWN
    assert marking.constituent(3, 5).polarity is Polarity.DOWN
    assert marking.constituent(0, 6).polarity is Polarity.UP


def test_an_object_quantifier_signs_the_verb_but_not_the_verb_phrase():
    marking = mark(tree_of("John gave every dog no bone."))
    assert marking.signs[1] is Polarity.DOWN
    assert marking.constituent(1, 6).polarity is Polarity.UP


def test_conventions_are_followed():
    tree = tree_of("The dog saw every cat")
    assert mark(tree, "default").signs[1] is Polarity.FLAT
    assert mark(tree, "med").signs[1] is Polarity.UP
    with pytest.raises(UnknownConvention):
        mark(tree, "nobody's")


def test_words_have_the_relations_that_a_dependency_parser_gives():
    tree = tree_of("No doctor who gave no patient a hat slept.")
    assert [(token.dep, tree.tokens[token.head].text) for token in tree.tokens] == [
        ("det", "doctor"),
        ("nsubj", "slept"),
        ("nsubj", "gave"),
        ("relcl", "doctor"),
        ("det", "patient"),
        ("dative", "gave"),
        ("det", "hat"),
        ("dobj", "gave"),
        ("ROOT", "slept"),
        ("punct", "slept"),
    ]


def test_every_relation_is_one_that_the_marker_reads():
    assert {token.dep for tree in TREES for token in tree.tokens} <= CLEARNLP.relations | {
        "csubj",
        "case",
        "dep",
    }
    assert all(len(tree.heads.roots) == 1 for tree in TREES)


C_AND_C_FRAGMENT = (
    r"(<T NP 0 2> (<T NP 0 2> (<T NP 0 2> (<L NP[nb]/N DT DT Every NP[nb]/N>) (<L N NN NN Swede N>) ) "
    r"(<T NP\NP 0 1> (<T S[pss]\NP 0 2> (<L (S[pss]\NP)/NP VBN VBN won (S[pss]\NP)/NP>) "
    r"(<T NP 0 2> (<L NP[nb]/N DT DT a NP[nb]/N>) (<L N NN NN prize N>) ) ) ) ) (<L . . . . .>) )"
)


def test_a_fragment_with_a_full_stop_is_read_as_subject_and_predicate():
    (tree,) = read_text(C_AND_C_FRAGMENT)
    assert str(mark(tree)) == "Every↑ Swede↓ won↑ a↑ prize↑ .↑"


def test_a_fragment_without_one_is_a_noun_phrase():
    phrase = C_AND_C_FRAGMENT.removeprefix("(<T NP 0 2> ").replace(" (<L . . . . .>) )", "")
    (tree,) = read_text(phrase)
    assert str(mark(tree)) == "Every↑ Swede↓ won↓ a↓ prize↓"


def test_operators_that_the_parser_attached_wrongly_are_found_by_their_words():
    text = (
        r"(<T S[dcl] 0 2> (<T S/S 0 2> (<L (S/S)/(S[asup]\NP) IN IN At (S/S)/(S[asup]\NP)>) "
        r"(<L S[asup]\NP JJS JJS most S[asup]\NP>) ) (<T S[dcl] 0 2> (<T NP 0 1> (<T N 0 2> "
        r"(<L N/N CD CD ten N/N>) (<L N NNS NNS dogs N>) ) ) (<L S[dcl]\NP VBP VBP bark S[dcl]\NP>) ) )"
    )
    (tree,) = read_text(text)
    assert str(mark(tree)) == "At↑ most↑ ten↑ dogs↓ bark↓"
