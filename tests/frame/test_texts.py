"""What a name may be: one line, whatever else is in it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from apps.frame.texts import line_checked


def test_a_name_loses_the_space_around_it_alone():
    assert line_checked("  Ein Größen­satz, 犬 | 100 %\n", "name") == "Ein Größen­satz, 犬 | 100 %"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "empty"),
        (" \t", "empty"),
        ("a\0b", "NUL"),
        ("a\ud800b", "half of a character"),
        ("a\u202eb", "direction"),
        ("\u200b", "Nothing is to be seen"),
        ("\u2800 \u3164", "Nothing is to be seen"),
        ("a\nb", "U+000A"),
        ("a\x01b", "U+0001"),
        ("a\x85b", "U+0085"),
        ("a\u2028b", "U+2028"),
    ],
)
def test_what_breaks_a_table_or_a_picture_is_no_name(name, said):
    with pytest.raises(ValidationError) as told:
        line_checked(name, "name")
    assert said in told.value.message_dict["name"][0]
