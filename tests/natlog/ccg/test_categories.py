"""The category notation and the combinators that categories determine."""

import pytest

from natlog.parsing.ccg.categories import (
    CategoryError,
    is_punctuation,
    is_verb_phrase,
    matches,
    parse_category,
)
from natlog.parsing.ccg.combinators import Combination, Rule, combine


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("N", "N"),
        (r"S[dcl]\NP", r"S[dcl]\NP"),
        (r"(S[dcl=true]\NP[nb=true])/NP", r"(S[dcl]\NP[nb])/NP"),
        (r"(S[X=true]\NP)\(S[X=true]\NP)", r"(S\NP)\(S\NP)"),
        (r"S/NP/NP", r"(S/NP)/NP"),
        ("NP[conj]", r"NP\NP"),
        (r"S[dcl]\NP[conj]", r"(S[dcl]\NP)\(S[dcl]\NP)"),
        (r"(S[dcl]\NP_20)/(S[b]_21\NP_20:B)_21", r"(S[dcl]\NP)/(S[b]\NP)"),
        (",", ","),
        ("((N))", "N"),
    ],
)
def test_a_category_is_read_and_written_in_ccgbanks_notation(text, written):
    assert str(parse_category(text)) == written


@pytest.mark.parametrize(
    "text",
    ["", "S[dcl", "(S", "S)", r"S\ ", "S//NP", "S/", "/NP", "S NP", "S{X}", "N" * 2000, "(" * 900 + "N"],
)
def test_what_is_not_a_category_is_an_error(text):
    with pytest.raises(CategoryError):
        parse_category(text)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("NP", "NP[nb]", True),
        ("S", "S[dcl]", True),
        ("S[dcl]", "S[b]", False),
        ("N", "NP", False),
        (r"S\NP", r"S[b]\NP", True),
        (r"S\NP", "S/NP", False),
    ],
)
def test_categories_match_when_their_features_do_not_clash(left, right, expected):
    assert matches(parse_category(left), parse_category(right)) is expected


def test_kinds_of_category():
    assert is_verb_phrase(parse_category(r"S[dcl]\NP[thr]"))
    assert not is_verb_phrase(parse_category("S/NP"))
    assert is_punctuation(parse_category("LRB"))
    assert not is_punctuation(parse_category("conj"))


@pytest.mark.parametrize(
    ("parent", "children", "rule", "functor", "argument"),
    [
        ("NP[nb]", ["NP[nb]/N", "N"], Rule.APPLICATION, 0, 1),
        ("S[dcl]", ["NP", r"S[dcl]\NP"], Rule.APPLICATION, 1, 0),
        (r"S[dcl]\NP", [r"S[dcl]\NP", r"(S\NP)\(S\NP)"], Rule.APPLICATION, 1, 0),
        ("S[dcl]/NP", [r"S/(S\NP)", r"(S[dcl]\NP)/NP"], Rule.COMPOSITION, 0, 1),
        (r"(S[dcl]\NP)/(S[b]\NP)", [r"(S[dcl]\NP)/(S[b]\NP)", r"(S\NP)\(S\NP)"], Rule.COMPOSITION, 1, 0),
        (r"((S\NP)/NP)/NP", [r"(S\NP)/(S\NP)", r"((S\NP)/NP)/NP"], Rule.COMPOSITION, 0, 1),
        (r"(S\NP)/NP", [r"(S\NP)/NP", r"((S\NP)\(S\NP))/NP"], Rule.UNKNOWN, 1, 0),
        ("NP", ["N"], Rule.TYPE_CHANGING, 0, 0),
        (r"S/(S\NP)", ["NP"], Rule.TYPE_RAISING, 0, 0),
        (r"NP\NP", ["conj", "NP"], Rule.CONJUNCT, 0, 1),
        ("NP[conj]", [",", "NP"], Rule.CONJUNCT, 0, 1),
        ("S[dcl]", ["S[dcl]", "."], Rule.PUNCTUATION, 1, 0),
        ("NP", [",", "NP"], Rule.PUNCTUATION, 0, 1),
        (r"(S\NP)\(S\NP)", [",", "NP"], Rule.PUNCTUATION, 0, 1),
        ("NP", ["NP", "S"], Rule.UNKNOWN, 1, 0),
        ("NP", ["NP", "conj", "NP"], Rule.COORDINATION, 1, 0),
    ],
)
def test_the_categories_determine_the_combinator(parent, children, rule, functor, argument):
    found = combine(parse_category(parent), tuple(map(parse_category, children)))
    assert found == Combination(rule, functor, argument)
