"""What may be written into a blank."""

import pytest

from apps.campaigns.replacements import hypothesis_of, refusals

PREMISE = "Most nights no dogs bark at the gate."
SPAN = (PREMISE.index("dogs"), PREMISE.index("dogs") + 4)

GOOD = ["small dogs", "dogs and cats", "poodles"]


def test_three_different_phrases_are_taken():
    assert refusals(PREMISE, *SPAN, GOOD) == {}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "write something"),
        ("   ", "write something"),
        ("…", "write something"),
        ("dogs", "underlined part itself"),
        ("  DOGS ", "underlined part itself"),
        ("Most nights no small dogs bark at the gate.", "goes in the place"),
        ("Most nights no small dogs", "goes in the place"),
        ("small dogs bark at the gate", "goes in the place"),
        ("SMALL DOGS  BARK AT THE GATE.", "goes in the place"),
        ("small\0dogs", "can't be stored"),
        ("small \ud800 dogs", "can't be stored"),
        ("very " * 100, "too long"),
    ],
)
def test_a_refusal_gives_its_reason(text, word):
    assert word in refusals(PREMISE, *SPAN, [text, *GOOD[:2]])[0]


# Unicode's property Bidi_Control, whole.
DIRECTIONS = [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]


@pytest.mark.parametrize("character", DIRECTIONS, ids=hex)
def test_an_invisible_character_that_turns_the_text_is_refused_in_words(character):
    text = f"small {chr(character)}dogs"
    assert "turns the direction of the text" in refusals(PREMISE, *SPAN, [text, *GOOD[:2]])[0]


def test_text_from_right_to_left_needs_none_of_them():
    assert refusals(PREMISE, *SPAN, ["כלבים קטנים", *GOOD[:2]]) == {}


@pytest.mark.parametrize(
    "again", ["small dogs", "Small  Dogs", " small dogs ", "café dogs", "cafe\u0301 dogs"]
)
def test_the_same_twice_is_refused_whatever_the_capitals_spaces_and_accents(again):
    first = "caf\u00e9 dogs" if "caf" in again else "small dogs"
    assert refusals(PREMISE, *SPAN, [first, "poodles", again]) == {
        2: "This is the same as your first phrase."
    }


@pytest.mark.parametrize(
    ("premise", "part", "text", "refused"),
    [
        ("No dogs bark.", "dogs", "No small dogs bark.", True),
        ("No dogs bark.", "dogs", "no small dogs", True),
        ("A man walks.", "man", "man who walks", False),
        ("Dogs bark.", "Dogs", "Small dogs bark.", True),
        ("Dogs bark.", "Dogs", "Dogs that bark", False),
        ("Dogs bark at cats.", "Dogs", "Small dogs bark at cats", True),
        ("Tom sold a boat.", "a boat", "a boat with a red sail", False),
        ("Tom sold a boat.", "a boat", "Tom sold a red boat", True),
        ("He is not in the house.", "the house", "the house of the mayor", False),
        ("Dogs bark", "Dogs bark", "Small dogs bark", False),
    ],
)
def test_a_pasted_sentence_is_known_by_its_surroundings(premise, part, text, refused):
    start = premise.index(part)
    assert bool(refusals(premise, start, start + len(part), [text])) is refused


@pytest.mark.parametrize(
    ("premise", "part", "text", "hypothesis"),
    [
        ("No dogs bark.", "dogs", "small dogs", "No small dogs bark."),
        ("👩‍🌾 no dogs bark.", "dogs", "small dogs", "👩‍🌾 no small dogs bark."),
        ("לא כלבים נובחים.", "כלבים", "כלבים קטנים", "לא כלבים קטנים נובחים."),
    ],
)
def test_the_hypothesis_is_the_premise_with_the_blank_replaced(premise, part, text, hypothesis):
    start = premise.index(part)
    assert hypothesis_of(premise, start, start + len(part), text) == hypothesis


@pytest.mark.parametrize(
    "written", ["nine o'clock", "nine o’clock", "nine o´clock", "Nine  oʼclock", "nine o`clock"]
)
@pytest.mark.parametrize("blank", ["nine o'clock", "nine o’clock"])
def test_another_apostrophe_is_no_change(blank, written):
    premise = f"No guest came at {blank}."
    start = premise.index("nine")
    found = refusals(premise, start, start + len(blank), [written, "half past eight o'clock"])
    assert list(found) == [0]
    assert "underlined part itself" in found[0]


def test_the_same_phrase_twice_with_another_apostrophe_is_refused():
    assert list(refusals(PREMISE, *SPAN, ["a child's dogs", "poodles", "a child’s dogs"])) == [2]


def test_a_sentence_pasted_with_other_apostrophes_goes_outside_the_blank():
    premise = "The boys didn’t see any dogs at nine o'clock."
    start = premise.index("dogs")
    found = refusals(premise, start, start + 4, ["The boys didn't see any small dogs"])
    assert "goes in the place" in found[0]
