"""What a corpus says about its own words, so that what is put into its sentences stays natural there.

Nothing is added to a sentence that the corpus has not joined to the same word elsewhere: adjectives and
relative clauses of a noun, phrases and adverbs of a verb, the nouns that a verb takes; and no word is put
for another that the corpus has not used in the same way (as a plural, after *a*, with an object).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TypeVar

from natlog.generation.phrases import (
    Phrase,
    clause_to_carry,
    frame_of,
    is_bare_phrase,
    is_plain_adjective,
    is_plain_adverb,
    phrase_to_carry,
    use_of_noun,
)
from natlog.generation.structure import Structure
from natlog.lexicon.wordnet import wordnet
from natlog.tree import Token

Item = TypeVar("Item")

MOST_KEPT = 40
"""So many different modifiers of a word are kept, the first ones met."""


class Stock:
    """Modifiers, companions and uses of the words of a corpus. Its content depends on the sentences' order
    only where a word has more than :data:`MOST_KEPT` modifiers of a kind."""

    def __init__(self, structures: Iterable[Structure] = ()) -> None:
        self.sentences = 0
        self.adjectives: dict[tuple[str, bool], list[str]] = defaultdict(list)
        """By noun, and whether somebody had it: *his old bike*."""
        self.clauses: dict[tuple[str, str], list[Phrase]] = defaultdict(list)
        """By noun and tag."""
        self.phrases: dict[tuple[str, bool], list[Phrase]] = defaultdict(list)
        """By verb, and whether it had an object."""
        self.verbs_of_phrase: dict[Phrase, set[str]] = defaultdict(set)
        """The verbs that a phrase was met with."""
        self.adverbs: dict[tuple[str, bool], list[str]] = defaultdict(list)
        """By verb, and whether it had an object."""
        self.companions: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        """The objects of a verb, by the verb and their use: lemma and form."""
        self.names: Counter[str] = Counter()
        """Of persons, so far as their being subjects by themselves tells."""
        self.nouns: Counter[str] = Counter()
        self.objects: set[tuple[str, str]] = set()
        """Verb and object, by their lemmas."""
        self.uses: Counter[tuple[str, str]] = Counter()
        self.frames: dict[str, Counter[Phrase]] = defaultdict(Counter)
        for structure in structures:
            self.add(structure)

    def add(self, structure: Structure) -> None:
        """Take one sentence in."""
        self.sentences += 1
        for token in structure.tokens:
            if token.pos == "NOUN" and token.tag in ("NN", "NNS"):
                self._add_noun(structure, token)
            elif token.pos == "VERB":
                self._add_verb(structure, token)
            elif is_name(structure, token):
                self.names[token.text] += 1

    def _add_noun(self, structure: Structure, noun: Token) -> None:
        lemma, use = noun.lemma.lower(), use_of_noun(structure, noun)
        self.nouns[lemma] += 1
        self.uses[lemma, use] += 1
        for adjective in structure.children(noun.index, "amod"):
            if is_plain_adjective(structure, adjective, noun):
                _keep(self.adjectives[lemma, use == "poss"], adjective.word)
        for clause in structure.children(noun.index, "relcl"):
            found = clause_to_carry(structure, noun, clause)
            if found:
                _keep(self.clauses[lemma, noun.tag], found)
        head = structure.tokens[noun.head]
        if noun.dep == "dobj":
            self.objects.add((head.lemma.lower(), lemma))
        if noun.dep == "dobj" and head.pos == "VERB" and is_bare_phrase(structure, noun):
            _keep(self.companions[head.lemma.lower(), use], (lemma, noun.word))

    def _add_verb(self, structure: Structure, verb: Token) -> None:
        lemma = verb.lemma.lower()
        self.frames[lemma][frame_of(structure, verb)] += 1
        takes_object = bool(structure.children(verb.index, "dobj"))
        for preposition in structure.children(verb.index, "prep"):
            found = phrase_to_carry(structure, preposition)
            if found:
                _keep(self.phrases[lemma, takes_object], found)
                self.verbs_of_phrase[found].add(lemma)
        for adverb in structure.children(verb.index, "advmod"):
            if is_plain_adverb(structure, adverb) and adverb.index > verb.index:
                _keep(self.adverbs[lemma, takes_object], adverb.word)


def is_name(structure: Structure, token: Token) -> bool:
    """A person's name by itself as a subject, as far as one can tell: no *French*, no *Mr Brown*."""
    return (
        token.tag == "NNP"
        and token.dep == "nsubj"
        and token.text.isalpha()
        and token.text.istitle()
        and not structure.children(token.index)
        and not wordnet().senses(token.word, "a")
    )


def _keep(found: list[Item], item: Item) -> None:
    if item not in found and len(found) < MOST_KEPT:
        found.append(item)
