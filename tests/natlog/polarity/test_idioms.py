"""Words that only look negative set nothing, and where *no* stands inside a list, what follows is outside it.

Only the signs of the words named beside a sentence are looked at.
"""

from __future__ import annotations

import pytest

from natlog.parsing import load_parser
from natlog.polarity import mark

SENTENCES = [
    ("Flat No. 7 has a small garden.", "small↑ garden↑"),
    ("There is no doubt that Tom bought a red car.", "red↑ car↑"),
    ("Ann can't help laughing at a small dog.", "small↑ dog↑"),
    ("Ann has a scar but no swelling, a small bruise and a cut.", "swelling↓ small↑ bruise↑ cut↑"),
    ("She wore a coat but no hat, gloves or shoes.", "hat↓ gloves↓ shoes↓"),
    ("No. Three small dogs barked.", "small↑ dogs↑ barked↑"),
    ("We invited nobody, a small dog barked.", "invited↓"),
    ("Gate No. 14 was closed by an old guard.", "old↑ guard↑"),
    ("The winner, ticket No. 205, got a new bike.", "new↑ bike↑"),
    ("Chopin's Ballade No. 1 moved a young listener.", "young↑ listener↑"),
    ("Without doubt a brave woman wrote the letter.", "brave↑ woman↑"),
    ("There can be no doubt that a heavy truck passed.", "heavy↑ truck↑"),
    ("Peter will no doubt marry a rich widow.", "rich↑ widow↑"),
    ("The thief was none other than an old friend.", "old↑ friend↑"),
    ("The caller was no other than a retired judge.", "retired↑ judge↑"),
    ("Sue couldn't help smiling at a shy boy.", "shy↑ boy↑"),
    ("He can't help but love a stray kitten.", "stray↑ kitten↑"),
    ("They cannot help seeing a tall tower.", "tall↑ tower↑"),
    ("No wonder an angry neighbour complained.", "angry↑ neighbour↑"),
    ("It was no wonder that a hungry dog stole a sausage.", "hungry↑ dog↑ sausage↑"),
    ("The hotel has a pool, not to mention a large garden.", "large↑ garden↑"),
    ("Mark sold a boat, to say nothing of an old piano.", "old↑ piano↑"),
    ("Not long ago a young doctor bought a farm.", "young↑ doctor↑ farm↑"),
    ("We had no end of trouble with a broken engine.", "trouble↑ broken↑ engine↑"),
    ("No question, a clever student solved it.", "clever↑ student↑"),
    ("She will finish in no time with a sharp knife.", "sharp↑ knife↑"),
    ("No matter how hard it rains, a loyal fan waits.", "loyal↑ fan↑"),
    ("The letter mentioned a date but no place, an odd name and a sum.", "place↓ odd↑ name↑ sum↑"),
    ("The flat has a kitchen but no bath, a small balcony.", "bath↓ small↑ balcony↑"),
    ("He packed a shirt, no tie, two books and a warm jumper.", "tie↓ warm↑ jumper↑"),
    ("The scan showed no fracture, a mild sprain and some fluid.", "fracture↓ mild↑ sprain↑ fluid↑"),
    ("There were no chairs, a long table and an old stove.", "chairs↓ long↑ table↑ stove↑"),
    ("The village has a church but no school, shop or bank.", "school↓ shop↓ bank↓"),
    ("I bought apples but no pears, green grapes and ripe plums.", "pears↓ green↑ grapes↑ plums↑"),
    ("The kid drew a house with no door, a blue roof and a tall chimney.", "door↓ blue↑ roof↑ chimney↑"),
    ("Sue can't help a shy boy.", "shy↓ boy↓"),
    ("No doctor bought a farm.", "doctor↓ farm↓"),
    ("She begged us not to mention a large garden.", "large↓ garden↓"),
    ("Nobody saw a tall tower.", "tall↓ tower↓"),
    ("No doubts troubled a young doctor.", "doubts↓ young↓ doctor↓"),
    ("None of the boys saw a stray kitten.", "stray↓ kitten↓"),
    ("The shop did not sell a sharp knife.", "sharp↓ knife↓"),
]


@pytest.mark.parametrize(("sentence", "signs"), SENTENCES)
def test_the_signs_of_some_words(sentence: str, signs: str) -> None:
    marking = mark(load_parser().parse(sentence))
    found = {token.text: str(sign) for token, sign in zip(marking.tree.tokens, marking.signs, strict=True)}
    assert " ".join(word[:-1] + found[word[:-1]] for word in signs.split()) == signs


@pytest.mark.parametrize(("convention", "sign"), [("default", "↑"), ("med", "↓"), ("udep2mono", "↑")])
def test_no_wonder_is_read_as_the_convention_says(convention: str, sign: str) -> None:
    marking = mark(load_parser().parse("No wonder a small child cried."), convention)
    assert str(marking) == f"No↑ wonder↑ a{sign} small{sign} child{sign} cried{sign} .↑"
