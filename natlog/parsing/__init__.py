"""Parsing: text in, :class:`natlog.tree.Tree` out, whatever the parser."""

from __future__ import annotations

from functools import lru_cache

from natlog.parsing.spacy import DEFAULT_MODEL, SpacyParser

__all__ = ["DEFAULT_MODEL", "SpacyParser", "load_parser"]


@lru_cache(maxsize=4)
def load_parser(name: str = DEFAULT_MODEL) -> SpacyParser:
    """The parser for an installed spaCy pipeline, loaded once a process.

    Raises :class:`natlog.parsing.spacy.UnusableParser` where no such pipeline is installed, or it is of
    another language, or lacks a component or labels that the rules ask for.
    """
    return SpacyParser(name)
