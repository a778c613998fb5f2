"""Labels with their reasons: one table of examples for each kind of edit."""

from dataclasses import replace

import pytest

from natlog.calculus import Labeller

E, N, C = "entailment", "non-entailment", "contradiction"


@pytest.fixture(scope="module")
def labeller():
    return Labeller(convention="med")


def check(labeller, premise, hypothesis, label):
    verdict = labeller.label(premise, hypothesis)
    assert verdict.label == label, verdict.reason


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A small dog barks.", "A dog barks.", E),
        ("A dog barks.", "A small dog barks.", N),
        ("No dog barks.", "No small dog barks.", E),
        ("No small dog barks.", "No dog barks.", N),
        ("Every man ran quickly.", "Every man ran.", E),
        ("Every man ran.", "Every man ran quickly.", N),
        ("Exactly one man ran quickly.", "Exactly one man ran.", N),
        ("I don't eat meat.", "I don't eat meat they do not like.", E),
        ("Tom has never seen a giraffe.", "Tom has never seen a giraffe in Africa.", E),
        ("If it rains, we stay.", "If it rains tomorrow, we stay.", E),
        ("Every dog who chased a cat barked.", "Every dog who chased a black cat barked.", E),
        ("Nobody left without a coat.", "Nobody left without a red coat.", N),
        ("Nobody left without a red coat.", "Nobody left without a coat.", E),
        ("She has a car.", "She has a fake car.", N),
        ("She has no car.", "She has no fake car.", N),
    ],
)
def test_modifiers_added_and_dropped(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A poodle barks.", "A dog barks.", E),
        ("A dog barks.", "A poodle barks.", N),
        ("No dog barks.", "No poodle barks.", E),
        ("Every dog barks.", "Every animal barks.", N),
        ("Tom is no longer a child.", "Tom is no longer a kid.", E),
        ("Exactly three children left.", "Exactly three kids left.", E),
        ("No dog barks.", "No cat barks.", N),
        ("He lives in Berlin.", "He lives in Germany.", E),
        ("He doesn't live in Germany.", "He doesn't live in Berlin.", E),
        ("Socrates is rational.", "Someone is rational.", E),
        ("Everyone left.", "Mary left.", E),
        ("Someone left.", "Mary left.", N),
    ],
)
def test_words_replaced(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Every man sang.", "Every man sang or danced.", E),
        ("Every man sang or danced.", "Every man sang.", N),
        ("No man sang or danced.", "No man sang.", E),
        ("Dogs and cats run.", "Dogs run.", E),
        ("I like tea.", "I like tea and coffee.", N),
        ("I left without money.", "I left without money and keys.", E),
        ("All boys and girls left.", "All boys left.", E),
        ("All boys left.", "All boys and girls left.", N),
    ],
)
def test_conjuncts_and_disjuncts(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Every dog barks.", "Some dog barks.", E),
        ("Some dog barks.", "Every dog barks.", N),
        ("No dog barks.", "Some dog barks.", C),
        ("Every dog barks.", "No dog barks.", C),
        ("At least six dogs bark.", "At least five dogs bark.", E),
        ("At least five dogs bark.", "At least six dogs bark.", N),
        ("At least six dogs bark.", "At most five dogs bark.", C),
        ("Every animal barks.", "Some dog barks.", E),
        ("Every dog barks.", "Some animal makes a sound.", N),
        ("No animal chased every cat.", "No dog chased every cat.", E),
        ("Every dog chased at least six cats.", "Some dog chased at least five animals.", E),
        ("John sleeps.", "John does not sleep.", C),
        ("Every dog sleeps.", "Some dog does not sleep.", C),
        ("Most dogs sleep.", "Most dogs do not sleep.", C),
    ],
)
def test_quantifiers_and_negations_replaced_several_edits_composing(labeller, premise, hypothesis, label):
    check(labeller, premise, hypothesis, label)


