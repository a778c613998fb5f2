"""One apostrophe for all that look like it, as keyboards, phones and old files bring them.

Every code point keeps its place, so that offsets into what is read hold in the text as it came.
"""

from __future__ import annotations

import re

LOOK_ALIKES = "’‘‛´`ʼʹ′＇"
"""Quotation marks, acute and grave accent, modifier letters, the prime, and the full-width form."""

_STRAIGHT = dict.fromkeys(map(ord, LOOK_ALIKES), "'")
_SPLIT = re.compile(
    r"\b((?:do|does|did|is|are|was|were|ca|could|wo|would|should|must|might|need|have|has|had|ai)n) ('t)\b",
    re.IGNORECASE,
)


def straightened(text: str) -> str:
    """The text with every look-alike written as the straight apostrophe; as long as before.

    >>> straightened("nine o’clock, didn´t")
    "nine o'clock, didn't"
    """
    return text.translate(_STRAIGHT) if not text.isascii() or "`" in text else text


def as_read(text: str) -> str:
    """As :func:`straightened`, with *n't* that a space splits (``didn 't``) put together; as long as before.

    Two grave accents are an opening quotation mark of old files, and stay.

    >>> as_read("A student didn ´t pass.")
    "A student didn't  pass."
    """
    if "`" in text or not text.isascii():
        text = straightened(text.replace("``", "\0\0")).replace("\0\0", "``")
    return _SPLIT.sub(r"\1\2 ", text) if " 't" in text.lower() else text
