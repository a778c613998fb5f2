"""What word lists say of a phrase, without a parse."""

import pytest

from apps.quality.lexical import MORE_GENERAL, SYNONYM, misspelt, word_change


@pytest.mark.parametrize(
    ("blank", "written", "code"),
    [
        ("dogs", "animals", MORE_GENERAL),
        ("car", "motor vehicle", MORE_GENERAL),
        ("a young man", "a young person", MORE_GENERAL),
        ("ran", "moved", MORE_GENERAL),
        ("the man", "The guy", SYNONYM),
        ("big", "large", SYNONYM),
        ("dogs", "dog", SYNONYM),
    ],
)
def test_one_word_for_a_synonym_or_a_more_general_one(blank, written, code):
    found = word_change(blank, written)
    assert found is not None and found.code == code


@pytest.mark.parametrize(
    ("blank", "written"),
    [
        ("dogs", "poodles"),
        ("dogs", "guide dogs"),  # a modifier was added, whatever WordNet has for the whole
        ("dogs", "hounds"),  # the noun is a synonym in a rare sense, the verb more specific
        ("dogs", "small animals"),  # no entry
        ("big", "bigger"),
        ("is sleeping", "was sleeping"),
        ("some dogs", "several dogs"),  # determiners are no matter of a list of words
        ("all dogs", "every dogs"),
        ("small dogs", "old animals"),  # two words
        ("small dogs", "dogs"),
        ("dogs", ""),
        ("dogs", "DOGS"),
    ],
)
def test_where_a_list_can_not_tell_it_says_nothing(blank, written):
    assert word_change(blank, written) is None


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("smal dogs and teh cat", ["smal", "teh"]),
        ("smal dogs, smal cats", ["smal"]),
        ("colour and color of a greyhound", []),
        ("Labradoodles of Zografou", []),
        ("a mother-in-law's dog that doesn’t bark", []),
        ("the 1990s", []),
        ("a snorfle", []),
        ("маленькие dogs", ["маленькие"]),
        ("", []),
    ],
)
def test_words_that_no_list_has(text, wrong):
    assert misspelt(text, "No snorfle barks.") == wrong