def test_existential_import_and_coreference_are_switches():
    pair = ("Every dog barks.", "Some dog barks.")
    assert Labeller(existential_import=False).label(*pair).label == N
    pair = ("A dog is sleeping.", "A dog is running.")
    assert Labeller().label(*pair).label == C
    assert Labeller(coreference=False).label(*pair).label == N


def test_the_convention_rules_where_a_determiner_stays():
    pair = ("The dogs bark.", "The small dogs bark.")
    assert Labeller(convention="default").label(*pair).label == N
    assert (
        Labeller(convention="default").label("The dogs bark.", "The dogs make a sound.").direction == "upward"
    )
    assert Labeller(convention="med").label("The small dogs bark.", "The dogs bark.").label == E


def test_unknown_words_are_said_to_be_unknown():
    for unknown, label in (("independent", N), ("specific", E)):
        verdict = Labeller(convention="med", unknown=unknown).label("No glorp came.", "No blorp came.")
        assert verdict.label == label
        assert "unknown" in verdict.reason
        assert not verdict.monotonicity
        assert verdict.confidence < Labeller().label("No dog came.", "No poodle came.").confidence - 0.05


@pytest.mark.parametrize(
    ("premise", "hypothesis", "direction"),
    [
        ("A dog barks.", "A small dog barks.", "upward"),
        ("No dog barks.", "No small dog barks.", "downward"),
        ("Exactly one dog barks.", "Exactly one small dog barks.", "non-monotone"),
    ],
)
def test_direction_is_the_sign_of_the_place(labeller, premise, hypothesis, direction):
    assert labeller.label(premise, hypothesis).direction == direction


def test_the_reason_is_one_sentence_with_operator_sign_and_relation(labeller):
    verdict = labeller.label("No dog barks.", "No small dog barks.")
    assert verdict.reason == "*No* makes *dog* ↓; *small dog* is more specific than *dog*"


def test_a_stored_marking_without_its_chains_is_marked_again(labeller):
    pair = ("No dog barks.", "No small dog barks.")
    bare = [replace(labeller.markings([text])[text], token_why=()) for text in pair]
    assert labeller.label_marked(*bare) == labeller.label(*pair)


def test_equal_sentences_entail_each_other_and_have_no_edits(labeller):
    verdict = labeller.label("It rains.", "It rains.")
    assert (verdict.label, verdict.edits) == (E, ())


@pytest.mark.parametrize(
    ("premise", "hypothesis", "tag"),
    [
        ("A dog barks.", "A poodle barks.", "lexical_knowledge"),
        ("Every cook who is not a tall man ran.", "Every cook who is not a man ran.", "reverse"),
        ("I like tea.", "I like tea and coffee.", "conjunction"),
        ("Every man sang.", "Every man sang or danced.", "disjunction"),
        ("If it rains, we stay.", "If it rains hard, we stay.", "conditionals"),
        ("He has no food.", "He has no food at all.", "npi"),
    ],
)
def test_tags(labeller, premise, hypothesis, tag):
    assert tag in labeller.label(premise, hypothesis).tags


def test_a_temporal_when_is_no_conditional(labeller):
    """MED, footnote 4."""
    past = labeller.label(
        "When she came back, she bought a gift.", "When she came back, she bought a nice gift."
    )
    general = labeller.label("When it rains, we stay.", "When it rains hard, we stay.")
    assert "conditionals" not in past.tags
    assert "conditionals" in general.tags


def test_many_pairs_are_labelled_in_order_and_sentences_parsed_once(labeller, monkeypatch):
    pairs = [("A dog barks loudly.", "A dog barks."), ("A dog barks.", "A dog barks loudly.")] * 3
    asked = []
    original = labeller.markings
    monkeypatch.setattr(labeller, "markings", lambda texts: original(asked.append(t) or t for t in texts))
    assert [verdict.label for verdict in labeller.label_many(pairs)] == [E, N] * 3
    assert len(asked) == 12
    assert sum(text in labeller._markings for text in set(asked)) == 2
