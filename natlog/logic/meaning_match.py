"""One meaning beside another, whatever their form: what follows from what, and which clauses are the same.

>>> gold = "exists x1.(dog(x1) & run(x1))"
>>> found = matched("fol", "exists x1.(run(x1) & dog(x1))", gold)
>>> found.gold_entails, found.entails_gold, len(found.same), found.only_given, found.only_gold
('yes', 'yes', 2, [], [])
"""

from __future__ import annotations

from dataclasses import dataclass, field

from natlog.logic import clausal_form, counter, drs, nltk_notation, variable_free
from natlog.logic.decision import Answer
from natlog.logic.formula import Expression
from natlog.logic.meaning_scores import Form, clauses_of
from natlog.logic.prover import Prover

SECONDS = 5.0


@dataclass(frozen=True)
class MeaningMatch:
    """``fault`` says why the given one is no meaning; then all else is empty. ``gold_entails`` (G ⇒ P) and
    ``entails_gold`` (G ⇐ P) are the prover's; the clauses are those of the two DRSs, as text."""

    fault: str = ""
    gold_entails: Answer | None = None
    entails_gold: Answer | None = None
    same: list[str] = field(default_factory=list)
    only_given: list[str] = field(default_factory=list)
    only_gold: list[str] = field(default_factory=list)


def matched(form: Form, given: str, gold: str, prover: Prover | None = None) -> MeaningMatch:
    """A given meaning beside the gold one. Raises :class:`ValueError` where the gold one is none."""
    wanted = formula_of(form, gold)
    try:
        found = formula_of(form, given)
    except ValueError as error:
        return MeaningMatch(fault=str(error))
    forward, back = (prover or Prover(seconds=SECONDS)).both_ways(wanted, found)
    clauses = counter.compare(*(clauses_of(clauses_text(each)) for each in (found, wanted)))
    return MeaningMatch(
        gold_entails=forward.answer,
        entails_gold=back.answer,
        same=[" ".join(clause) for clause, _gold in clauses.matched],
        only_given=[" ".join(clause) for clause in clauses.only_given],
        only_gold=[" ".join(clause) for clause in clauses.only_gold],
    )


def formula_of(form: Form, text: str) -> Expression:
    """The formula that a meaning is, or comes to. Raises :class:`ValueError`."""
    if form == "fol":
        return nltk_notation.parse_sentence(text)
    if form == "vf":
        return variable_free.formula_of(variable_free.parse(text))
    return drs.formula_of(clausal_form.parse(text))


def clauses_text(formula: Expression) -> str:
    """The clauses of a formula's DRS, ``[SEP]`` between them."""
    return clausal_form.to_clauses(drs.drs_of_renamed(formula))
