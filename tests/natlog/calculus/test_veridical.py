"""What a sentence says of a clause inside it: predicates, modals, subordinators, voice; what is not read."""

import pytest

from natlog.calculus import Labeller, swappable

E, N, C = "entailment", "non-entailment", "contradiction"


@pytest.fixture(scope="module")
def labeller():
    return Labeller()


def check(labeller, premise, hypothesis, label):
    verdict = labeller.label(premise, hypothesis)
    assert verdict.read, verdict.reason
    assert verdict.label == label, verdict.reason


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Someone believed that Tom left.", "Tom left.", N),
        ("Someone knew that Tom left.", "Tom left.", E),
        ("Nobody knew that Tom left.", "Tom left.", E),
        ("Mary doesn't know that Tom left.", "Tom left.", E),
        ("Mary doesn't believe that Tom left.", "Tom left.", N),
        ("Mary didn't reveal that Tom left.", "Tom left.", N),
        ("Mary doubts that Tom left.", "Tom left.", N),
        ("Mary pretended that Tom left.", "Tom left.", C),
        ("It is false that Tom left.", "Tom left.", C),
        ("It was not the case that Tom left.", "Tom did not leave.", E),
        ("Mary knows whether Tom left.", "Tom left.", N),
        ("Mary is glad that Tom left.", "Tom left.", E),
        ("Mary knew that nobody left.", "Tom left.", C),
        ("Mary hopes that nobody left.", "Tom left.", N),
    ],
)
def test_a_clause_let_out_of_what_embeds_it(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Tom failed to close the door.", "Tom closed the door.", C),
        ("Tom tried to win.", "Tom won.", N),
        ("Tom didn't try to win.", "Tom won.", C),
        ("Tom managed to win.", "Tom won.", E),
        ("Tom won.", "Tom managed to win.", E),
        ("Tom won.", "Tom failed to win.", C),
        ("Tom managed to win.", "Tom failed to win.", C),
        ("Tom forgot to pay.", "Tom paid.", C),
        ("Tom didn't forget to pay.", "Tom paid.", E),
        ("Tom remembered to pay.", "Tom paid.", E),
        ("Tom refused to pay.", "Tom paid.", C),
        ("Tom didn't refuse to pay.", "Tom paid.", N),
        ("No one refused to pay.", "Tom paid.", N),
        ("No one managed to win.", "Tom won.", C),
        ("Tom did not manage to fail to close the door.", "Tom closed the door.", E),
        ("Tom managed not to laugh.", "Tom laughed.", C),
        ("Mary forced Tom to pay.", "Tom paid.", E),
        ("Mary didn't force Tom to pay.", "Tom paid.", N),
        ("Mary allowed Tom to pay.", "Tom paid.", N),
        ("Mary prevented Tom from leaving.", "Tom left.", C),
        ("Mary saw Tom leave.", "Tom left.", E),
        ("Tom stopped smoking.", "Tom was smoking.", C),
        ("Tom was going to win.", "Tom won.", N),
        ("Tom used to smoke.", "Tom smoked.", E),
        ("Tom claimed to be rich.", "Tom was rich.", N),
        ("The firm was forced to close a plant.", "The firm closed a plant.", E),
        ("The minister is said to have resigned.", "The minister resigned.", N),
        ("Tom almost won.", "Tom won.", N),
        ("According to two diplomats, the talks have failed.", "The talks have failed.", N),
        ("Mary knew that Tom managed to escape.", "Tom escaped.", E),
        ("Mary thinks that Tom managed to escape.", "Tom escaped.", N),
    ],
)
def test_infinitives_and_participles_with_signatures_in_both_polarities(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Tom can swim.", "Tom swims.", N),
        ("Tom swims.", "Tom can swim.", E),
        ("Tom can't swim.", "Tom swims.", C),
        ("Tom swims.", "Tom can't swim.", C),
        ("Tom may leave.", "Tom leaves.", N),
        ("Tom left.", "Tom may leave.", E),
        ("Tom will leave.", "Tom left.", N),
        ("Tom left.", "Tom will leave.", N),
        ("Tom must leave.", "Tom leaves.", N),
        ("Tom wasn't able to swim.", "Tom swam.", C),
    ],
)
def test_modals_are_none_of_the_plain_verb(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("He left before he lost his temper.", "He lost his temper.", N),
        ("He left after he lost his temper.", "He lost his temper.", E),
        ("He left because he was tired.", "He was tired.", E),
        ("When the bell rang, the children left.", "The bell rang.", E),
        ("When it rains, the match stops.", "It rains.", N),
        ("Unless it rains, we will play.", "We will play.", N),
        ("If it rains, the match stops.", "The match stops.", N),
        ("If it rains, the match stops.", "It rains.", N),
        ("He left before he lost his temper.", "He left.", E),
    ],
)
def test_subordinators_say_their_clause_or_not(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A cat was chased by a dog.", "A dog chased a cat.", E),
        ("A dog chased a cat.", "A cat was chased by a dog.", E),
        ("A poodle chased a cat.", "A cat was chased by a dog.", E),
        ("A dog chased a cat.", "A cat was chased by a poodle.", N),
        ("The door was not closed by Tom.", "Tom closed the door.", C),
        ("A boy is playing a guitar.", "A guitar is being played.", E),
        ("A guitar is being played.", "A boy is playing a guitar.", N),
        ("Mary knew that a cat was chased by a dog.", "A dog chased a cat.", E),
    ],
)
def test_active_and_passive_are_one_reading(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


def test_the_composite_rule(labeller):
    """Transitivity, Table 3: f(s1) → s1 and s1 → s2 give f(s1) → s2."""
    for verb, veridical in (("knows", True), ("hopes", False)):
        for inner, holds in (("Some animal barks.", True), ("Every dog barks.", False)):
            label = E if veridical and holds else N
            check(labeller, f"Someone {verb} that some dog barks.", inner, label)


def test_the_same_predicate_on_both_sides_is_left_to_the_calculus(labeller):
    check(labeller, "Tom refused to eat fish.", "Tom refused to eat raw fish.", E)
    check(labeller, "Tom hopes that a poodle barks.", "Tom hopes that a dog barks.", E)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "what"),
    [
        ("Tom sneezed that Ann left.", "Ann left.", "sneezed that"),
        ("Ann left.", "Tom sneezed that Ann left.", "sneezed that"),
        ("Tom can leave.", "Tom must leave.", "must"),
        ("Tom hopes that Ann left.", "Tom claims that Ann left.", "claims"),
    ],
)
def test_what_no_rule_reads_is_said_and_never_taken_for_a_modifier(labeller, premise, hypothesis, what):
    verdict = labeller.label(premise, hypothesis)
    assert not verdict.read
    assert verdict.label == N
    assert what in " ".join(verdict.unread)
    assert verdict.reason.startswith("not read: ")
    assert verdict.confidence <= 0.2
    assert not verdict.monotonicity


