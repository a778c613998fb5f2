"""The three testbeds behind one interface: what their rows hold, and items by number, depth and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from natlog.fragments import sygns, systematicity, transitivity
from natlog.fragments.claims import Claim
from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import load
from natlog.fragments.meanings import Meaning, meaning_of
from natlog.logic import clausal_form, drs, variable_free


class Item(Protocol):
    """One row of a testbed."""

    def row(self) -> tuple[str, ...]:
        """Its fields, in the order of the testbed's columns, without its number."""

    def claims(self) -> Iterable[Claim]:
        """What a prover should find."""


@dataclass(frozen=True, slots=True)
class Testbed:
    """A testbed: its columns with what they say, the depths that there are, and how to draw items of one
    depth or of all (None), ``n`` of them, from a seed.
    """

    name: str
    columns: Mapping[str, str]
    depths: range
    draw: Callable[[int, int | None, int], Iterator[Item]]


@dataclass(frozen=True)
class MeaningItem:
    """A sentence of SyGNS with its depth and its meanings."""

    depth: int
    derivation: Derivation

    @cached_property
    def meaning(self) -> Meaning:
        return meaning_of(load(sygns.NAME), self.derivation)

    def row(self) -> tuple[str, ...]:
        return (str(self.depth), *self.meaning.row())

    def claims(self) -> Iterator[Claim]:
        """The clausal form and the variable-free form say what the formula says."""
        formula, form = self.meaning.formula, self.meaning.form
        others = [drs.formula_of(clausal_form.parse(self.meaning.clauses))]
        if form:
            others.append(variable_free.formula_of(form))
        for other in others:
            yield Claim(formula, other, follows=True)
            yield Claim(other, formula, follows=True)


def _draw_sygns(n: int, depth: int | None, seed: int) -> Iterator[Item]:
    return (MeaningItem(own, derivation) for own, derivation in sygns.draw(n, seed, depth))


SYGNS = Testbed(
    "sygns",
    {
        "id": "from 1",
        "depth": "how many relative clauses the sentence has",
        "sentence": "in lower case without a full stop, as the published data",
        "fol": "its formula, NLTK's notation",
        "clf": "the clauses of its DRS, [SEP] between them",
        "vf": "its variable-free form, Polish notation",
        "polarity": "word:up or word:down for each predicate, numerals and names too",
        "tags": "each phenomenon with yes or no",
    },
    sygns.DEPTHS,
    _draw_sygns,
)

TRANSITIVITY = Testbed(transitivity.NAME, transitivity.COLUMNS, transitivity.DEPTHS, transitivity.draw)
SYSTEMATICITY = Testbed(systematicity.NAME, systematicity.COLUMNS, systematicity.DEPTHS, systematicity.draw)

TESTBEDS: Mapping[str, Testbed] = {testbed.name: testbed for testbed in (SYSTEMATICITY, SYGNS, TRANSITIVITY)}
