"""Where the operators of a sentence stand in its CCG derivation.

Operators are found by their words, as on the dependency route, and then tied to the derivation: a determiner
to the noun phrase that its category makes, every other operator to its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from natlog.lexicon.operators import Match, load_operators
from natlog.parsing.ccg.categories import Functor, is_atom
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part, maximal_noun_phrase, saturated
from natlog.tree import Tree


@dataclass(frozen=True, slots=True)
class PlacedOperators:
    """The operators of a sentence.

    ``determiners``: the parts that they quantify, each with its determiners left to right; ``at``: every
    token of a found operator; ``predicates``: verbs, nouns and adjectives that sign a complement;
    ``numerals``: which tokens are numerals; ``leaves``: each token's part; ``predication``: the noun phrase
    that is to be read as subject and predicate, if any.
    """

    determiners: Mapping[Part, tuple[Match, ...]]
    at: Mapping[int, Match]
    predicates: Mapping[int, Match]
    numerals: tuple[bool, ...]
    leaves: tuple[Part, ...]
    predication: Part | None


def place_operators(tree: Tree, root: Part, convention: str) -> PlacedOperators:
    """Find the operators of a tree's sentence and tie them to its parts."""
    operators = load_operators(convention)
    words = [token.text.lower() for token in tree.tokens]
    numerals = tuple(token.tag == "CD" or token.pos == "NUM" for token in tree.tokens)
    leaves = tuple(part for part in root.walk() if not part.children)
    predication = _predication(tree, root)
    at: dict[int, Match] = {}
    determiners: dict[Part, list[Match]] = {}
    for match in operators.find(words, numerals):
        if match.operator.kind == "determiner":
            phrase = _quantified(match, leaves, predication)
            if phrase is None:
                continue
            determiners.setdefault(phrase, []).append(match)
        at.update(dict.fromkeys(range(match.start, match.end), match))
    predicates = {}
    for token in tree.tokens:
        operator = operators.predicates.get(token.lemma.lower())
        if operator is not None and token.index not in at:
            predicates[token.index] = Match(operator, token.index, token.index + 1)
    return PlacedOperators(
        determiners={
            phrase: tuple(sorted(found, key=lambda m: m.start)) for phrase, found in determiners.items()
        },
        at=at,
        predicates=predicates,
        numerals=numerals,
        leaves=leaves,
        predication=predication,
    )


def _quantified(match: Match, leaves: tuple[Part, ...], predication: Part | None) -> Part | None:
    """The noun phrase that a determiner quantifies.

    The first of its words whose category makes a noun phrase says which: in C&C's derivations *At least three
    dogs bark* has *At least* on the sentence and only *three* on the noun.
    """
    for index in range(match.start, match.end):
        phrase = saturated(leaves[index])
        if phrase.is_nominal:
            if match.operator.id == "numeral" and _is_name(phrase, leaves[index]):
                return None
            return _below(maximal_noun_phrase(phrase), phrase, predication)
    return _smallest_around(match, leaves)


def _below(maximal: Part, core: Part, predication: Part | None) -> Part:
    """The noun phrase without the predicate, where a fragment is read as subject and predicate."""
    if predication is None or not _contains(maximal, predication):
        return maximal
    return predication.argument if _contains(predication.argument, core) else maximal


def _contains(outer: Part, inner: Part) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _is_name(phrase: Part, leaf: Part) -> bool:
    """Whether a numeral names its noun phrase (*class 5*, *May 5*) rather than counts."""
    if not is_atom(leaf.category, "N"):
        return False
    return leaf.parent is not None and leaf.parent.argument is leaf and len(leaf.parent.children) == 2


def _smallest_around(match: Match, leaves: tuple[Part, ...]) -> Part | None:
    """Where no word of a determiner makes a noun phrase (a misparse): the least constituent around it."""
    part = leaves[match.start]
    while part.parent is not None:
        part = part.parent
        if part.end > match.end and part.start <= match.start:
            return part if part.start == match.start and part.parent is not None else None
    return None


def _predication(tree: Tree, root: Part) -> Part | None:
    r"""The noun phrase of a full-stopped text that should be a clause, as C&C's *An Irishman won a prize.*

    A parser that takes the verb for a participle or a preposition gives ``NP → NP NP\NP``; a full stop says
    that the text is a sentence, so the lowest such pair with a verb in it is read as subject and predicate.
    """
    if not root.is_nominal or tree.tokens[-1].text not in (".", "!"):
        return None
    pairs = []
    part = root
    while part.children:
        if part.rule is Rule.APPLICATION and _is_postnominal(part.functor):
            pairs.append(part)
        part = part.argument
    verbal = [pair for pair in pairs if any(inner.is_clausal for inner in pair.functor.children)]
    found = verbal or pairs
    return found[-1] if found else None


def _is_postnominal(part: Part) -> bool:
    category = part.category
    return isinstance(category, Functor) and category.slash == "\\" and category.is_modifier
