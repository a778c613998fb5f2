"""The systematicity testbed (Yanaka et al. 2020): monotonicity inferences out of the fragment of its Table
6.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from natlog.fragments.claims import Claim
from natlog.fragments.drawing import TooFew, shares
from natlog.fragments.grammar import load
from natlog.fragments.parsing import parse
from natlog.fragments.surface import capitalised
from natlog.fragments.taxonomy import axioms

NAME = "systematicity"
DEPTHS = range(1, 6)
"""Depth is the number of clauses: 1 is a sentence without an embedded one (section 3.1)."""
DOWNWARD = ("no", "at most three", "less than three", "few")
UPWARD = ("some", "at least three", "more than three", "a few", "several")
VARIANTS = ("plain", "fronted adverb", "fronted preposition", "object")
"""The frames of the paper's extra test sets (section 2.2, (10) to (12)), beside the plain sentence."""
_SINGULAR = ("no", "some")
_KINDS = ("peripheral", "center", "bare center")
# Replacements (Table 2) with their argument: the noun is the first argument's, the verb the second's.
_FIRST = (("r1", "first"), ("r2", "first"), ("r3", "first"), ("r4", "first"))
_SECOND = (("r3", "second"), ("r5", "second"), ("r6", "second"), ("r7", "second"))
# One part in 16 is for testing: 20,000 of 320,000.
_TEST_IN = 16
# Depth 1 has some 60,000 different pairs in equal cells, so that its share of all depths is kept below that.
_MOST_AT_ONE = 30_000
# Draws in a row that bring no new pair before a cell counts as exhausted.
_PATIENCE = 500


@dataclass(frozen=True, slots=True)
class Replacement:
    """A general and a more specific phrase for the same place, by a rule of Table 2 with an item of Table
    6.
    """

    rule: str
    argument: str
    item: str
    general: str
    specific: str


@dataclass(frozen=True, slots=True)
class Item:
    """A pair. ``quantifiers`` are outermost first; ``kinds`` and ``relatives`` say how clauses are
    embedded.
    """

    split: str
    depth: int
    variant: str
    premise: str
    hypothesis: str
    entails: bool
    upward: bool
    quantifiers: tuple[str, ...]
    kinds: tuple[str, ...]
    relatives: tuple[str, ...]
    rule: str
    argument: str
    item: str

    def row(self) -> tuple[str, ...]:
        return (
            self.split,
            str(self.depth),
            self.variant,
            self.premise,
            self.hypothesis,
            "entailment" if self.entails else "non-entailment",
            "upward" if self.upward else "downward",
            ";".join(self.quantifiers),
            ";".join(["up" if quantifier in UPWARD else "down" for quantifier in self.quantifiers]),
            ";".join(self.kinds) or "-",
            ";".join(self.relatives) or "-",
            self.rule,
            self.argument,
            self.item,
        )

    def claims(self, column: str = "fol") -> Iterator[Claim]:
        """One sentence follows from the other, and not the other way round; of the meanings in a column of
        the grammar (``fol``: marks, ``counting``).
        """
        grammar = load(NAME)
        place = grammar.columns.index(column)
        both = parse(grammar, self.premise), parse(grammar, self.hypothesis)
        first, second = (derivation.meaning(place) for derivation in both)
        known = axioms(*both)
        yield Claim(first, second, self.entails, known)
        yield Claim(second, first, not self.entails, known)


COLUMNS = {
    "id": "from 1",
    "split": "train or test, 15 : 1",
    "depth": "clauses in each other, 1 to 5",
    "variant": "plain, or the frame of an extra test set",
    "sentence1": "the premise",
    "sentence2": "the hypothesis",
    "gold_label": "entailment or non-entailment; the other way round it is the other",
    "direction": "upward or downward: the polarity of the place that changes",
    "quantifiers": "outermost first, ; between",
    "directions": "up or down for each quantifier",
    "embedding": "peripheral, center or bare center (no relative word) for each embedded clause, or -",
    "relatives": "that, which or 0 for each embedded clause, or -",
    "replacement": "r1 to r7 (Table 2)",
    "argument": "first (the noun) or second (the verb): where the replacement is",
    "item": "what is added, or the hypernym",
}


