"""Negations, exceptions, relative clauses and objects of prepositions, hung on the word they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from natlog.lexicon.word_lists import word_list
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.repairs.rule import Repair

_EXCEPTIVES = word_list("exceptives")
_WHOLES = word_list("universals") | word_list("exceptable")
_RELATIVE_WORDS = word_list("relative_pronouns")
_NOUNS = frozenset({"NN", "NNS"})
_PRONOUNS = word_list("compound_pronouns")
_SENSES = 2


class Negation(Repair[int]):
    """A negation hangs on the verb, not on its auxiliary.

    >>> from natlog.parsing.examples import show
    >>> show(Negation, "The man isn't cautiously feeding a mouse to the snake.")
    n't/RB neg of is → n't/RB neg of feeding
    """

    def find(self, draft: Draft) -> Iterator[int]:
        """A negation on an auxiliary."""
        deps = draft.deps
        for index, dep in enumerate(deps):
            if dep == "neg" and deps[draft.heads[index]] in ("aux", "auxpass"):
                yield index

    def change(self, draft: Draft, site: int) -> str:
        """Hang it on the auxiliary's verb."""
        draft.move(site, draft.heads[draft.heads[site]])
        return ""


class Exceptive(Repair[tuple[int, int]]):
    """An exceptive goes to the quantified noun phrase just before it.

    >>> from natlog.parsing.examples import show
    >>> show(Exceptive, "John likes all cats except Tom.")
    except/IN prep of likes → except/IN prep of cats
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """The exceptive, and the noun of a universal phrase that ends before it."""
        for index, dep in enumerate(draft.deps):
            if dep == "prep" and draft.words[index] in _EXCEPTIVES:
                noun = self._whole(draft, index)
                if noun >= 0:
                    yield index, noun

    @staticmethod
    def _whole(draft: Draft, index: int) -> int:
        heads, words = draft.heads, draft.words
        for noun in heads.upward(index - 1) if index else ():
            if noun <= heads[index]:
                break
            if any(words[token].lower() in _WHOLES for token in (noun, *heads.children[noun])):
                return noun
            if heads[noun] >= index:
                break
        return -1

    def change(self, draft: Draft, site: tuple[int, int]) -> str:
        """Hang it on the noun."""
        index, noun = site
        if not draft.move(index, noun):
            return ""
        return f"{draft.words[index]} read as an exception to {draft.words[noun]}"


class RelativeClause(Repair[tuple[int, int, int]]):
    """A relative clause goes to the outer of two nouns where the inner does not suit it.

    *who* is no thing, and a verb agrees in number with its noun ("the cats in the room that bark").

    >>> from natlog.parsing.examples import show
    >>> show(RelativeClause, "There is a dog in the house who barks.")
    barks/VBZ relcl of house → barks/VBZ relcl of dog
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The relative word, its verb and the outer noun."""
        for index, word in enumerate(draft.words):
            if word in _RELATIVE_WORDS and draft.deps[index] in SUBJECTS:
                verb = draft.heads[index]
                outer = self._outer(draft, verb, word)
                if outer >= 0:
                    yield index, verb, outer

    @staticmethod
    def _outer(draft: Draft, verb: int, word: str) -> int:
        heads, tags, lemmas = draft.heads, draft.tags, draft.lemmas
        inner = heads[verb]
        if draft.deps[verb] != "relcl" or draft.deps[inner] != "pobj":
            return -1
        outer = heads[heads[inner]]
        if outer > inner or tags[outer] not in _NOUNS or tags[inner] not in _NOUNS:
            return -1
        person = word == "who" and _is_animate(lemmas[outer]) and not _is_animate(lemmas[inner])
        agrees = {"VBZ": ("NN", "NNS"), "VBP": ("NNS", "NN")}.get(tags[verb]) == (tags[outer], tags[inner])
        return outer if person or agrees else -1

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang the clause on the outer noun."""
        index, verb, outer = site
        return f"{draft.words[index]} read as {draft.words[outer]}" if draft.move(verb, outer) else ""


class PrepositionObject(Repair[tuple[int, int, int]]):
    """*nobody* takes no article: what stands before it is the object of the preposition that opens it.

    >>> from natlog.parsing.examples import show
    >>> show(PrepositionObject, "With a key everyone sang.")
    With/IN mark of sang → With/IN prep of sang
    a/DT det of everyone → a/DT det of key
    key/JJ amod of everyone → key/NN pobj of With
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The preposition, the article after it and the noun before the pronoun."""
        for article, dep in enumerate(draft.deps):
            if dep == "det" and draft.words[draft.heads[article]].lower() in _PRONOUNS:
                pronoun = draft.heads[article]
                preposition, noun = article - 1, pronoun - 1
                if preposition >= 0 and noun > article and self._opens(draft, preposition, pronoun):
                    yield preposition, article, noun

    @staticmethod
    def _opens(draft: Draft, preposition: int, pronoun: int) -> bool:
        """Whether the preposition has no object, and all up to the pronoun was hung on the pronoun."""
        heads, article = draft.heads, preposition + 1
        if draft.deps[preposition] != "prep" and draft.words[preposition].lower() not in ("with", "without"):
            return False
        return preposition not in heads[article:] and all(head == pronoun for head in heads[article:pronoun])

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Make a prepositional phrase of them."""
        preposition, article, noun = site
        if not draft.move(noun, preposition):
            return ""
        for index in range(article, noun):
            draft.move(index, noun)
        draft.deps[preposition] = "prep"
        draft.deps[noun], draft.tags[noun], draft.pos[noun] = "pobj", "NN", "NOUN"
        return f"{draft.words[noun]} read as the object of {draft.words[preposition]}"


@lru_cache(maxsize=4096)
def _is_animate(lemma: str) -> bool:
    """Whether one of a noun's commonest senses is a living thing."""
    lexicon = wordnet()
    living = {lexicon.senses(name, "n")[0] for name in ("organism", "people")}
    return any(
        not living.isdisjoint({sense, *lexicon.ancestors(sense)})
        for sense in lexicon.senses(lemma.lower(), "n")[:_SENSES]
    )
