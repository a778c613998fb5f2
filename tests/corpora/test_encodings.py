"""What comes in is UTF-8; anything else is refused with a guess that reads it."""

import pytest

from apps.corpora import encodings

FOREIGN = [
    ("cp1252", "Tom’s café is small.\nNo naïve señor sings.\n"),
    ("shift_jis", "すべての犬は走る。\n猫は眠らない。\n"),
    ("gb18030", "所有的狗都在跑。\n没有猫在睡觉。\n"),
    ("utf_16", "Every dog runs.\n"),
    ("cp1251", "Все собаки бегают.\nНи одна кошка не спит.\n"),
]


@pytest.mark.parametrize(("encoding", "text"), FOREIGN)
def test_other_encodings_are_refused_with_the_right_guess(encoding, text):
    data = text.encode(encoding)
    with pytest.raises(encodings.NotUtf8) as refusal:
        encodings.decode(data)
    assert refusal.value.guess == encoding
    assert refusal.value.line == 1
    assert encodings.decode_as(data, refusal.value.guess) == text


def test_the_line_of_the_first_foreign_byte_is_named():
    with pytest.raises(encodings.NotUtf8) as refusal:
        encodings.decode(b"Dogs run.\nCats sleep.\nCaf\xe9s open.\n")
    assert refusal.value.line == 3


def test_a_byte_order_mark_is_no_text():
    assert encodings.decode(b"\xef\xbb\xbftext\nA dog runs.") == "text\nA dog runs."


def test_bytes_that_are_not_of_the_chosen_encoding_are_an_error():
    with pytest.raises(encodings.Undecodable):
        encodings.decode_as(b"\x81", "shift_jis")
    with pytest.raises(encodings.Undecodable):
        encodings.decode_as(b"dogs", "no_such_encoding")
