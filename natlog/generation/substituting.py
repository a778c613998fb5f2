"""Putting a more general or more specific word for a noun, a verb or an adjective."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.generation.change import Change, Operation
from natlog.generation.phrases import frame_of, is_idiom, use_of_noun
from natlog.generation.stock import Stock
from natlog.generation.structure import Structure
from natlog.generation.thesaurus import Neighbour, is_countable, neighbours, times_met
from natlog.generation.wordlists import listed
from natlog.lexicon.inflection import inflect
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.wordnet import wordnet
from natlog.lexicon.words import Relation, Words, normal
from natlog.tree import Token

COMMON = 3
"""A hypernym that the corpus lacks is common if it was met so many times in texts marked with senses."""

SUPPLEMENT = "supplement"

OFTEN = 3
"""A verb that only WordNet relates is used so often with the same complements: its senses are many."""

ONLY_PLURAL = word_list("only_plural")
"""What the supplement lists beside singulars."""


def substitutions(structure: Structure, stock: Stock, words: Words) -> Iterator[Change]:
    """Every substitution in a sentence, from left to right."""
    for token in structure.tokens:
        if token.index in structure.operators or token.text != _expected_form(structure, token):
            continue
        there = {item.lemma.lower() for item in structure.tokens}
        for neighbour in _wanted(structure, stock, words, token):
            if neighbour.lemma in there or (
                neighbour.lemma == "place" and use_of_noun(structure, token) == "bare"
            ):
                continue
            yield Change(
                operation=Operation.SUBSTITUTE,
                kind="hypernym" if neighbour.wider else "hyponym",
                start=token.index,
                end=token.index + 1,
                words=tuple(inflect(neighbour.lemma, token.tag).split()),
                place=token.index,
                polarity=structure.sign(token.index),
                wider=neighbour.wider,
                first=neighbour.first,
                second=neighbour.second,
            )


def _expected_form(structure: Structure, token: Token) -> str:
    """The lemma's form at this place, written as there; a wrong tag or lemma is found out by it."""
    form = inflect(token.lemma.lower(), token.tag)
    at_start = token.index == 0 and token.text.istitle()
    return form.capitalize() if at_start else form


def _wanted(structure: Structure, stock: Stock, words: Words, token: Token) -> Iterator[Neighbour]:
    if token.pos == "NOUN" and token.tag in ("NN", "NNS") and _is_free_noun(structure, token):
        use = use_of_noun(structure, token)
        for neighbour in _of_lemma(words, token.lemma.lower(), "n"):
            if _noun_fits(stock, neighbour, use) and _is_consumed(structure, stock, token, neighbour):
                yield neighbour
    elif token.pos == "VERB" and _is_free_verb(structure, token):
        for neighbour in _of_lemma(words, token.lemma.lower(), "v"):
            if _verb_fits(structure, stock, token, neighbour):
                yield neighbour
    elif token.tag == "JJ" and token.dep in ("amod", "acomp") and not structure.children(token.index):
        head = structure.tokens[token.head]
        if token.dep == "acomp" or (head.pos == "NOUN" and not is_idiom(token.word, head)):
            yield from _of_supplement(words, token.word, "a")


def _of_lemma(words: Words, lemma: str, pos: str) -> Iterator[Neighbour]:
    """WordNet's neighbours and the supplement's, each word once."""
    seen = {lemma}
    for neighbour in (*_of_supplement(words, lemma, pos), *neighbours(lemma, pos)):
        if neighbour.lemma not in seen and _is_mostly(normal(neighbour.lemma), pos):
            seen.add(neighbour.lemma)
            yield neighbour


def _of_supplement(words: Words, lemma: str, pos: str) -> Iterator[Neighbour]:
    net = wordnet()
    for other, relation in words.supplement_neighbours(lemma):
        if relation not in (Relation.HYPONYM, Relation.HYPERNYM) or not net.senses(other, pos):
            continue
        if _is_mostly(lemma, pos) and _is_mostly(other, pos):
            # The relation is of the word to the other: a hyponym's neighbour is wider.
            yield Neighbour(other.replace("_", " "), relation is Relation.HYPONYM, SUPPLEMENT, SUPPLEMENT, 1)


def _is_mostly(lemma: str, pos: str) -> bool:
    """Whether a word is one of a part of speech at least as often as one of another: the supplement doesn't
    say that *milk, drink* are its nouns, and *today* is more often an adverb."""
    net = wordnet()
    here = sum(net.counts(lemma, pos))
    return all(here >= sum(net.counts(lemma, part)) for part in "nvar" if part != pos)


def _is_free_noun(structure: Structure, noun: Token) -> bool:
    """No part of a compound, a measure or an idiom."""
    if noun.dep in ("acomp", "compound", "npadvmod", "nmod", "appos") or structure.children(
        noun.index, "compound"
    ):
        return False
    if noun.lemma.lower() in modifiers("measures") | modifiers("day_parts"):
        return False
    before = structure.tokens[noun.index - 1] if noun.index else None
    if before is not None and before.pos in ("ADJ", "NOUN", "PROPN") and is_idiom(before.text, noun):
        return False
    verb = structure.tokens[noun.head]
    if noun.dep == "dobj" and wordnet().senses(normal(f"{verb.lemma} {noun.lemma}"), "v"):
        return False  # to take place
    return structure.word(noun.index + 1) not in ("of", "-", "'s") and structure.word(noun.index - 1) != "-"


def _noun_fits(stock: Stock, neighbour: Neighbour, use: str) -> bool:
    """Whether the corpus uses a word so, or it is a common word for what one can count."""
    lemma = neighbour.lemma
    if lemma in ONLY_PLURAL:
        return use == "plural" and lemma == "people"
    if lemma in listed("wide_nouns") or (lemma.endswith("s") and not lemma.endswith("ss")):
        return False  # "papers" is no singular
    if stock.uses[lemma, use] >= (OFTEN if use == "bare" else 1):
        return True
    if use in ("bare", "poss"):
        return False
    is_common = neighbour.wider and times_met(normal(lemma), "n") >= COMMON
    if stock.nouns[lemma] or is_common:
        countable = is_countable(lemma) or stock.uses[lemma, "a"] or stock.uses[lemma, "plural"]
        return bool(countable) or use == "the"
    return False


def _is_consumed(structure: Structure, stock: Stock, noun: Token, neighbour: Neighbour) -> bool:
    """Whether a word for food and drink fits the verb: a chicken that lays eggs is no meat."""
    if neighbour.lemma not in listed("consumed"):
        return True
    verb = structure.tokens[noun.head].lemma.lower()
    return noun.dep == "dobj" and (verb, neighbour.lemma) in stock.objects


def _verb_fits(structure: Structure, stock: Stock, verb: Token, neighbour: Neighbour) -> bool:
    """Whether the corpus uses a verb with the same complements, and with this object; of the supplement's
    more general verbs (to like for to love) the object is taken for granted."""
    frames = stock.frames.get(neighbour.lemma)
    used = frames[frame_of(structure, verb)] if frames else 0
    if used < (1 if neighbour.first == SUPPLEMENT else OFTEN):
        return False
    if neighbour.wider and neighbour.first == SUPPLEMENT:
        return True
    objects = structure.children(verb.index, "dobj", "nsubjpass")
    return all((neighbour.lemma, item.lemma.lower()) in stock.objects for item in objects)


def _is_free_verb(structure: Structure, verb: Token) -> bool:
    return (
        verb.lemma.lower() not in listed("wide_verbs")
        and not structure.children(verb.index, "prt", "conj", "cc")
        and verb.dep not in ("amod", "aux", "auxpass", "compound", "conj")
    )
