"""Varied sentences whose parse shows the way out of a fault.

A plain verb in the place of the doubtful word, *love* for *like*, a comma after the conditional: the parse of
the best variant is taken over. :data:`VARIATIONS` is the order in which they are tried, and a new one is one
class and one line there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from natlog.lexicon.word_lists import named_lists, word_list
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.faults import (
    BARE_SUBJECT,
    FINITE,
    NO_CONSEQUENCE,
    NO_SUBJECT,
    NO_VERB,
    NOUN_CLAUSE,
    NOUNS,
    STRAY_THAT,
    faults,
    is_plural_compound,
    opens_clause,
)

THAN_AS_AND = "than read as a comparison of two sets"

_DOUBTFUL = NOUNS | {"VBN", "VBG", "JJ", "UH", "RB", "POS", "VB", "VBD"}
_PHRASE_STARTS = NOUNS | {"DT", "PRP", "PRP$", "CD", "JJ", "EX", "PDT"}
_EXPECTING = frozenset({"IN", "DT", "JJ", "PRP$", "CD", "CC", "TO", "RB", "NNP", "POS", "MD"})
_BEFORE_NOUN = frozenset({"DT", "JJ", "JJS", "JJR", "PRP$", "IN", "POS", "CD", "TO"})
_STARTS_OBJECT = frozenset({"DT", "PRP", "PRP$", "CD", "JJ", "NN", "NNS", "NNP", "NNPS"})
_SINGULAR_DETERMINERS = word_list("singular_determiners")
_BEFORE_HEAD = frozenset({"amod", "compound"})
_VERBS = named_lists("stand_in_verbs")
_LIKE = _VERBS["like"]
_SAY, _SAYS, _SAID, _SAYING = _VERBS["report"]
_MOST_COMMAS = 6
_MOST_VARIANTS = 9


@dataclass(frozen=True, slots=True)
class Variant:
    """A varied sentence to parse.

    ``inserted`` is the place of an added comma or full stop, ``verb`` that of a plain verb, or -1.
    """

    words: tuple[str, ...]
    about: str
    inserted: int = -1
    verb: int = -1

    def __str__(self) -> str:
        return " ".join(self.words)


class Variation(ABC):
    """One way to vary a sentence; its docstring shows it on one."""

    @abstractmethod
    def vary(self, draft: Draft) -> Iterator[Variant]:
        """The varied sentences, the likeliest first."""


class Comma(Variation):
    """A comma between a conditional and its consequence.

    >>> from natlog.parsing.examples import vary
    >>> vary(Comma, "If every cat runs some dog sleeps")
    If every cat runs , some dog sleeps
    """

    def vary(self, draft: Draft) -> Iterator[Variant]:
        """One before each word that could begin the main clause."""
        return islice(self._commas(draft), _MOST_COMMAS)

    @staticmethod
    def _commas(draft: Draft) -> Iterator[Variant]:
        words, tags = draft.words, draft.tags
        condition = next(index for index, word in enumerate(words) if word.lower() == "if")
        after = range(condition + 1, len(tags))
        verb = next((i for i in after if tags[i][:2] in ("VB", "MD")), condition + 2)
        for place in range(verb + 1, len(words) - 1):
            starts = tags[place] in _PHRASE_STARTS and tags[place - 1] not in _EXPECTING
            if starts and words[place - 1] != ",":
                yield Variant((*words[:place], ",", *words[place:]), "a comma after the conditional", place)


class TwoSets(Variation):
    """*and* for *than* in "more dogs than cats bark", which is else parsed as "than cats bark".

    >>> from natlog.parsing.examples import vary
    >>> vary(TwoSets, "Fewer dogs than cats sit.")
    Fewer dogs and cats sit .
    """

    def vary(self, draft: Draft) -> Iterator[Variant]:
        """Once with the sentence's own verb, once with a plain one."""
        words, tags = draft.words, draft.tags
        for place, word in enumerate(words):
            if word.lower() == "than" and place > 1 and tags[place - 1] in NOUNS:
                linked = (*words[:place], "and", *words[place + 1 :])
                yield Variant(linked, THAN_AS_AND)
                for verb in range(len(words) - 1, place + 1, -1):
                    if tags[verb] in _DOUBTFUL and wordnet().lemmas(words[verb].lower(), "v"):
                        yield Variant((*linked[:verb], "are", *linked[verb + 1 :]), THAN_AS_AND)
                        break