def draw(n: int, depth: int | None, seed: int, variant: str = "plain") -> Iterator[Item]:
    """``n`` different pairs of a depth, or of all of them; the variants but ``plain`` have depth 1 alone.

    Labels and directions are 1 : 1 and crossed; every combination of quantifiers is there, in each depth that
    gets at least as many pairs; no noun or verb is twice in a sentence. Raises
    :class:`natlog.fragments.drawing.TooFew`.
    """
    if variant != "plain" and depth not in (None, 1):
        raise TooFew(f"the variant {variant} has depth 1 alone")
    drawing = _Pairs(seed, variant)
    depths = [1] if variant != "plain" else list(DEPTHS) if depth is None else [depth]
    start = 0
    for own, share in zip(depths, _spread(n, len(depths)), strict=True):
        yield from drawing.of_depth(own, share, start)
        start += share


def _spread(n: int, places: int) -> list[int]:
    """How many of ``n`` pairs each depth gets."""
    if places == 1:
        return [n]
    first = min(n // places, _MOST_AT_ONE)
    return [first, *shares(n - first, places - 1)]


@cache
def _combinations(depth: int, upward: bool, variant: str) -> tuple[tuple[str, ...], ...]:
    """The combinations of quantifiers that make the innermost place upward or downward, in a fixed disorder.

    The subject of the object's variant is *some*, as in (12).
    """
    front = ("some",) if variant == "object" else ()
    found = [
        front + combination
        for combination in itertools.product(UPWARD + DOWNWARD, repeat=depth)
        if (sum(quantifier in DOWNWARD for quantifier in combination) % 2 == 0) is upward
    ]
    random.Random(f"{depth} {upward} {variant}").shuffle(found)
    return tuple(found)


class _Pairs:
    """Draws pairs of one seed and variant."""

    def __init__(self, seed: int, variant: str) -> None:
        self.random = random.Random(f"{seed} {variant}")
        self.variant = variant
        self._seen: set[tuple[str, str]] = set()
        grammar = load(NAME)
        self.words = {
            name: grammar.words(name)
            for name in ("N.sg", "N.pl", "NHYP.sg", "NHYP.pl", "IV", "IV2", "TV", "ADJ", "ADV", "PP", "RELC")
        }
        self.nouns = range(len(self.words["N.sg"]))

    def of_depth(self, depth: int, n: int, start: int) -> Iterator[Item]:
        """``n`` pairs; ``start`` of other depths are before them, which decides what is for testing."""
        cells = [(upward, entails) for upward in (True, False) for entails in (True, False)]
        quantifiers = {(up, yes): self._combinations(depth, up, late=not yes) for up, yes in cells}
        rules = {
            cell: self._in_turn(_FIRST if depth > 1 or self._object else _FIRST + _SECOND) for cell in cells
        }
        for number in range(n):
            cell = cells[number % 4]
            split = "test" if (start + number) // 4 % _TEST_IN == _TEST_IN - 1 else "train"
            combination, (rule, argument) = next(quantifiers[cell]), next(rules[cell])
            for _ in range(_PATIENCE):
                item = self._pair(split, depth, combination, rule, argument, *cell)
                key = item.premise, item.hypothesis
                if key not in self._seen:
                    break
            else:
                raise TooFew(f"{NAME} has hardly more than {number} pairs of depth {depth} in equal cells")
            self._seen.add(key)
            yield item

    @property
    def _object(self) -> bool:
        return self.variant == "object"

    def _combinations(self, depth: int, upward: bool, late: bool) -> Iterator[tuple[str, ...]]:
        """The combinations of quantifiers that make the innermost place upward or downward, in turn.

        The two labels of a direction begin at opposite ends of the same order, so that together they meet
        every combination as soon as can be.
        """
        found = list(_combinations(depth, upward, self.variant))
        yield from reversed(found) if late else found
        while True:
            self.random.shuffle(found)
            yield from found

    def _in_turn(self, things: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
        while True:
            yield from self.random.sample(things, len(things))

    def _pair(
        self,
        split: str,
        depth: int,
        quantifiers: tuple[str, ...],
        rule: str,
        argument: str,
        upward: bool,
        entails: bool,
    ) -> Item:
        chance = self.random
        embedded = len(quantifiers) - 1
        nouns = chance.sample(self.nouns, embedded + 1)
        verbs = chance.sample(self.words["TV"], embedded)
        kinds = () if self._object else tuple(chance.choices(_KINDS, k=embedded))
        relatives = tuple(
            ["0" if kind == "bare center" else chance.choice(("that", "which")) for kind in kinds]
        )
        verb = chance.choice(self.words["IV"])
        front = self._front()
        number = "sg" if quantifiers[-1] in _SINGULAR else "pl"
        noun = self.words[f"N.{number}"][nouns[-1]]
        changed = self._replacement(rule, argument, number, noun, verb, front)
        before, after = self._around(quantifiers, nouns, verbs, kinds, relatives)
        # "{}" is the place that changes.
        if argument == "first":
            frame = f"{before}{{}}{after}" + ("" if self._object else f" {verb}")
        else:
            frame = f"{before}{noun}{after} {{}}"
        general, specific = (
            capitalised(front + frame.format(phrase)) for phrase in (changed.general, changed.specific)
        )
        is_general_first = upward is not entails
        return Item(
            split,
            depth,
            self.variant,
            general if is_general_first else specific,
            specific if is_general_first else general,
            entails,
            upward,
            quantifiers,
            kinds,
            relatives,
            rule,
            argument,
            changed.item,
        )

    def _front(self) -> str:
        if self.variant == "fronted adverb":
            return f"{self.random.choice(self.words['ADV'])}, "
        return f"{self.random.choice(self.words['PP'])}, " if self.variant == "fronted preposition" else ""

    def _around(
        self,
        quantifiers: tuple[str, ...],
        nouns: list[int],
        verbs: list[str],
        kinds: tuple[str, ...],
        relatives: tuple[str, ...],
    ) -> tuple[str, str]:
        """What stands before and behind the innermost noun, the main verb apart."""
        before, after = "", ""
        for place, quantifier in enumerate(quantifiers[:-1]):
            noun = self.words["N.sg" if quantifier in _SINGULAR else "N.pl"][nouns[place]]
            verb = verbs[place]
            if self._object:
                before += f"{quantifier} {noun} {verb} "
                continue
            relative = "" if relatives[place] == "0" else f" {relatives[place]}"
            if kinds[place] == "peripheral":
                before += f"{quantifier} {noun}{relative} {verb} "
            else:
                before += f"{quantifier} {noun}{relative} "
                after = f" {verb}{after}"
        return f"{before}{quantifiers[-1]} ", after

    def _replacement(
        self, rule: str, argument: str, number: str, noun: str, verb: str, front: str
    ) -> Replacement:
        """The phrases of a rule of Table 2 with an item at random, other than the one in front."""
        chance, words = self.random, self.words
        item = {
            "r1": words[f"NHYP.{number}"], "r2": words["ADJ"], "r3": words["PP"], "r4": words["RELC"],
            "r5": words["ADV"], "r6": words["IV2"], "r7": words["IV2"],
        }[rule]  # fmt: skip
        chosen = chance.choice([each for each in item if f"{each}, " != front])
        own = noun if argument == "first" else verb
        match rule:
            case "r1":
                return Replacement(rule, argument, chosen, chosen, own)
            case "r2":
                return Replacement(rule, argument, chosen, own, f"{chosen} {own}")
            case "r6":
                return Replacement(rule, argument, chosen, f"{own} or {chosen}", own)
            case "r7":
                return Replacement(rule, argument, chosen, own, f"{own} and {chosen}")
        return Replacement(rule, argument, chosen, own, f"{own} {chosen}")
