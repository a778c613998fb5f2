"""Releases go by what was corrected by hand, and say so."""

import pytest

from apps.datasets.corrections import pair_correct

pytestmark = pytest.mark.both


def test_a_release_publishes_the_corrected_direction_and_says_what_was(make, release, rosa):
    corrected, plain = make("eee", calculus="e"), make("eee", calculus="e")
    pair_correct(pair=corrected, actor=rosa, direction="non-monotone", tags=["reverse"])
    _row, files = release(swaps=False)
    rows = {row["id"]: row for row in files.pairs}
    assert (rows[corrected.pk]["direction"], rows[corrected.pk]["tags"]) == ("non-monotone", ["reverse"])
    assert rows[corrected.pk]["facts"] == {"correction": {"direction_was": "downward", "tags_was": []}}
    assert rows[plain.pk]["facts"] == {} and rows[plain.pk]["direction"] == "downward"
    assert "corrected by hand in 1 pair" in files.text("README.md")
