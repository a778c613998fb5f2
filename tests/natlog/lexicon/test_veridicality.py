"""The lexicon of veridicality is complete in itself, and holds the paper's verbs with the paper's values."""

import tomllib

import pytest

from natlog.lexicon.veridicality import DATA, Claim, signature

# Yanaka et al. 2021, Table 4
VERIDICAL = (
    "realize acknowledge remember note find notice learn see reveal discover understand know admit "
    "recognize observe"
)
NON_VERIDICAL = (
    "feel claim doubt hope predict imply suspect wish think believe hear expect estimate assume argue"
)
COMPLEMENTS = {
    "that", "to", "object-to", "ing", "object-ing", "from", "bare", "modal", "subordinate", "main", "whether"
}  # fmt: skip


def test_the_papers_thirty_verbs_have_its_values():
    assert {signature(verb, "that").affirmed for verb in VERIDICAL.split()} == {Claim.SO}
    assert {signature(verb, "that").affirmed for verb in NON_VERIDICAL.split()} == {Claim.OPEN}


def test_every_entry_has_a_signature_a_source_and_known_complements_and_none_is_said_twice():
    entries = tomllib.loads(DATA.read_text("utf-8"))["entry"]
    seen = set()
    for entry in entries:
        assert set(entry) == {"signature", "class", "complement", "words", "source"}
        assert entry["source"]
        assert set(entry["complement"]) <= COMPLEMENTS
        for key in ((word, complement) for word in entry["words"] for complement in entry["complement"]):
            assert key not in seen, key
            seen.add(key)


@pytest.mark.parametrize(
    ("word", "complement", "signs", "two_way"),
    [
        ("manage", "to", "+/-", True),
        ("fail", "to", "-/+", True),
        ("refuse", "to", "-/o", False),
        ("force", "object-to", "+/o", False),
        ("know", "that", "+/+", False),
    ],
)
def test_signatures(word, complement, signs, two_way):
    found = signature(word, complement)
    assert (str(found), found.two_way) == (signs, two_way)


def test_a_word_that_is_not_there_has_none():
    assert signature("sneeze", "that") is None
