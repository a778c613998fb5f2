"""Files that wait for their preview: kept, and gone with what they belonged to."""

from __future__ import annotations

import pytest

from apps.imports import uploads


def test_what_is_kept_goes_with_a_block_that_fails_and_stays_with_one_that_does_not():
    with uploads.taken_back(), uploads.kept([b"stays"]) as first:
        pass
    with pytest.raises(ValueError), uploads.taken_back():
        with uploads.kept([b"goes"]):
            pass
        raise ValueError
    with uploads.kept([b"stays too"]) as last:
        pass
    assert {path.name for path in uploads.folder().iterdir()} == {first.name, last.name}
