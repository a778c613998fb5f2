"""One predicate in several words: *take a walk* and *walk*, *in a hat* and *wearing a hat*.

A light verb says nothing of its own; what is done is named by its object (Jespersen 1942, chapter 7).
"""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.wordnet import wordnet
from natlog.lexicon.words import Relation, WordRelation, Words
from natlog.tree import Token

_TELLING = (Relation.SYNONYM, Relation.HYPONYM, Relation.HYPERNYM)


def same_predicate(first: list[Token], second: list[Token], words: Words) -> WordRelation | None:
    """How two predicates relate of which one is a light verb with its object, or *in* for *wearing*."""
    if len(first) == len(second) == 1:
        return _worn(first[0], second[0]) or _worn(second[0], first[0])
    if len(second) == 1:
        return _light(first, second[0], words)
    if len(first) == 1:
        found = _light(second, first[0], words)
        return found.converse if found is not None else None
    return None


def _worn(one: Token, two: Token) -> WordRelation | None:
    if spelling(one) == "in" and one.pos == "ADP" and two.lemma.lower() == "wear":
        return WordRelation(one.text, two.text, Relation.SYNONYM, "in of what is worn", 0.9)
    return None


def _light(phrase: list[Token], verb: Token, words: Words) -> WordRelation | None:
    """A light verb with its object against a verb: by the verbs that the object is made into."""
    if len(phrase) != 2 or phrase[0].lemma.lower() not in modifiers("light_verbs") or verb.pos != "VERB":
        return None
    noun = phrase[1]
    if noun.pos != "NOUN" or noun.head != phrase[0].index or noun.dep != "dobj":
        return None
    said = f"{phrase[0].text} {noun.text}"
    lemma = noun.lemma.lower()
    named = sorted({lemma, *wordnet().derived(lemma)})
    found = [words.relation(name, verb.text, "v") for name in named if wordnet().senses(name, "v")]
    telling = [item for item in found if item.relation in _TELLING]
    if not telling:
        return None
    best = max(telling, key=lambda item: (item.relation is Relation.SYNONYM, item.confidence))
    return WordRelation(said, verb.text, best.relation, f"light verb: {best.source}", best.confidence * 0.95)
