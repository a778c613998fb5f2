"""Pairs that a fragment's sentences license: a sentence, and the same with one modifier, clause or verb less.

SyGNS's items are meanings, not pairs; people and models that judge pairs are asked about these. Which way one
follows from the other is for a prover to say.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from natlog.fragments import sygns
from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import Grammar, Rule, load
from natlog.fragments.surface import capitalised
from natlog.logic.formula import Not
from natlog.logic.prover import Prover

_LEFT_OUT = ("adjective", "adverb", "disjunction", "conjunction", "relative")


@dataclass(frozen=True, slots=True)
class LicensedPair:
    """Two sentences of which one has one constituent less; ``kind`` says what is left out."""

    kind: str
    premise: Derivation
    hypothesis: Derivation

    @property
    def texts(self) -> tuple[str, str]:
        """Both as people read them."""
        names = frozenset(load(sygns.NAME).words("PN"))
        return capitalised(self.premise.text, names), capitalised(self.hypothesis.text, names)

    def label(self, prover: Prover) -> str:
        """Entailment, contradiction or neutral, as the prover finds; "" where its time does not suffice."""
        premise, hypothesis = self.premise.meaning(), self.hypothesis.meaning()
        follows = prover.prove(premise, hypothesis).answer
        if follows == "yes":
            return "entailment"
        excluded = prover.prove(premise, Not(hypothesis)).answer
        if "unknown" in (follows, excluded):
            return ""
        return "contradiction" if excluded == "yes" else "neutral"


def pairs_of(sentence: Derivation) -> Iterator[LicensedPair]:
    """A sentence with each that has one thing less, in both orders."""
    for kind, shorter in shortened(load(sygns.NAME), sentence):
        yield LicensedPair(kind, sentence, shorter)
        yield LicensedPair(kind, shorter, sentence)


def shortened(grammar: Grammar, node: Derivation) -> Iterator[tuple[str, Derivation]]:
    """The constituent with one thing less, each way there is, and what was left out."""
    rule = node.by
    if not isinstance(rule, Rule):
        return
    if rule.tag in _LEFT_OUT:
        for plain in grammar.rules[rule.category]:
            kept = _kept(rule, plain)
            if kept is not None:
                yield rule.tag, Derivation(plain, tuple(node.children[place] for place in kept))
    for place, child in enumerate(node.children):
        for kind, shorter in shortened(grammar, child):
            yield kind, Derivation(rule, (*node.children[:place], shorter, *node.children[place + 1 :]))


def _kept(rule: Rule, plain: Rule) -> list[int] | None:
    """Which of a rule's children a plainer rule without a tag of its own has; None where it is none."""
    if plain.tag not in ("", "quantified") or len(plain.children) >= len(rule.children):
        return None
    if any(child not in rule.children for child in plain.children):
        return None
    return [rule.children.index(child) for child in plain.children]


def draw(n: int, seed: int) -> Iterator[LicensedPair]:
    """``n`` pairs out of sentences of all depths, in either order; kinds as they come."""
    chance, grammar, found = random.Random(seed), load(sygns.NAME), 0
    for turn in itertools.count():
        sentences = [derivation for _, derivation in sygns.draw(2 * n, seed + turn)]
        chance.shuffle(sentences)
        for derivation in sentences:
            ways = list(shortened(grammar, derivation))
            if not ways:
                continue
            kind, shorter = chance.choice(ways)
            pair = [derivation, shorter]
            chance.shuffle(pair)
            yield LicensedPair(kind, *pair)
            found += 1
            if found == n:
                return
