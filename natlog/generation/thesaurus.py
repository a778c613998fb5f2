"""Hypernyms and hyponyms that a reader would take a word for: of common senses, in common words.

WordNet lists every sense of a word and every word of a sense. What is asked for here is stricter: a word
stands for its first sense, that sense is what the word mostly meant in the texts whose words were marked
with senses, and the word put in is a common one and mostly means the neighbouring sense.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from natlog.generation.wordlists import listed, tables
from natlog.lexicon.wordnet import WordNet, wordnet

STEPS_UP = 3
STEPS_DOWN = 1
STEPS_DOWN_IN_KINDS = 2
"""Below animals, persons, vehicles and the like, where WordNet has layers that nobody speaks of."""

AKIN = 6
"""Two nouns are akin whose common hypernym is so many steps away, from both taken together."""

PREVAILS = 2
"""The first sense was met at least so many times as often as the next."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A word above or below another: its lemma (with spaces), both synsets as ``dog.n.1``, and how many
    steps are between them."""

    lemma: str
    wider: bool
    first: str
    second: str
    steps: int


@lru_cache(maxsize=4)
def _members(pos: str) -> dict[int, tuple[str, ...]]:
    """The words whose first sense a synset is, by synset."""
    found: dict[int, list[str]] = defaultdict(list)
    for lemma, senses in wordnet().entries(pos):
        if lemma.replace("_", "").isalpha():
            found[senses[0]].append(lemma)
    return {synset: tuple(lemmas) for synset, lemmas in found.items()}


@lru_cache(maxsize=1)
def _below() -> dict[int, tuple[int, ...]]:
    """The synsets directly below each."""
    found: dict[int, list[int]] = defaultdict(list)
    for lower, upper in wordnet().pairs("hypernym"):
        found[upper].append(lower)
    return {upper: tuple(lowers) for upper, lowers in found.items()}


def prevailing(lemma: str, pos: str) -> int | None:
    """The sense that a word is taken for, if it is clear which: its only one, or its first by far."""
    net = wordnet()
    senses = net.senses(lemma, pos)
    if not senses:
        return None
    counts = net.counts(lemma, pos)
    if len(senses) == 1:
        return senses[0]
    if not counts or counts[0] < PREVAILS * max(counts[1:], default=0) or counts[0] < PREVAILS:
        return None
    return senses[0]


def times_met(lemma: str, pos: str) -> int:
    """How often a word was met in its first sense."""
    counts = wordnet().counts(lemma, pos)
    return counts[0] if counts else 0


def neighbours(lemma: str, pos: str) -> Iterator[Neighbour]:
    """The words a few steps above and below a word, those above first; in a fixed order."""
    net = wordnet()
    synset = prevailing(lemma, pos)
    if synset is None:
        return
    first = f"{lemma}.{pos}.1"
    steps_down = STEPS_DOWN_IN_KINDS if pos == "n" and is_countable(lemma) else STEPS_DOWN
    for layer, wider, most in ((_up, True, STEPS_UP), (_down, False, steps_down)):
        for steps, other in layer(net, synset, most):
            word = _word_for(other, pos)
            if word is not None:
                yield Neighbour(word.replace("_", " "), wider, first, f"{word}.{pos}.1", steps)


def _word_for(synset: int, pos: str) -> str | None:
    """The commonest word of a sense, among those that it prevails in; None for senses that are too wide."""
    members = _members(pos).get(synset, ())
    if not listed("wide_nouns" if pos == "n" else "wide_verbs").isdisjoint(members):
        return None
    words = [word for word in members if prevailing(word, pos) == synset]
    return max(words, key=lambda word: (times_met(word, pos), -len(word), word), default=None)


def are_akin(first: str, second: str) -> bool:
    """Whether two nouns name things of one sort, near to each other in WordNet: a cup and a plate."""
    net = wordnet()
    ones, twos = (net.senses(word.replace(" ", "_"), "n")[:1] for word in (first, second))
    if not ones or not twos:
        return False
    one, two = net.ancestors(ones[0]), net.ancestors(twos[0])
    return min((one[item] + two[item] for item in one.keys() & two.keys()), default=99) <= AKIN


def _up(net: WordNet, synset: int, most: int) -> Iterator[tuple[int, int]]:
    layer = [synset]
    for steps in range(1, most + 1):
        layer = sorted({above for item in layer for above in net.related("hypernym", item)})
        yield from ((steps, item) for item in layer)


def _down(net: WordNet, synset: int, most: int) -> Iterator[tuple[int, int]]:
    layer = [synset]
    for steps in range(1, most + 1):
        layer = sorted({below for item in layer for below in _below().get(item, ())})
        yield from ((steps, item) for item in layer)


@lru_cache(maxsize=1)
def _number_kinds() -> frozenset[int]:
    net = wordnet()
    return frozenset(net.senses(word, "n")[rank] for word, rank in tables()["number_kinds"]["senses"])


def is_countable(lemma: str) -> bool:
    """Whether one can count what the word names, as far as WordNet's kinds tell: an animal, a vehicle."""
    net = wordnet()
    senses = net.senses(lemma.replace(" ", "_"), "n")
    return bool(senses) and not _number_kinds().isdisjoint(net.ancestors(senses[0]))
