"""The classes of ``modifiers.toml``, by the name they had before :mod:`natlog.lexicon.word_lists`."""

from __future__ import annotations

from natlog.lexicon.word_lists import word_list as modifiers

__all__ = ["modifiers"]
