"""A fragment's grammar: rules and words with their meanings, read from a TOML file.

The file's parts:

``columns``
    the kinds of meaning, in order: ``fol`` first; one called ``vf`` holds variable-free forms
``start``
    the category of a sentence
``[features]``
    names with their values. ``num = ["sg", "pl"]``: a rule with ``N.num`` stands for one with ``N.sg`` and
    one with ``N.pl``; the same name has the same value everywhere in a rule
``[[rule]]``
    ``syntax`` (categories begin with a capital, anything else is a word of the sentence) and a meaning a
    column: a λ-term in NLTK's notation over the categories on the right; one that stands there twice is
    called ``IV1`` and ``IV2``. ``tag`` says what the rule shows; ``recursive = true``: it counts for depth;
    ``read_only = true``: it is parsed and never generated
``[[words]]``
    a category, ``forms`` (its features, one a form), a meaning a column in which ``sym`` and ``SYM`` stand
    for the word's symbol, ``symbol`` (the form that the symbol is spelt like, the first by itself), and the
    words, forms apart by ``/``, a symbol of its own behind ``=``
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from natlog.fragments.composition import form_function, formula_function
from natlog.logic.formula import Expression
from natlog.logic.nltk_notation import parse

FOLDER = Path(__file__).parent
FRAGMENTS = ("systematicity", "sygns", "transitivity")
_ARROW = " -> "
# A name that stands for the symbol of a word, in lower case for formulas and in capitals for forms.
_SYMBOL = re.compile(r"\b(sym|SYM)\b")


class GrammarError(ValueError):
    """A grammar file says something that cannot be; the message names the rule or the words."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule without feature variables.

    ``parts`` are categories and words as they follow each other, ``children`` the categories among them,
    ``syntax`` and ``meanings`` what the file says (columns to λ-terms, for showing); ``functions`` are the
    meanings as functions of the children's, one a column; ``steps`` are the parts with whether each is a
    category.
    """

    category: str
    parts: tuple[str, ...]
    children: tuple[str, ...]
    tag: str
    recursive: bool
    read_only: bool
    syntax: str
    meanings: Mapping[str, str]
    functions: tuple[Any, ...]
    steps: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A form of a word: its category with its features, its words, symbol and meanings, one a column."""

    category: str
    words: tuple[str, ...]
    symbol: str
    meanings: Mapping[str, str]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """A fragment. ``rules`` and ``entries`` are by category, ``rules_from`` and ``entries_from`` by
    category and the word that they can begin with; ``vocabulary`` is every word it has.
    """

    name: str
    source: str
    columns: tuple[str, ...]
    start: str
    rules: Mapping[str, tuple[Rule, ...]]
    entries: Mapping[str, tuple[Entry, ...]]
    vocabulary: frozenset[str]
    rules_from: Mapping[tuple[str, str], tuple[Rule, ...]]
    entries_from: Mapping[tuple[str, str], tuple[Entry, ...]]

    def words(self, category: str) -> tuple[str, ...]:
        """The words of a category (``N.pl``), in the file's order, spelt out."""
        return tuple(" ".join(entry.words) for entry in self.entries[category])


@cache
def load(name: str) -> Grammar:
    """A fragment of :data:`FRAGMENTS` by its name. Raises :class:`LookupError` for another."""
    if name not in FRAGMENTS:
        raise LookupError(f"no fragment is called {name!r}; there are {', '.join(FRAGMENTS)}")
    return read(name, (FOLDER / f"{name}.toml").read_text("utf-8"))


def read(name: str, text: str) -> Grammar:
    """The grammar of a file's text. Raises :class:`GrammarError`."""
    try:
        data = tomllib.loads(text)
        columns, start, features = tuple(data["columns"]), data["start"], data.get("features", {})
        rules = [rule for item in data["rule"] for rule in _rules(item, columns, features)]
        entries = [entry for item in data["words"] for entry in _entries(item, columns)]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise GrammarError(f"{name}: {error}") from error
    by_category, words = _by_category(rules), _by_category(entries)
    _check(name, by_category, words)
    firsts = _first_words(rules, entries)
    return Grammar(
        name,
        data.get("source", ""),
        columns,
        start,
        by_category,
        words,
        frozenset(word for entry in entries for word in entry.words)
        | frozenset(part for rule in rules for part in rule.parts if not part[0].isupper()),
        _by_first((rule, _first_of(rule, firsts)) for rule in rules),
        _by_first((entry, {entry.words[0]}) for entry in entries),
    )


def _first_words(rules: list[Rule], entries: list[Entry]) -> dict[str, set[str]]:
    """The words that each category can begin with."""
    firsts: dict[str, set[str]] = {}
    for entry in entries:
        firsts.setdefault(entry.category, set()).add(entry.words[0])
    size = -1
    while size != (size := sum(map(len, firsts.values()))):
        for rule in rules:
            firsts.setdefault(rule.category, set()).update(_first_of(rule, firsts))
    return firsts


