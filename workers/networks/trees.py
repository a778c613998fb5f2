"""Sentences as dependency trees: parsed outside the network, once each, and laid out level by level.

A level is a distance from the root. The children of a level's nodes are the whole of the next level, so that
a network that goes from the deepest level up needs one matrix operation a level for all the trees of a batch,
and of what it has computed nothing but the level before. (Levels by height are as many, but a node's children
lie scattered over those below.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import torch
from django.conf import settings
from torch import Tensor

from natlog.parsing import load_parser
from natlog.tree import Tree
from workers.networks.batches import Batch, padded
from workers.networks.words import NOTHING, WordReader

#: The relations of spaCy's English pipelines (ClearNLP's scheme), by their number; 0 is any other.
RELATIONS = (
    "other", "ROOT", "acl", "acomp", "advcl", "advmod", "agent", "amod", "appos", "attr", "aux", "auxpass",
    "case", "cc", "ccomp", "compound", "conj", "csubj", "csubjpass", "dative", "dep", "det", "dobj", "expl",
    "intj", "mark", "meta", "neg", "nmod", "npadvmod", "nsubj", "nsubjpass", "nummod", "oprd", "parataxis",
    "pcomp", "pobj", "poss", "preconj", "predet", "prep", "prt", "punct", "quantmod", "relcl", "xcomp",
)  # fmt: skip
_NUMBERS = {relation: number for number, relation in enumerate(RELATIONS)}
ROOT = _NUMBERS["ROOT"]
# Half a kilobyte each.
_MOST_PARSES = 200_000


class Parse(NamedTuple):
    """A sentence's words, the place of each one's governor (a root's is its own), and the number of its
    relation to that in :data:`RELATIONS`."""

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[int, ...]


class Layer(NamedTuple):
    """One level of a tree or of many: the numbers of words and relations, and for each node the place of
    its governor in the level above (roots: 0)."""

    words: Sequence[int]
    relations: Sequence[int]
    parents: Sequence[int]


def layers(words: Sequence[int], heads: Sequence[int], relations: Sequence[int]) -> tuple[Layer, ...]:
    """A tree from its root down. Where a text has several roots (two sentences), the others hang from the
    first one with the relation ROOT, so that there is one node to read the whole off.

    >>> layers([7, 8, 9], [1, 1, 1], [21, 1, 30])
    (Layer(words=[8], relations=[1], parents=[0]), Layer(words=[7, 9], relations=[21, 30], parents=[0, 0]))
    """
    roots = [place for place, head in enumerate(heads) if head == place]
    children: list[list[int]] = [[] for _ in words]
    for place, head in enumerate(heads):
        if place != roots[0]:
            children[roots[0] if head == place else head].append(place)
    found, level, parents = [], roots[:1], [0]
    while level:
        found.append(Layer([words[n] for n in level], [relations[n] for n in level], parents))
        parents = [number for number, place in enumerate(level) for _ in children[place]]
        level = [child for place in level for child in children[place]]
    return tuple(found)


@dataclass(frozen=True)
class Level:
    """A level of all the trees of a batch, as tensors (N,): see :class:`Layer`."""

    words: Tensor
    relations: Tensor
    parents: Tensor

    def to(self, device: torch.device) -> Level:
        return Level(self.words.to(device), self.relations.to(device), self.parents.to(device))


@dataclass(frozen=True)
class Forest:
    """The trees of a batch from their roots down; the first level has one node for each tree, in order."""

    levels: tuple[Level, ...]

    def to(self, device: torch.device) -> Forest:
        return Forest(tuple(level.to(device) for level in self.levels))


def forest(trees: Sequence[Sequence[Layer]]) -> Forest:
    """Trees side by side, level by level."""
    depth = max(len(tree) for tree in trees)
    levels, above = [], [0] * len(trees)  # where each tree's part of the level above begins
    for number in range(depth):
        words: list[int] = []
        relations: list[int] = []
        parents: list[int] = []
        for place, tree in enumerate(trees):
            begin = len(words)
            if number < len(tree):
                words += tree[number].words
                relations += tree[number].relations
                parents += [above[place] + parent for parent in tree[number].parents]
            above[place] = begin
        levels.append(Level(torch.tensor(words), torch.tensor(relations), torch.tensor(parents)))
    return Forest(tuple(levels))


class TreeExample(NamedTuple):
    """A pair's words in order, as numbers, and its two trees."""

    premise: tuple[int, ...]
    hypothesis: tuple[int, ...]
    premise_tree: tuple[Layer, ...]
    hypothesis_tree: tuple[Layer, ...]


class TreeReader:
    """Pairs as words of a vocabulary in trees: the batch's ``trees`` is the :class:`Forest` of the premises
    and, after them, the hypotheses. ``pipeline`` names the spaCy pipeline that parses: the host's when the
    reader is fitted, the same one ever after."""

    def __init__(self, words: WordReader, pipeline: str) -> None:
        self.words = words
        self.pipeline = pipeline

    @classmethod
    def fit(cls, pairs: Sequence[tuple[str, str]], *, hypothesis_only: bool = False) -> Self:
        texts = {text for pair in pairs for text in (pair[1:] if hypothesis_only else pair)}
        counts = Counter(word for parse in parses(sorted(texts), settings.PARSER) for word in parse.words)
        vocabulary = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(WordReader(vocabulary, hypothesis_only=hypothesis_only), settings.PARSER)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        return cls(WordReader.from_config(config), config["pipeline"])

    def config(self) -> dict[str, Any]:
        return {**self.words.config(), "pipeline": self.pipeline}

    def examples(self, pairs: Sequence[tuple[str, str]]) -> list[TreeExample]:
        shown = [("" if self.words.hypothesis_only else premise, text) for premise, text in pairs]
        trees = iter(parses([text for pair in shown for text in pair], self.pipeline))
        return [self._example(premise, hypothesis) for premise, hypothesis in zip(trees, trees, strict=True)]

    def _example(self, *pair: Parse) -> TreeExample:
        first, second = (self.words.numbers(parse.words) or (NOTHING,) for parse in pair)
        above, below = (
            layers(numbers, parse.heads or (0,), parse.relations or (ROOT,))
            for numbers, parse in zip((first, second), pair, strict=True)
        )
        return TreeExample(first, second, above, below)

    def unknown(self, premise: str, hypothesis: str) -> list[str]:
        shown = [hypothesis] if self.words.hypothesis_only else [premise, hypothesis]
        return self.words.unknown_of(word for parse in parses(shown, self.pipeline) for word in parse.words)

    def size(self, example: TreeExample) -> int:
        return len(example.premise) + len(example.hypothesis)

    def batch(self, examples: Sequence[TreeExample]) -> Batch:
        trees = [e.premise_tree for e in examples] + [e.hypothesis_tree for e in examples]
        premises, hypotheses = padded([e.premise for e in examples]), padded([e.hypothesis for e in examples])
        return Batch(premises, hypotheses, trees=forest(trees))

    def vectors(self, *, source: str, dimensions: int, seed: int) -> Tensor:
        return self.words.vectors(source=source, dimensions=dimensions, seed=seed)


_parsed: dict[tuple[str, str], Parse] = {}


def parses(texts: Iterable[str], pipeline: str) -> list[Parse]:
    """Texts parsed by a spaCy pipeline, in order, many at once; each but once a process, as far as the
    latest 200,000 go."""
    keys = [(pipeline, text) for text in texts]
    found = {key: _parsed[key] for key in keys if key in _parsed}
    new = [key for key in dict.fromkeys(keys) if key not in found]
    for key, tree in zip(new, load_parser(pipeline).pipe([text for _, text in new]), strict=True):
        found[key] = _parsed[key] = _parse(tree)
    while len(_parsed) > _MOST_PARSES:
        del _parsed[next(iter(_parsed))]
    return [found[key] for key in keys]


def _parse(tree: Tree) -> Parse:
    tokens = tree.tokens
    return Parse(
        tuple(token.text.lower() for token in tokens),
        tuple(token.head for token in tokens),
        tuple(_NUMBERS.get(token.dep, 0) for token in tokens),
    )
