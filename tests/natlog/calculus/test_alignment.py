"""Alignment: which tokens stay, and where the rest lies."""

import pytest

from natlog.calculus.alignment import align
from natlog.lexicon.words import Words
from natlog.parsing import load_parser

WORDS = Words()


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("A dog barks.", "A small dog barks.", [("", "small")]),
        ("A dog barks loudly.", "A dog barks.", [("loudly", "")]),
        ("A poodle barks.", "A dog barks.", [("poodle", "dog")]),
        ("He doesn't run.", "He does not run.", []),
        ("Dogs ran.", "A dog runs.", [("", "A")]),
        ("He saw a dog and a cat.", "He saw a dog and a bird and a cat.", [("", "and a bird")]),
        ("Most dogs who were sad were old.", "Most dogs were old.", [("who were sad", "")]),
    ],
)
def test_what_differs(premise, hypothesis, expected):
    one, two = load_parser().pipe([premise, hypothesis])
    found = align(one, two, WORDS).hunks
    spans = [(one.span_text(h.start, h.end), two.span_text(h.other_start, h.other_end)) for h in found]
    assert spans == expected


def test_links_are_one_to_one_and_in_order():
    one, two = load_parser().pipe(
        ["Every small dog that ran saw a cat.", "Some dog saw a very old cat and ran."]
    )
    found = align(one, two, WORDS)
    links = sorted(found.links.items())
    assert [b for _, b in links] == sorted(b for _, b in links)
    assert {b: a for a, b in links} == found.back