def test_the_reason_names_the_predicate_its_class_and_its_signature(labeller):
    verdict = labeller.label("Tom forgot to pay.", "Tom paid.")
    assert "*forgot to*" in verdict.reason
    assert "two-way implicative, -/+" in verdict.reason
    assert "veridicality" in verdict.tags
    assert verdict.edits[0].kind == "veridicality"


def test_such_a_pair_may_not_be_swapped(labeller):
    pair = ("Someone knew that Tom left.", "Tom left.")
    assert not swappable(*pair, labeller.label(*pair))[0]


def test_sentences_embedded_deeply_end(labeller):
    premise = "Tom knew that " * 20 + "Ann left."
    assert labeller.label(premise, "Ann left.").label in (E, N, C)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A nurse sings.", "The nurse sings.", E),
        ("Two nurses sing.", "The nurses sing.", E),
        ("The nurse is not reading a book.", "The nurse is reading the book.", C),
        ("No nurse met the doctor.", "No nurse met a doctor.", N),
        ("A nurse is running.", "A nurse is sleeping.", C),
        ("A boy is singing.", "A girl is singing.", C),
        ("A boy is running.", "A girl is sleeping.", N),
    ],
)
def test_with_coreference_a_definite_speaks_of_what_the_premise_brought_up(premise, hypothesis, label):
    check(Labeller(convention="med"), premise, hypothesis, label)


def test_without_coreference_a_definite_may_be_another():
    assert Labeller(coreference=False).label("A nurse sings.", "The nurse sings.").label == N


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A horse, which is old, is grazing.", "An old horse is grazing."),
        ("A boy who looks tired is reading.", "A tired boy is reading."),
        ("There is a horse grazing in the field.", "A horse is grazing in the field."),
        ("Tom and Ann are singing.", "Ann and Tom are singing."),
    ],
)
def test_wordings_that_grammar_makes_one(labeller, premise, hypothesis):
    check(labeller, premise, hypothesis, E)
    check(labeller, hypothesis, premise, E)


def test_a_place_where_ability_is_told_of_restricts_nothing(labeller):
    check(labeller, "Ann can lift a car on the moon.", "Ann can lift a car.", N)
    check(labeller, "Ann can lift a heavy car.", "Ann can lift a car.", E)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "what"),
    [
        ("A man blicks and sings.", "A man glorps and sings.", None),
        ("A girl in her thirties sings.", "A teenage girl sings.", "says the same"),
    ],
)
def test_a_phrase_worded_otherwise_is_not_read(labeller, premise, hypothesis, what):
    verdict = labeller.label(premise, hypothesis)
    assert verdict.label == N
    if what is not None:
        assert what in verdict.reason


def test_a_contradiction_never_rests_on_an_unknown_word(labeller):
    verdict = labeller.label("A man is sleeping with a glorp.", "A man is running with a blick.")
    assert verdict.label == N
