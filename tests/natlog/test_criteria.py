"""The operator in both sentences, and the replacement in its argument (MED, section 3.2)."""

import pytest

from natlog.calculus import Labeller
from natlog.criteria import criteria


@pytest.fixture(scope="module")
def by():
    return Labeller()


@pytest.mark.parametrize(
    ("premise", "hypothesis", "shared", "over"),
    [
        ("Every dog barked loudly.", "Every small dog barked loudly.", {"every"}, {"every"}),
        ("No student read a book.", "No student read an old book.", {"no"}, {"no"}),
        ("Every dog barked.", "Some dog barked.", set(), set()),
        ("Every dog barked.", "Few dogs barked.", set(), set()),
        ("If it rains, Tom sleeps.", "If it rains, Tom sleeps long.", {"if"}, {"if"}),
        ("Tom slept.", "Tom slept in the garden.", set(), set()),
        ("No dog barked.", "No dog barked.", {"no"}, set()),
    ],
)
def test_the_two_criteria(by, premise, hypothesis, shared, over):
    markings = by.markings([premise, hypothesis])
    found = criteria(markings[premise], markings[hypothesis])
    assert shared <= set(found.shared) and over <= set(found.over)
    assert bool(found.over) is bool(over)
    if not shared:
        assert not found.shared
