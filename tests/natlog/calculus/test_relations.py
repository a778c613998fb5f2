"""The seven set relations and how they combine (MacCartney 2009, chapter 5)."""

import itertools

import pytest

from natlog.calculus.relations import SetRelation, intersect
from natlog.tree import Polarity

UNIVERSE = frozenset(range(4))
SETS = [frozenset(s) for n in range(1, 4) for s in itertools.combinations(range(4), n)]


def relation_of(one, two):
    """The strongest relation between two concrete sets, by definition."""
    if one == two:
        return SetRelation.EQUAL
    if one < two:
        return SetRelation.FORWARD
    if one > two:
        return SetRelation.REVERSE
    disjoint, exhaustive = not one & two, one | two == UNIVERSE
    if disjoint:
        return SetRelation.NEGATION if exhaustive else SetRelation.ALTERNATION
    return SetRelation.COVER if exhaustive else SetRelation.INDEPENDENT


@pytest.mark.parametrize(("one", "two"), [*itertools.product(SETS, SETS)])
def test_complements_follow_from_the_relation_alone(one, two):
    relation = relation_of(one, two)
    if relation is not SetRelation.INDEPENDENT:
        assert relation.against_complement() is relation_of(one, UNIVERSE - two)
        assert relation.of_complement() is relation_of(UNIVERSE - one, two)
    assert relation.converse is relation_of(two, one)


def test_intersection_never_claims_more_than_holds():
    for one, two, three, four in itertools.product(SETS[:8], repeat=4):
        claimed = intersect([relation_of(one, two), relation_of(three, four)])
        left, right = one & three, two & four
        if claimed.entails:
            assert left <= right
        if claimed.excludes:
            assert not left & right
        if claimed is SetRelation.REVERSE:
            assert right <= left


@pytest.mark.parametrize(
    ("sign", "expected"),
    [(Polarity.UP, "⊏"), (Polarity.DOWN, "⊐"), (Polarity.FLAT, "#")],
)
def test_a_sign_carries_containment_up_turns_it_or_stops_it(sign, expected):
    assert str(SetRelation.FORWARD.under(sign)) == expected


def test_a_synonym_stays_a_synonym_at_any_place():
    """MED, footnote 3: non-monotone places too."""
    assert all(SetRelation.EQUAL.under(sign) is SetRelation.EQUAL for sign in Polarity)
