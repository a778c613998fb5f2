"""How a sentence of a fragment is written for people."""

from __future__ import annotations

from collections.abc import Collection


def capitalised(text: str, names: Collection[str] = ()) -> str:
    """The sentence with a capital at its beginning and at its names, and a full stop."""
    words = [word.capitalize() if word.rstrip(",") in names else word for word in text.split()]
    words[0] = words[0][:1].upper() + words[0][1:]
    return f"{' '.join(words)}."
