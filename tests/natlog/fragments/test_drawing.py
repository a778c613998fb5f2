"""Drawing from a grammar."""

import pytest

from natlog.fragments.drawing import Drawing, TooFew, shares
from natlog.fragments.grammar import read

TINY = """
columns = ["fol"]
start = "S"
[[rule]]
syntax = "S -> V"
fol = "V"
[[rule]]
syntax = "S -> not S"
fol = "-S"
recursive = true
[[rule]]
syntax = "S -> never S"
fol = "-S"
read_only = true
[[words]]
category = "V"
fol = "sym"
words = ["run", "swim"]
"""


def test_a_depth_is_met_exactly_and_rules_for_reading_are_not_used():
    drawing = Drawing(read("tiny", TINY), 1)
    assert sorted(item.text for item in drawing.different(2, 2)) == ["not not run", "not not swim"]


def test_more_sentences_than_there_are_is_refused():
    with pytest.raises(TooFew, match="hardly more than 2 sentences of depth 1"):
        list(Drawing(read("tiny", TINY), 1).different(1, 3))


def test_shares_are_even():
    assert shares(11, 4) == [3, 3, 3, 2]