def _first_of(rule: Rule, firsts: Mapping[str, set[str]]) -> set[str]:
    first = rule.parts[0]
    return firsts.get(first, set()) if first[0].isupper() else {first}


def _by_first(items: Iterable[tuple[Any, set[str]]]) -> dict[tuple[str, str], tuple[Any, ...]]:
    found: dict[tuple[str, str], list[Any]] = {}
    for item, words in items:
        for word in words:
            found.setdefault((item.category, word), []).append(item)
    return {key: tuple(those) for key, those in found.items()}


def _by_category(items: list[Any]) -> dict[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for item in items:
        found.setdefault(item.category, []).append(item)
    return {category: tuple(those) for category, those in found.items()}


def _check(
    name: str, rules: Mapping[str, tuple[Rule, ...]], entries: Mapping[str, tuple[Entry, ...]]
) -> None:
    """Every category that a rule names has rules or words, and not both."""
    if both := set(rules) & set(entries):
        raise GrammarError(f"{name}: {min(both)} has rules and words")
    for rule in itertools.chain.from_iterable(rules.values()):
        for child in rule.children:
            if child not in rules and child not in entries:
                raise GrammarError(f"{name}: nothing is a {child} ({rule.syntax})")


def _rules(
    item: Mapping[str, Any], columns: tuple[str, ...], features: Mapping[str, list[str]]
) -> Iterator[Rule]:
    """A rule of the file, once for each choice of values for its features."""
    syntax = item["syntax"]
    left, arrow, right = syntax.partition(_ARROW)
    if not arrow:
        raise GrammarError(f"{syntax!r} has no{_ARROW}")
    names = child_names(syntax)
    meanings = {column: item[column] for column in columns}
    functions = tuple(_rule_function(column, meanings[column], names, syntax) for column in columns)
    used = [name for name in features if re.search(rf"\.{name}\b", syntax)]
    for values in itertools.product(*(features[name] for name in used)):
        chosen = dict(zip(used, values, strict=True))
        parts = tuple(_with_values(part, chosen) for part in right.split())
        yield Rule(
            category=_with_values(left, chosen),
            parts=parts,
            children=tuple(part for part in parts if part[0].isupper()),
            tag=item.get("tag", ""),
            recursive=item.get("recursive", False),
            read_only=item.get("read_only", False),
            syntax=syntax,
            meanings=meanings,
            functions=functions,
            steps=tuple((part, part[0].isupper()) for part in parts),
        )


def _with_values(part: str, chosen: Mapping[str, str]) -> str:
    base, *names = part.split(".")
    return ".".join([base, *(chosen.get(name, name) for name in names)])


def child_names(syntax: str) -> list[str]:
    """What a rule's meaning calls the categories on its right."""
    parts = syntax.partition(_ARROW)[2].split()
    bases = [part.partition(".")[0] for part in parts if part[0].isupper()]
    met: dict[str, int] = {}
    names = []
    for base in bases:
        met[base] = met.get(base, 0) + 1
        names.append(base if bases.count(base) == 1 else f"{base}{met[base]}")
    return names


def _rule_function(column: str, meaning: str, names: list[str], syntax: str) -> Any:
    return _function(column, f"\\{' '.join(names)}.{meaning}", syntax)


def _function(column: str, text: str, where: str) -> Any:
    try:
        term: Expression = parse(text)
        return form_function(term) if column == "vf" else formula_function(term)
    except ValueError as error:
        raise GrammarError(f"{where}, {column}: {error}") from error


def _entries(item: Mapping[str, Any], columns: tuple[str, ...]) -> Iterator[Entry]:
    """The words of a class, each in its forms."""
    category, forms = item["category"], item.get("forms", [""])
    spelt_like = forms.index(item.get("symbol", forms[0]))
    for line in item["words"]:
        written, _, own_symbol = line.partition("=")
        spelt = [tuple(form.split()) for form in written.split("/")]
        if len(spelt) != len(forms):
            raise GrammarError(f"{category}: {line!r} has not {len(forms)} forms")
        symbol = own_symbol.strip() or "".join(spelt[spelt_like])
        meanings = {column: _with_symbol(item[column], symbol) for column in columns}
        values = tuple(_function(column, meanings[column], line) for column in columns)
        for form, words in zip(forms, spelt, strict=True):
            yield Entry(f"{category}.{form}" if form else category, words, symbol, meanings, values)


def _with_symbol(meaning: str, symbol: str) -> str:
    return _SYMBOL.sub(lambda found: symbol.upper() if found.group() == "SYM" else symbol, meaning)
