"""Machine-made pairs in the manner of HELP (Yanaka et al. 2019): change a sentence at a polarised place."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from natlog.generation.change import Change, MadePair, Operation, Rejected
from natlog.generation.checking import pairs_of
from natlog.generation.extending import extensions
from natlog.generation.joining import joinings
from natlog.generation.realising import realise
from natlog.generation.shortening import shortenings
from natlog.generation.stock import Stock
from natlog.generation.structure import Structure
from natlog.generation.substituting import substitutions
from natlog.tree import Marking, SentenceKind

if TYPE_CHECKING:
    from natlog.calculus import Labeller, Verdict

BATCH = 64
SPARE = 3
"""So many more changes are tried for a sentence than are wanted, since some are rejected."""

SHORTEST, LONGEST = 3, 30
"""Tokens of a sentence that is taken."""

ODD_MARKS = frozenset('"“”()[]{}:;…*') | {"...", "--", "—", "``", "''"}


@dataclass(frozen=True)
class Options:
    """What to make: which operations, at most how many changes of a sentence (each gives two pairs, one in
    each direction), and the seed by which changes are drawn."""

    operations: frozenset[Operation] = frozenset(Operation)
    per_sentence: int = 2
    seed: int = 0


@dataclass
class Made:
    """What came of one sentence: pairs, the calculus' verdict on each, and what was rejected."""

    sentence: str
    pairs: list[MadePair] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


class Maker:
    """Makes pairs of a corpus' sentences. ``stock`` is what the corpus says of its own words; ``labeller``
    marks the changed sentences and checks the pairs, under its convention."""

    def __init__(self, stock: Stock, labeller: Labeller, options: Options = Options()) -> None:
        self.stock, self.labeller, self.options = stock, labeller, options

    def make(self, markings: Iterable[Marking]) -> Iterator[Made]:
        """The pairs of each sentence, in order; changed sentences are parsed in batches.

        What is made of a sentence depends on it, the stock and the options, not on its neighbours.
        """
        source = iter(markings)
        while batch := list(islice(source, BATCH)):
            drawn = [self._drawn(marking) for marking in batch]
            texts = [text for _structure, changes in drawn for _change, text, _place in changes]
            changed = self.labeller.markings(texts)
            for marking, (structure, changes) in zip(batch, drawn, strict=True):
                made = Made(marking.tree.text)
                for change, text, place in changes:
                    if len(made.pairs) >= 2 * self.options.per_sentence:
                        break
                    found = pairs_of(
                        structure, change, changed[text], place, self.labeller, self.options.seed
                    )
                    if isinstance(found, Rejected):
                        made.rejected.append(found)
                    else:
                        made.pairs += [pair for pair, _verdict in found]
                        made.verdicts += [verdict for _pair, verdict in found]
                yield made

    def _drawn(self, marking: Marking) -> tuple[Structure, list[tuple[Change, str, int]]]:
        """The changes to try, in order, with their sentences."""
        structure = Structure(marking)
        chosen: list[tuple[Change, str, int]] = []
        texts = {marking.tree.text}
        for change in self._shuffled(structure):
            if len(chosen) >= self.options.per_sentence + SPARE:
                break
            text, place = realise(marking.tree, change)
            if text not in texts:
                texts.add(text)
                chosen.append((change, text, place))
        return structure, chosen

    def _shuffled(self, structure: Structure) -> Iterator[Change]:
        """All changes in a drawn order, the operations in turn, so that none crowds out the others."""
        if not is_taken(structure.marking):
            return
        draw = random.Random(f"{self.options.seed} {structure.tree.text}")
        groups: dict[tuple[str, str, int, bool], list[Change]] = {}
        for change in self.changes(structure):
            key = (change.operation.value, change.kind, change.start, change.wider)
            groups.setdefault(key, []).append(change)
        by_operation: dict[str, list[list[Change]]] = {}
        for key, changes in groups.items():
            draw.shuffle(changes)
            by_operation.setdefault(key[0], []).append(changes)
        turns = list(by_operation.values())
        draw.shuffle(turns)
        for turn in turns:
            draw.shuffle(turn)
        while turns:
            for turn in list(turns):
                changes = turn.pop(0)
                yield changes.pop()
                if changes:
                    turn.append(changes)
                if not turn:
                    turns.remove(turn)

    def changes(self, structure: Structure) -> Iterator[Change]:
        """Every change of a sentence by the operations asked for, in a fixed order, unchecked."""
        words = self.labeller.words
        wanted = self.options.operations
        if Operation.SUBSTITUTE in wanted:
            yield from substitutions(structure, self.stock, words)
        if Operation.SHORTEN in wanted:
            yield from shortenings(structure, self.stock)
        if Operation.EXTEND in wanted:
            yield from extensions(structure, self.stock)
        joins = wanted & {Operation.CONJUNCTION, Operation.DISJUNCTION}
        if joins:
            yield from (
                change for change in joinings(structure, self.stock, words) if change.operation in joins
            )


def is_taken(marking: Marking) -> bool:
    """Whether a text is one plain statement, parsed by dependencies and not too long."""
    tokens = marking.tree.tokens
    if marking.tree.kind is not SentenceKind.DECLARATIVE or not SHORTEST <= len(tokens) <= LONGEST:
        return False
    if any(token.text in ODD_MARKS or not token.dep for token in tokens):
        return False
    if any(token.text in (".", "!", "?") for token in tokens[:-1]):
        return False
    return tokens[-1].text in (".", "!") or tokens[-1].text.isalnum()


def stock_of(markings: Iterable[Marking]) -> Stock:
    """What a corpus says of its own words."""
    return Stock(Structure(marking) for marking in markings)


def maker_for(texts: Sequence[str], labeller: Labeller, options: Options) -> tuple[Maker, list[Marking]]:
    """A maker for a list of sentences, and their markings."""
    from natlog.parsing import load_parser
    from natlog.polarity import mark

    parser = load_parser(labeller.parser_name)
    markings = [mark(tree, labeller.convention) for tree in parser.pipe(texts)]
    return Maker(stock_of(markings), labeller, options), markings
