"""Adding a modifier that the corpus has joined to the same word elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.generation.change import Change, Operation
from natlog.generation.phrases import Phrase, use_of_noun
from natlog.generation.stock import Stock
from natlog.generation.structure import Structure
from natlog.generation.wordlists import listed
from natlog.lexicon.word_lists import word_list
from natlog.tree import Token

CLOSED_PHRASES = (
    "prep",
    "advcl",
    "ccomp",
    "xcomp",
    "npadvmod",
    "conj",
    "advmod",
    "dative",
    "acomp",
    "attr",
    "oprd",
    "prt",
)
"""What a verb may not have when something is added at its end: it would be read with these."""

FREE = 2
"""A phrase met with so many verbs is free of what the one is about: in the garden, not in the hand."""


def extensions(structure: Structure, stock: Stock) -> Iterator[Change]:
    """Every addition to a sentence, from left to right of the words they modify."""
    for token in structure.tokens:
        if token.index in structure.operators:
            continue
        if token.pos == "NOUN" and token.tag in ("NN", "NNS"):
            yield from _to_noun(structure, stock, token)
        elif token.pos == "VERB":
            yield from _to_verb(structure, stock, token)


def _added(structure: Structure, at: int, words: Phrase, kind: str, place: Token) -> Change:
    return Change(
        operation=Operation.EXTEND,
        kind=kind,
        start=at,
        end=at,
        words=words,
        place=place.index,
        polarity=structure.sign(place.index),
        wider=False,
    )


def _to_noun(structure: Structure, stock: Stock, noun: Token) -> Iterator[Change]:
    lemma = noun.lemma.lower()
    if noun.dep in ("compound", "npadvmod", "appos") or lemma in listed("empty_nouns"):
        return
    modified = structure.children(noun.index, "amod", "compound", "nmod", "relcl", "acl", "conj", "case")
    if modified or use_of_noun(structure, noun) == "bare" or noun.text[:1].isupper():
        return
    before = structure.tokens[noun.index - 1] if noun.index else None
    if before is None or before.pos not in ("PUNCT", "ADJ", "NOUN", "PROPN", "PART", "SYM"):
        for adjective in stock.adjectives.get((lemma, use_of_noun(structure, noun) == "poss"), ()):
            if adjective not in structure.words(0, len(structure.tokens)):
                yield _added(structure, noun.index, (adjective,), "adjective", noun)
    if structure.children(noun.index, "prep") or structure.determiner(noun.index) is None:
        return
    if structure.word(noun.index + 1) in word_list("continuing"):
        return
    for clause in stock.clauses.get((lemma, noun.tag), ()):
        yield _added(structure, noun.index + 1, clause, "relative clause", noun)


def _to_verb(structure: Structure, stock: Stock, verb: Token) -> Iterator[Change]:
    if structure.children(verb.index, *CLOSED_PHRASES) or verb.dep not in ("ROOT", "relcl"):
        return
    found = structure.span(verb.index)
    size = len(structure.tokens)
    end = next((at for at in range(size, 0, -1) if structure.tokens[at - 1].pos != "PUNCT"), 0)
    if found is None or found[1] < end or not structure.is_last(end):
        return
    if verb.lemma.lower() in listed("wide_verbs"):
        return
    objects = structure.children(verb.index, "dobj")
    if any(structure.children(item.index, "relcl", "prep", "acl") for item in objects):
        return
    for adverb in stock.adverbs.get((verb.lemma.lower(), bool(objects)), ()):
        yield _added(structure, end, (adverb,), "adverb", verb)
    for phrase in stock.phrases.get((verb.lemma.lower(), bool(objects)), ()):
        if objects and len(stock.verbs_of_phrase[phrase]) < FREE:
            continue  # what was bitten in the hand is not bitten so in the tongue
        yield _added(structure, end, phrase, "prepositional phrase", verb)
