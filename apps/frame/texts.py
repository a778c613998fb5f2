"""When two pairs are the same: equal premises in the same order and an equal hypothesis, in NFC."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from unicodedata import normalize

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# Longer than any sentence of a published inference dataset by far; a file that exceeds it was misread.
LONGEST_TEXT = 20_000
# What neither PostgreSQL nor UTF-8 takes.
_as_json = json.JSONEncoder(ensure_ascii=False).encode
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# What ends a line, and control characters: in a name they break tables, pictures and files.
NOT_IN_A_LINE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
# What shows nothing at all: format characters, variation selectors, fillers and blanks that are no space.
UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
# No prose needs these: they show a text in another order than the one in which it is stored.
OVERRIDE = re.compile("[\u202d\u202e]")


def pair_digest(premises: Sequence[str], hypothesis: str) -> str:
    """SHA-256 of the NFC forms. JSON keeps the borders: ``["a b"]`` and ``["a", "b"]`` differ."""
    forms = [text if text.isascii() else normalize("NFC", text) for text in (*premises, hypothesis)]
    return hashlib.sha256(_as_json(forms).encode()).hexdigest()


def text_problem(text: str) -> str:
    """Why a text can't be stored, or "": it is empty, too long, turns its own direction, or holds a NUL or a
    lone surrogate (which no database and no UTF-8 file takes)."""
    if not text or text.isspace():
        return _("This text is empty.")
    if len(text) > LONGEST_TEXT:
        return _("This text has %(n)d characters; at most %(most)d are taken.") % {
            "n": len(text),
            "most": LONGEST_TEXT,
        }
    if not text.isascii() and OVERRIDE.search(text):
        return _("This text holds an invisible character that turns its direction (U+202D or U+202E).")
    found = UNSTORABLE.search(text)
    if found is None:
        return ""
    if found[0] == "\0":
        return _("This text holds a NUL character.")
    return _("This text holds half of a character (a lone surrogate).")


def text_checked(text: str, name: str) -> str:
    """``text`` as it may be stored; ValidationError under ``name`` where it can't be."""
    if problem := text_problem(text):
        raise ValidationError({name: problem})
    return text


def line_checked(text: str, name: str) -> str:
    """``text``, a name, as it may be stored: without space around it, one line, and something to be seen."""
    text = text_checked(text.strip(), name)
    if not UNSEEN.sub("", text).strip():
        raise ValidationError({name: _("Nothing is to be seen of this text.")})
    if found := NOT_IN_A_LINE.search(text):
        problem = _("This is one line, without control characters; it has U+%(code)s.")
        raise ValidationError({name: problem % {"code": f"{ord(found[0]):04X}"}})
    return text
