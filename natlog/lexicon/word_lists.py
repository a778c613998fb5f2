"""The lists of English words that rules ask for, from the files that :data:`FILES` names."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

FILES = ("function_words.toml", "modifiers.toml", "adjectives.toml")


@lru_cache(maxsize=1)
def tables() -> dict[str, dict[str, Any]]:
    """Every table of the files by its name, read once a process. ValueError where two have one name."""
    found: dict[str, dict[str, Any]] = {}
    for name in FILES:
        read = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))
        if doubled := found.keys() & read.keys():
            raise ValueError(f"{name}: {', '.join(sorted(doubled))} is in another file as well")
        found |= read
    return found


@lru_cache(maxsize=256)
def word_list(name: str) -> frozenset[str]:
    """The words of one list; KeyError for a name that no file has.

    >>> "fake" in word_list("privative"), "nor" in word_list("negations")
    (True, True)
    """
    return frozenset(tables()[name]["words"])


def phrase_list(name: str) -> tuple[tuple[str, ...], ...]:
    """The expressions of several words of one list, word by word.

    >>> phrase_list("npi_phrases")[0]
    ('at', 'all')
    """
    return tuple(tuple(phrase.split()) for phrase in tables()[name]["phrases"])


def named_lists(name: str) -> dict[str, list[str]]:
    """The lists of a table that has several, by their names.

    >>> named_lists("function_lemmas")["will"]
    ['wo', "'ll"]
    """
    return {key: list(words) for key, words in tables()[name]["lists"].items()}


def listed_under(name: str) -> dict[str, str]:
    """For each word of such a table the name of its list.

    >>> listed_under("function_lemmas")["is"]
    'be'
    """
    return {word: key for key, words in named_lists(name).items() for word in words}
