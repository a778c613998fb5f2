"""A fragment's grammar as a reader of its paper expects it, and a sentence's derivation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from natlog.fragments.grammar import FRAGMENTS, load
from natlog.fragments.parsing import OutsideFragment, parse
from natlog.fragments.steps import Step, steps


@dataclass(frozen=True)
class GrammarView:
    """``rules`` are (syntax, meaning), ``words`` (category, the words in it, one's meaning)."""

    source: str
    rules: list[tuple[str, str]]
    words: list[tuple[str, str, str]]


@cache
def grammar_view(name: str) -> GrammarView | None:
    """The grammar of a testbed; None where it has none of this name."""
    if name not in FRAGMENTS:
        return None
    grammar = load(name)
    meaning = grammar.columns[0]
    rules = {rule.syntax: rule.meanings[meaning] for several in grammar.rules.values() for rule in several}
    words = [
        (category, ", ".join(grammar.words(category)), entries[0].meanings[meaning])
        for category, entries in grammar.entries.items()
    ]
    return GrammarView(grammar.source, list(rules.items()), words)


@dataclass(frozen=True)
class Derived:
    """A sentence with what each of its parts means; no steps where the fragment doesn't have it, with why
    (a sentence under *Someone believed that …* is none of the fragment)."""

    sentence: str
    steps: list[Step]
    why: str = ""


def derived(name: str, sentence: str) -> Derived:
    """How the fragment derives a sentence."""
    if name not in FRAGMENTS:
        return Derived(sentence, [], "")
    try:
        return Derived(sentence, steps(parse(load(name), sentence)))
    except OutsideFragment as error:
        return Derived(sentence, [], str(error))
