"""What a sentence of a fragment means, in every form that its fragment has."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.fragments import sygns
from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import Grammar
from natlog.fragments.parsing import parse
from natlog.logic.clausal_form import to_clauses
from natlog.logic.drs import drs_of_renamed
from natlog.logic.formula import Expression
from natlog.logic.nltk_notation import to_nltk
from natlog.logic.polarity import Polarity, polarity_of_formula
from natlog.logic.variable_free import VariableFree

NONE = "-"
COLUMNS = ("sentence", "fol", "clf", "vf", "polarity", "tags")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A sentence's meanings: its formula, clausal form, variable-free form (None where the fragment has
    none), the polarity of its predicates, and what it shows (``negation`` and so on to whether it does;
    empty likewise).
    """

    sentence: str
    formula: Expression
    clauses: str
    form: VariableFree | None
    polarity: Polarity
    tags: dict[str, bool]

    def row(self) -> tuple[str, ...]:
        """The fields of :data:`COLUMNS`: NLTK's notation, clauses with ``[SEP]``, Polish notation,
        ``word:up`` lists; ``-`` for what there is not.
        """
        return (
            self.sentence,
            to_nltk(self.formula),
            self.clauses,
            str(self.form) if self.form else NONE,
            " ".join([f"{word}:{direction}" for word, direction in self.polarity]) or NONE,
            ";".join([f"{tag}:{'yes' if shown else 'no'}" for tag, shown in self.tags.items()]) or NONE,
        )


def meaning_of(grammar: Grammar, derivation: Derivation, sentence: str | None = None) -> Meaning:
    """The meanings of a derivation; ``sentence`` is how it was spelt, if not as the grammar spells it.

    Of several kinds of formula (systematicity has marks and counting) the first column's counts.
    """
    formula = derivation.meaning()
    return Meaning(
        derivation.text if sentence is None else sentence,
        formula,
        to_clauses(drs_of_renamed(formula)),
        derivation.meaning(grammar.columns.index("vf")) if "vf" in grammar.columns else None,
        polarity_of_formula(formula),
        sygns.tags(derivation) if grammar.name == "sygns" else {},
    )


def meaning_of_sentence(grammar: Grammar, sentence: str) -> Meaning:
    """The meanings of a sentence. Raises :class:`natlog.fragments.parsing.OutsideFragment`."""
    return meaning_of(grammar, parse(grammar, sentence), sentence)
