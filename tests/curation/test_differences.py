"""The part in which two sentences differ is the shortest stretch of whole words that holds every change."""

from __future__ import annotations

import pytest

from apps.curation.differences import difference


@pytest.mark.parametrize(
    ("one", "two", "changed"),
    [
        ("No dog ran.", "No small dog ran.", ("", "small ")),
        ("No small dog ran.", "No dog ran.", ("small ", "")),
        ("Some dogs ran.", "Some poodles ran.", ("dogs", "poodles")),
        ("A child slept.", "A childish man slept.", ("child", "childish man")),
        ("He said no.", "He said no.", ("", "")),
        ("A b c d.", "A x c y.", ("b c d", "x c y")),
        ("the the dog", "the the the dog", ("", "the ")),
        ("לא ראיתי כלב", "לא ראיתי כלב קטן", ("", " קטן")),
        ("犬が走った。", "猫が走った。", ("犬が走った", "猫が走った")),
        ("", "A.", ("", "A.")),
    ],
)
def test_the_changed_part(one, two, changed):
    first, second = difference(one, two)
    assert (first.changed, second.changed) == changed
    for text, parts in ((one, first), (two, second)):
        assert parts.before + parts.changed + parts.after == text
