"""Whatever a parser prints, however wrong: no exception, and a sign for every token."""

from functools import reduce
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natlog.parsing.ccg import DerivationError, read_text
from natlog.polarity import mark
from natlog.tree import Polarity

NAMES = r"""
N NP NP[nb]/N N/N NP/NP NP\NP (NP\NP)/NP (NP/N)\NP NP[conj] PP PP/NP S[dcl] S[dcl]\NP (S[dcl]\NP)/NP
(S[dcl]\NP)/(S[b]\NP) S/(S\NP) S[dcl]/NP (S\NP)\(S\NP) ((S\NP)\(S\NP))/NP S/S (S/S)/S[dcl] S[qem]/S[dcl]
S[em]/S[dcl] conj , . PR (NP/N)/(NP/N) (S[adj]\NP)/(S[to]\NP)
"""
VOCABULARY = """
every no not at least most two dogs bark if unless than more only the any too to refused lack of from but and
except when whether who neither nor 's all few half percent a lot . , zzz 5 ½ é 犬
"""
CATEGORIES = st.sampled_from(NAMES.split())
WORDS = st.sampled_from(VOCABULARY.split())
TAGS = st.sampled_from(["DT", "NN", "NNS", "VBD", "VBP", "IN", "CC", "CD", "JJS", "RB", "TO", "POS", "XX"])


def leaf(category, tag, word):
    return f"(<L {category} {tag} {tag} {word} {category}>)"


def branch(category, parts):
    return f"(<T {category} 0 {len(parts)}> {' '.join(parts)} )"


LINES = st.recursive(
    st.builds(leaf, CATEGORIES, TAGS, WORDS),
    lambda parts: st.builds(branch, CATEGORIES, st.lists(parts, min_size=1, max_size=3)),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(LINES, st.sampled_from(["default", "med", "udep2mono"]))
def test_any_tree_of_categories_is_marked(line, convention):
    (tree,) = read_text(line)
    marking = mark(tree, convention)
    assert len(marking.signs) == len(marking.token_why) == len(tree.tokens)
    for sign, why in zip(marking.signs, marking.token_why, strict=True):
        assert sign is reduce(mul, (step.effect for step in why), Polarity.UP)
    for token in tree.tokens:
        assert tree.text[token.start : token.end] == token.text


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="(<LT>)/\\NPS[]dcl .,01\n\t", max_size=60) | st.text(max_size=40))
def test_any_text_is_read_or_refused_with_its_place(text):
    for format in ("auto", "candc", "jigg"):
        with pytest.raises(DerivationError):
            read_text(text, format)


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        (r"(<L S[b]\NP VB VB go x>)", r"(<T S[b]\NP 0 2> (<L (S[b]\NP)/(S[b]\NP) VB VB help x>) {} )"),
        ("(<L NP NN NN dog x>)", "(<T NP 0 2> (<L NP/NP DT DT every x>) {} )"),
        ("(<L N NN NN dog x>)", "(<T N 0 1> {} )"),
    ],
)
def test_the_deepest_derivation_that_is_read_is_marked(inner, outer):
    line = inner
    for _ in range(249):
        line = outer.replace("{}", line)
    (tree,) = read_text(line)
    assert len(mark(tree).signs) == len(tree.tokens)
    with pytest.raises(DerivationError, match="250 levels"):
        read_text(outer.replace("{}", outer.replace("{}", line)))
