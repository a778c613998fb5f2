"""Grammars as data: what a file may say, and what it says wrong."""

import pytest

from natlog.fragments.grammar import FRAGMENTS, GrammarError, load, read

SMALL = r"""
columns = ["fol"]
start = "S"
[features]
num = ["sg", "pl"]
[[rule]]
syntax = "S -> N.num V.num"
fol = 'V(N)'
[[words]]
category = "N"
forms = ["sg", "pl"]
fol = 'sym'
words = ["dog / dogs"]
[[words]]
category = "V"
forms = ["sg", "pl"]
symbol = "pl"
fol = '\x.sym(x)'
words = ["runs / run"]
"""


def test_a_rule_with_a_feature_stands_for_one_rule_a_value():
    grammar = read("small", SMALL)
    assert [rule.parts for rule in grammar.rules["S"]] == [("N.sg", "V.sg"), ("N.pl", "V.pl")]
    assert grammar.words("N.pl") == ("dogs",)
    assert {entry.symbol for entry in grammar.entries["V.sg"]} == {"run"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (SMALL.replace("S -> N.num V.num", "S : N.num"), "no ->"),
        (SMALL.replace("V(N)", "V(N"), "fol: column"),
        (SMALL.replace("dog / dogs", "dog"), "has not 2 forms"),
        (SMALL.replace("S -> N.num V.num", "S -> N.num ADV V.num"), "nothing is a ADV"),
        (SMALL.replace('start = "S"', ""), "start"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(wrong, says):
    with pytest.raises(GrammarError, match=says):
        read("small", wrong)


@pytest.mark.parametrize("name", FRAGMENTS)
def test_every_fragment_loads(name):
    assert load(name).start in load(name).rules


def test_an_unknown_fragment_is_refused():
    with pytest.raises(LookupError, match="no fragment"):
        load("med")
