"""Whether what an annotator wrote into a blank can be taken, and the sentence that it makes.

Pure functions on text: spans are code-point offsets into the premise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from django.utils.translation import gettext as _

from natlog.apostrophes import as_read

MAXIMUM_LENGTH = 300

# What Unicode calls Bidi_Control: marks, embeddings, overrides and isolates (UAX 9). Any of them can make a
# sentence read otherwise than it is stored.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WORD = re.compile(r"\w+(?:['-]\w+)*")


def has_directions(text: str) -> bool:
    """Whether a text holds invisible characters that turn its direction.

    >>> has_directions("small \\u202edogs")
    True
    """
    return bool(_DIRECTIONS.search(text))


def cleaned(text: str) -> str:
    """The text without white space at its ends, and with single spaces in it.

    >>> cleaned("  small   dogs ")
    'small dogs'
    """
    return " ".join(text.split())


def hypothesis_of(premise: str, start: int, end: int, text: str) -> str:
    """The premise with ``text`` in the place of its code points ``start`` to ``end`` (exclusive).

    >>> hypothesis_of("No dogs bark.", 3, 7, "small dogs")
    'No small dogs bark.'
    """
    return premise[:start] + text + premise[end:]


def refusals(premise: str, start: int, end: int, texts: Sequence[str]) -> dict[int, str]:
    """Why texts can't be taken as replacements of a blank, by position (from 0); empty when all can.

    Refused are: nothing, the blank's own words, the same twice (also where only capitals, spaces
    or the kind of apostrophe differ), text that repeats the sentence around the blank, text that is
    too long or that no file can hold.
    """
    found: dict[int, str] = {}
    seen: dict[str, int] = {}
    for position, raw in enumerate(texts):
        text = cleaned(raw)
        same = _folded(text)
        reason = (
            _refusal_of_characters(raw)
            or _refusal_of_one(premise, start, end, text)
            or (_same_as(seen[same]) if same in seen else "")
        )
        if reason:
            found[position] = reason
        seen.setdefault(same, position)
    return found


def _refusal_of_characters(text: str) -> str:
    if has_directions(text):
        return _(
            "This has an invisible character in it that turns the direction of the text. Please type it anew "
            "instead of pasting it."
        )
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        return _("This has a character in it that can't be stored. Please type it anew.")
    if len(text) > MAXIMUM_LENGTH:
        return _("This is too long: %(length)d characters, where %(limit)d are the most.") % {
            "length": len(text),
            "limit": MAXIMUM_LENGTH,
        }
    return ""


def _refusal_of_one(premise: str, start: int, end: int, text: str) -> str:
    if not _WORD.search(text):
        return _("Please write something here.")
    if _folded(text) == _folded(premise[start:end]):
        return _("This is the underlined part itself. Please make it more specific.")
    if _goes_outside(premise[:start], premise[end:], text):
        return _(
            "Write only what goes in the place of the underlined part; "
            "the rest of the sentence stays as it is."
        )
    return ""


def _same_as(position: int) -> str:
    if position == 0:
        return _("This is the same as your first phrase.")
    if position == 1:
        return _("This is the same as your second phrase.")
    return _("This is the same as your phrase %(number)d.") % {"number": position + 1}


def _goes_outside(before: str, after: str, text: str) -> bool:
    """Whether ``text`` repeats what stands before or after the blank, as a pasted sentence does.

    One word after the blank may come again for good reason ("A man *who walks* walks"), so that it
    counts only together with what stands before, or with the sentence's final stop.
    """
    words, words_before, words_after = _words(text), _words(before), _words(after)
    begins = bool(words_before) and words[: len(words_before)] == words_before
    ends = bool(words_after) and words[-len(words_after) :] == words_after
    stop = after.rstrip()[-1:]
    stops = ends and not stop.isalnum() and text.endswith(stop)
    return begins or (ends and len(words_after) > 1) or stops


def _words(text: str) -> list[str]:
    return _WORD.findall(_folded(text))


def _folded(text: str) -> str:
    """What two phrases are compared by: composed letters, no capitals, one kind of apostrophe."""
    return cleaned(as_read(unicodedata.normalize("NFC", text))).casefold()
