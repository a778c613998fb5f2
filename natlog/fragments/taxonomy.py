"""What is known of a fragment's words beside its grammar: that a dog is an animal."""

from __future__ import annotations

from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import Entry
from natlog.logic.formula import Atom, Expression, ForAll, Implies, Variable

_NOUNS, _HYPERNYMS = "N", "NHYP"
_X = Variable("x")


def axioms(*derivations: Derivation) -> tuple[Expression, ...]:
    """That whatever is in the extension of a noun of the sentences is in that of each of their hypernyms
    (systematicity, Table 6: every noun has the same ones). () where the fragment has none."""
    nouns, hypernyms = (_symbols(derivations, category) for category in (_NOUNS, _HYPERNYMS))
    return tuple(
        ForAll("x", Implies(Atom(noun, (_X,)), Atom(hypernym, (_X,))))
        for noun in nouns
        for hypernym in hypernyms
    )


def _symbols(derivations: tuple[Derivation, ...], category: str) -> list[str]:
    """The symbols of a category's words, each once, in their order."""
    return list(
        dict.fromkeys(
            part.by.symbol
            for derivation in derivations
            for part in derivation.walk()
            if isinstance(part.by, Entry) and part.category.partition(".")[0] == category
        )
    )
