"""How WordNet relates the words of two sentences: the five features of KIM (Chen et al. 2018, section 4.1).

====================  ==================================================================================
synonymy              1 where the words share a synset (every word of WordNet with itself)
antonymy              1 where WordNet gives them as opposites
hypernymy             1 - n/8 where the second word is n steps above the first, by the shortest way
hyponymy              1 - n/8 where the second word is n steps below the first
co-hyponymy           1 where they have a direct hypernym in common and no synset
====================  ==================================================================================

Words are looked up in every sense of every part of speech, under all lemmas that a form may have; the paper
takes the one that a lemmatiser names. Forms of one lemma are synonyms and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from torch import Tensor

from natlog.lexicon.wordnet import wordnet
from workers.networks.batches import Batch
from workers.networks.words import Example, WordReader

RELATIONS = ("synonymy", "antonymy", "hypernymy", "hyponymy", "co-hyponymy")
_BACK = [0, 1, 3, 2, 4]  # seen from the other word, what is above is below

Features = tuple[float, ...]

REACH = 8  # steps, at which the weight is zero
_PARTS = "nvar"


@dataclass(frozen=True)
class _Word:
    """What of a word its relations are read from; ``above`` is the steps up to each synset over its own."""

    lemmas: frozenset[tuple[str, str]]
    synsets: frozenset[int]
    above: dict[int, int]
    parents: frozenset[int]


@lru_cache(maxsize=200_000)
def _word(form: str) -> _Word:
    net = wordnet()
    lemmas = frozenset((lemma, part) for part in _PARTS for lemma in net.lemmas(form, part))
    synsets = frozenset(sense for lemma, part in lemmas for sense in net.senses(lemma, part))
    above: dict[int, int] = {}
    layer: set[int] = set(synsets)
    for steps in range(1, REACH):
        layer = {parent for synset in layer for parent in net.related("hypernym", synset)}
        for synset in layer:
            above.setdefault(synset, steps)
    parents = frozenset(synset for synset, steps in above.items() if steps == 1)
    return _Word(lemmas, synsets, above, parents)


@lru_cache(maxsize=1_000_000)  # 15 microseconds a pair of words that wasn't met before
def relations(first: str, second: str) -> Features:
    """The features from one word to another, both in lower case, in the order of :data:`RELATIONS`.

    >>> relations("dog", "canid"), relations("canids", "dog"), relations("dog", "wolves")
    ((0.0, 0.0, 0.875, 0.0, 0.0), (0.0, 0.0, 0.0, 0.875, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0))
    """
    one, other = _word(first), _word(second)
    if one.lemmas & other.lemmas:
        return (1.0, 0.0, 0.0, 0.0, 0.0)
    same = not one.synsets.isdisjoint(other.synsets)
    opposite = any(
        part == other_part and wordnet().antonyms(lemma, other_lemma, part)
        for lemma, part in one.lemmas
        for other_lemma, other_part in other.lemmas
    )
    sisters = not same and not one.parents.isdisjoint(other.parents)
    return (
        float(same),
        float(opposite),
        _weight(one.above, other.synsets),
        _weight(other.above, one.synsets),
        float(sisters),
    )


def _weight(above: dict[int, int], synsets: Iterable[int]) -> float:
    steps = min((above[synset] for synset in synsets if synset in above), default=REACH)
    return 1 - steps / REACH


class KnowledgeReader(WordReader):
    """A :class:`WordReader` that says with each pair how WordNet relates its words."""

    def examples(self, pairs: Sequence[tuple[str, str]]) -> list[Example]:
        return [
            replace(example, related=_related(example.premise_words, example.hypothesis_words))
            for example in super().examples(pairs)
        ]

    def batch(self, examples: Sequence[Example]) -> Batch:
        plain = super().batch(examples)
        shape = (*plain.premise.tokens.shape, plain.hypothesis.tokens.shape[1], len(RELATIONS))
        knowledge = torch.zeros(shape)
        entries = [(n, *entry) for n, example in enumerate(examples) for entry in example.related]
        if entries:
            rows, ahead, behind, features = zip(*entries, strict=True)
            knowledge[list(rows), list(ahead), list(behind)] = torch.tensor(features)
        return Batch(plain.premise, plain.hypothesis, knowledge, seen_from_behind(knowledge))


def seen_from_behind(knowledge: Tensor) -> Tensor:
    """r_ji out of r_ij: (B, P, H, R) to (B, H, P, R)."""
    return knowledge.transpose(1, 2)[..., _BACK]


def _related(premise: Sequence[str], hypothesis: Sequence[str]) -> tuple[tuple[int, int, Features], ...]:
    """The places whose words are related, and how. Most words are not."""
    return tuple(
        (row, column, found)
        for row, first in enumerate(premise)
        for column, second in enumerate(hypothesis)
        if any(found := relations(first, second))
    )
