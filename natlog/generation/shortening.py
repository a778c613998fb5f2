"""Dropping a modifier: an adjective, a prepositional phrase, a relative clause, an adverb."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.generation.change import Change, Operation
from natlog.generation.phrases import (
    clause_span,
    frame_of,
    has_operator,
    is_plain_adjective,
    is_plain_adverb,
    phrase_span,
)
from natlog.generation.stock import Stock
from natlog.generation.structure import Structure
from natlog.generation.wordlists import listed
from natlog.lexicon.modifiers import modifiers
from natlog.tree import Token


def shortenings(structure: Structure, stock: Stock) -> Iterator[Change]:
    """Every modifier of a sentence that can go, from left to right of the words they modify."""
    for token in structure.tokens:
        if token.pos == "NOUN" and token.tag in ("NN", "NNS"):
            yield from _of_noun(structure, token)
        elif token.pos == "VERB" and token.dep not in ("amod", "compound", "aux", "auxpass"):
            yield from _of_verb(structure, stock, token)


def _dropped(structure: Structure, span: tuple[int, int], kind: str, place: Token) -> Change:
    return Change(
        operation=Operation.SHORTEN,
        kind=kind,
        start=span[0],
        end=span[1],
        words=(),
        place=place.index,
        polarity=structure.sign(place.index),
        wider=True,
    )


def _of_noun(structure: Structure, noun: Token) -> Iterator[Change]:
    if noun.lemma.lower() in listed("empty_nouns") or noun.dep in ("npadvmod", "compound"):
        return
    for adjective in structure.children(noun.index, "amod"):
        if is_plain_adjective(structure, adjective, noun):
            yield _dropped(structure, (adjective.index, adjective.index + 1), "adjective", noun)
    for clause in structure.children(noun.index, "relcl"):
        found = clause_span(structure, noun, clause)
        if found and not has_operator(structure, *found):
            yield _dropped(structure, found, "relative clause", noun)
    for preposition in structure.children(noun.index, "prep"):
        found = phrase_span(structure, preposition)
        if not found or found[0] != noun.index + 1 or noun.lemma.lower() in modifiers("measures"):
            continue
        if not has_operator(structure, *found, article=True):
            yield _dropped(structure, found, "prepositional phrase", noun)


def _of_verb(structure: Structure, stock: Stock, verb: Token) -> Iterator[Change]:
    for adverb in structure.children(verb.index, "advmod"):
        needed = verb.lemma.lower() in listed("verbs_with_manner")
        if is_plain_adverb(structure, adverb) and not needed:
            yield _dropped(structure, (adverb.index, adverb.index + 1), "adverb", verb)
    if verb.lemma.lower() in listed("verbs_with_place"):
        return
    for preposition in structure.children(verb.index, "prep"):
        found = phrase_span(structure, preposition)
        if not found or found[0] < verb.index or has_operator(structure, *found, article=True):
            continue
        rest = frame_of(structure, verb, without=preposition.index)
        # One that the corpus uses without such a phrase can lose it: not "He lives in Rome".
        if stock.frames[verb.lemma.lower()][rest] >= ENOUGH_WITHOUT:
            yield _dropped(structure, found, "prepositional phrase", verb)


ENOUGH_WITHOUT = 2
"""A verb was met so often without the phrase."""
