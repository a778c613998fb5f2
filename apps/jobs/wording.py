"""A sentence that is stored once, and read by each reader in a language of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext


@dataclass(frozen=True)
class Wording:
    """An English text marked with ``gettext_noop``, and what goes in its ``%(name)s`` places."""

    text: str
    values: dict[str, Any]

    @property
    def in_english(self) -> str:
        return self.text % self.values

    def __str__(self) -> str:
        return gettext(self.text) % self.values


def wording(text: str, **values: Any) -> Wording:
    """Values are stored as JSON: numbers as they are, everything else as its text.

    >>> str(wording("%(n)d labels of %(name)s", n=3, name="MED"))
    '3 labels of MED'
    """
    return Wording(
        text, {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
    )