class PlainVerb(Variation):
    """A plain verb in the place of each word that could be the missing one.

    >>> from natlog.parsing.examples import vary
    >>> vary(PlainVerb, "Three dogs like four cats")
    Three dogs love four cats
    Three dogs have four cats
    """

    def vary(self, draft: Draft) -> Iterator[Variant]:
        """*like* first, then words that are more often verbs than nouns; of each the last first."""
        words, tags = draft.words, draft.tags
        places = []
        for place, word in enumerate(words):
            if word.lower() == "'s" and tags[place] in ("POS", "VBZ"):
                yield Variant((*words[:place], "is", *words[place + 1 :]), f"{word} read as a verb")
            elif place and word.lower() in _LIKE:
                if tags[place] not in FINITE:
                    places.append(place)
            elif place and _could_be_verb(draft, place):
                places.append(place)
        places.sort(
            key=lambda place: (words[place].lower() not in _LIKE, not _is_verbal(words[place]), -place)
        )
        for place in places:
            yield from _plain_at(draft, place)


class PosingNoun(Variation):
    """A plain verb for what was read as a noun where only a verb makes sense.

    >>> from natlog.parsing.examples import vary
    >>> vary(PosingNoun, "Dogs chase cats")
    Dogs are cats
    """

    def vary(self, draft: Draft) -> Iterator[Variant]:
        """From left to right."""
        for place in range(len(draft.words)):
            if _poses_as_noun(draft, place):
                yield from _plain_at(draft, place)


class PlainReport(Variation):
    """*says* in the place of a rarer verb, where *that* was read as an object.

    >>> from natlog.parsing.examples import vary
    >>> vary(PlainReport, "Tom regrets that every dog barked.")
    Tom regrets that every dog said .
    """

    def vary(self, draft: Draft) -> Iterator[Variant]:
        """In the form of the verb."""
        words, tags = draft.words, draft.tags
        for place, dep in enumerate(draft.deps):
            if dep in ("dobj", "pobj") and tags[place] == "IN":
                verb = draft.heads[place]
                plain = {"VBZ": _SAYS, "VBD": _SAID, "VBN": _SAID, "VBG": _SAYING}.get(tags[verb], _SAY)
                yield Variant((*words[:verb], plain, *words[verb + 1 :]), f"{words[verb]} read as a report")


class FullStop(Variation):
    """A full stop at the end of a sentence without one; it is tried last, whatever the fault.

    >>> from natlog.parsing.examples import vary
    >>> vary(FullStop, "Dogs chase cats")
    Dogs chase cats .
    """

    def vary(self, draft: Draft) -> Iterator[Variant]:
        """One at most."""
        if draft.words[-1][-1:].isalnum():
            yield Variant((*draft.words, "."), "a full stop added", len(draft.words))


VARIATIONS: tuple[tuple[frozenset[str], Variation], ...] = (
    (frozenset({NO_CONSEQUENCE, NO_SUBJECT}), Comma()),
    (frozenset({NO_CONSEQUENCE, NO_SUBJECT}), PlainVerb()),
    (frozenset({NO_VERB}), TwoSets()),
    (frozenset({NO_VERB}), PlainVerb()),
    (frozenset({BARE_SUBJECT, NOUN_CLAUSE}), PosingNoun()),
    (frozenset({STRAY_THAT}), PlainReport()),
    (frozenset({STRAY_THAT}), PlainVerb()),
)
"""What is tried for which faults, in this order; a full stop comes after them all."""


def variants(draft: Draft) -> list[Variant]:
    """The varied sentences that may parse better, at most ten."""
    found = faults(draft)
    if not found:
        return []
    meant = (variation for mends, variation in VARIATIONS if not mends.isdisjoint(found))
    tried = (variant for variation in meant for variant in variation.vary(draft))
    return [*islice(tried, _MOST_VARIANTS), *FullStop().vary(draft)]


