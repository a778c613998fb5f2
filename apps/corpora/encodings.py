"""Bytes to text at the door: UTF-8 goes in, anything else is refused with a guess to accept."""

from __future__ import annotations

import codecs

# What a researcher's file is usually written in, where it is not UTF-8, the commonest first. The guess
# is among these: rarer code pages win on short files by accident.
ENCODINGS = (
    "cp1252",
    "shift_jis",
    "gb18030",
    "utf_16",
    "utf_16_le",
    "utf_16_be",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "big5",
    "euc_jp",
    "euc_kr",
    "koi8_r",
    "mac_roman",
    "latin_1",
)


class NotUtf8(ValueError):
    """The bytes are not UTF-8. ``guess`` is the likeliest of :data:`ENCODINGS`."""

    def __init__(self, guess: str, line: int) -> None:
        super().__init__(f"not UTF-8 (line {line}); it looks like {label(guess)}")
        self.guess = guess
        self.line = line


class Undecodable(ValueError):
    """The bytes are not text in the encoding that was chosen."""


def decode(data: bytes) -> str:
    """The text of UTF-8 ``data``, without its byte-order mark; raises :class:`NotUtf8`."""
    if is_of_two_bytes(data):
        raise NotUtf8(guess(data), 1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotUtf8(guess(data), line) from None


def decode_as(data: bytes, encoding: str) -> str:
    """The text of ``data`` in one of :data:`ENCODINGS`; raises :class:`Undecodable`."""
    if encoding not in ENCODINGS:
        raise Undecodable(f"unknown encoding {encoding!r}")
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeError:
        raise Undecodable(f"the file is not {label(encoding)}") from None


def is_of_two_bytes(data: bytes) -> bool:
    """Whether these are letters of two bytes without a mark that says so: in most languages every other byte
    is empty."""
    return data.count(0) > len(data) // 4


def guess(data: bytes) -> str:
    """The likeliest of :data:`ENCODINGS` for bytes that are not UTF-8."""
    from charset_normalizer import from_bytes

    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf_16"
    if is_of_two_bytes(data):
        return "utf_16_le" if data[1::2].count(0) > data[::2].count(0) else "utf_16_be"
    found = [
        (round(match.chaos, 1), ENCODINGS.index(name), name)
        for match in from_bytes(data[:1_000_000], cp_isolation=list(ENCODINGS))
        for name in (match.encoding, *match.could_be_from_charset)
        if name in ENCODINGS
    ]
    # Code pages differ in a few letters only, so several often read equally well: the commonest wins.
    return min(found)[2] if found else "cp1252"


def label(encoding: str) -> str:
    """The encoding's name as people write it.

    >>> label("shift_jis"), label("cp1252"), label("gb18030")
    ('Shift-JIS', 'CP1252', 'GB18030')
    """
    return {"shift_jis": "Shift-JIS", "mac_roman": "Mac Roman"}.get(
        encoding, encoding.replace("_", "-").upper()
    )
