"""When two pairs are the same: equal premises in the same order and an equal hypothesis, in NFC."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# Longer than any sentence of a published inference dataset by far; a file that exceeds it was misread.
LONGEST_TEXT = 20_000


def pair_digest(premises: Sequence[str], hypothesis: str) -> str:
    """SHA-256 of the NFC forms. JSON keeps the borders: ``["a b"]`` and ``["a", "b"]`` differ."""
    forms = [unicodedata.normalize("NFC", text) for text in (*premises, hypothesis)]
    return hashlib.sha256(json.dumps(forms, ensure_ascii=False).encode()).hexdigest()


def text_checked(text: str, name: str) -> str:
    """``text`` as it may be stored. ValidationError under ``name`` where it is empty, too long, or
    holds a NUL or a lone surrogate (which no database and no UTF-8 file takes)."""
    if not text.strip():
        raise ValidationError({name: _("This text is empty.")})
    if len(text) > LONGEST_TEXT:
        raise ValidationError(
            {
                name: _("This text has %(n)d characters; at most %(most)d are taken.")
                % {"n": len(text), "most": LONGEST_TEXT}
            }
        )
    if "\0" in text:
        raise ValidationError({name: _("This text holds a NUL character.")})
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValidationError({name: _("This text holds half of a character (a lone surrogate).")})
    return text