def unfit(parse: Draft, variant: Variant) -> int:
    """Added weight for a variant's parse.

    A plain verb is a main verb; after an added comma the main clause starts with its subject.
    """
    if variant.verb >= 0 and parse.deps[variant.verb] in ("aux", "auxpass"):
        return 2
    if variant.inserted < 0 or variant.inserted == len(variant.words) - 1:
        return 0
    heads, deps = parse.heads, parse.deps
    subject = next((child for child in heads.children[heads.roots[0]] if deps[child] in SUBJECTS), -1)
    if subject < variant.inserted:
        return 2
    between = (child for child in heads.children[subject] if variant.inserted < child < subject)
    return 0 if next(between, subject) == variant.inserted + 1 else 1


def _could_be_verb(draft: Draft, place: int) -> bool:
    """Whether a word may be the main verb, by its tag, its form and the word before it."""
    tags, word = draft.tags, draft.words[place].lower()
    doubtful = tags[place] in _DOUBTFUL or (tags[place] in FINITE and draft.deps[place] in _BEFORE_HEAD)
    return (
        doubtful
        and not _is_gerund(word)
        and (tags[place - 1] not in _BEFORE_NOUN or _disagrees(draft, place) or _is_past(word))
        and bool(wordnet().lemmas(word, "v"))
    )


def _poses_as_noun(draft: Draft, place: int) -> bool:
    """Whether the parse takes a word for a noun where only a verb makes sense of it."""
    if is_plural_compound(draft, place):
        return True
    below = draft.heads.children[place]
    return draft.tags[place] in NOUNS and any(opens_clause(draft, child) for child in below)


def _is_gerund(word: str) -> bool:
    """Whether a word is an -ing form, which is never finite (*gambling*, not *sing*)."""
    return word.endswith("ing") and word not in wordnet().lemmas(word, "v")


def _is_verbal(word: str) -> bool:
    """Whether a word has more senses as a verb than as a noun (*sell*, not *bread*)."""
    lexicon = wordnet()
    senses = {
        pos: sum(len(lexicon.senses(lemma, pos)) for lemma in lexicon.lemmas(word.lower(), pos))
        for pos in "nv"
    }
    return senses["v"] > senses["n"]


def _is_past(word: str) -> bool:
    """Whether a word can only be a past form of a verb (*drank*, *swam*)."""
    lexicon = wordnet()
    return not lexicon.lemmas(word, "n") and word not in lexicon.lemmas(word, "v") and not word.endswith("s")


def _disagrees(draft: Draft, place: int) -> bool:
    """Whether a word cannot be the noun of the determiner or adjective before it ("this borders on")."""
    before, tag = draft.words[place - 1], draft.tags[place - 1]
    if tag == "DT":
        return draft.tags[place] == "NNS" and before.lower() in _SINGULAR_DETERMINERS
    return tag == "JJ" and (before[0].isupper() or not wordnet().senses(before.lower(), "a"))


def _plain_at(draft: Draft, place: int) -> Iterator[Variant]:
    words = draft.words
    for plain in _plain_verbs(draft, place):
        varied = (*words[:place], plain, *words[place + 1 :])
        yield Variant(varied, f"{words[place]} read as a verb", verb=place)


def _plain_verbs(draft: Draft, place: int) -> tuple[str, ...]:
    """Verbs of the word's own form that no tagger takes for a noun."""
    word = draft.words[place].lower()
    if word in _LIKE:
        return (word.replace("lik", "lov"), _VERBS["transitive"][_LIKE.index(word)])
    tags = draft.tags
    after = tags[place + 1] if place + 1 < len(tags) else ""
    kinds = ("transitive", "transitive_again") if after in _STARTS_OBJECT else ("intransitive",)
    if word.endswith("s") and not word.endswith("ss"):
        form = 1
    else:
        plural = tags[place - 1] in ("NNS", "NNPS", "PRP", "CC") or is_plural_compound(draft, place)
        form = 0 if plural and word in wordnet().lemmas(word, "v") else 2
    return tuple(_VERBS[kind][form] for kind in kinds)
