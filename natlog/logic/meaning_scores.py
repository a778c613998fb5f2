"""How far meanings that somebody gives for sentences are the gold ones (SyGNS, section 3.3): exact matching,
proofs both ways, clauses by COUNTER, polarity by direction. What is no meaning counts as wrong in each.

>>> found = compared("fol", "exists x1.(dog(x1) & run(x1))", "exists x1.(run(x1) & dog(x1))", Prover())
>>> found.exact, found.gold_entails, found.entails_gold
(False, 'yes', 'yes')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from natlog.logic import clause_files, counter, nltk_notation, variable_free
from natlog.logic.clause_files import Clause, ClauseFileError
from natlog.logic.counter import ClauseScore
from natlog.logic.decision import Answer
from natlog.logic.notation import NotationError
from natlog.logic.polarity import (
    Direction,
    Polarity,
    PolarityAgreement,
    polarity_agreement,
    polarity_of_formula,
    polarity_of_variable_free,
)
from natlog.logic.prover import Prover

#: A formula in NLTK's notation, the clauses of a DRS, a variable-free formula.
Form = Literal["fol", "clf", "vf"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One meaning beside the gold one. ``fault`` says why it is none, "" where it is one. ``gold_entails``
    (G ⇒ P) and ``entails_gold`` (G ⇐ P) are the prover's, None where it was not asked; ``clauses`` are
    COUNTER's counts, ``polarity`` the given one and the gold one, None for the other forms."""

    exact: bool
    fault: str
    gold_entails: Answer | None = None
    entails_gold: Answer | None = None
    clauses: ClauseScore | None = None
    polarity: tuple[Polarity, Polarity] | None = None

    @property
    def equivalent(self) -> Answer | None:
        """G ⇔ P: *no* as soon as one way fails."""
        ways = (self.gold_entails, self.entails_gold)
        if None in ways:
            return None
        return "no" if "no" in ways else "unknown" if "unknown" in ways else "yes"


def compared(form: Form, given: str, gold: str, prover: Prover | None = None) -> Comparison:
    """A given meaning beside the gold one. Formulas are proved where a ``prover`` is given; its seconds bound
    each proof, and COUNTER's climbs have no more steps than there are clauses. Raises :class:`ValueError`
    where the gold meaning is none."""
    if form == "clf":
        return _clauses_compared(given, gold)
    read = _polarity_of_formula if form == "fol" else _polarity_of_variable_free
    wanted = read(gold)
    # What is the same to the letter needs neither a second reading nor a proof.
    if given == gold:
        proved: Answer | None = "yes" if form == "fol" and prover else None
        return Comparison(True, "", proved, proved, polarity=(wanted, wanted))
    try:
        polarity = read(given)
    except NotationError as error:
        failed: Answer | None = "no" if form == "fol" and prover else None
        return Comparison(False, str(error), failed, failed, polarity=((), wanted))
    if form == "vf" or prover is None:
        return Comparison(False, "", polarity=(polarity, wanted))
    forward, back = prover.both_ways(nltk_notation.parse_sentence(gold), nltk_notation.parse_sentence(given))
    return Comparison(False, "", forward.answer, back.answer, polarity=(polarity, wanted))


def _polarity_of_formula(text: str) -> Polarity:
    return polarity_of_formula(nltk_notation.parse_sentence(text))


def _polarity_of_variable_free(text: str) -> Polarity:
    return polarity_of_variable_free(variable_free.parse(text))


def _clauses_compared(given: str, gold: str) -> Comparison:
    wanted = clauses_of(gold)
    if given == gold:
        count = len(clause_files.counted(wanted))
        return Comparison(True, "", clauses=ClauseScore(count, count, count))
    try:
        clauses = clauses_of(given)
        fault = next(iter(clause_files.faults(clauses)), "")
    except ClauseFileError as error:
        clauses, fault = (), str(error)
    # No clauses are ill-formed, too: one clause that matches nothing.
    return Comparison(False, fault, clauses=counter.compare(clauses, wanted).score)


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of one DRS, ``[SEP]`` between them."""
    return tuple(
        clause_files.parse_clause(piece.strip(), number)
        for number, piece in enumerate(text.split("[SEP]"), 1)
        if piece.strip()
    )


@dataclass(frozen=True, slots=True)
class Proved:
    """Of ``rows`` proofs in one direction, those that succeeded, and those that had not time enough."""

    rows: int
    yes: int
    unknown: int


@dataclass(frozen=True, slots=True)
class MeaningScores:
    """All comparisons of a test. ``faulty`` are no meanings. ``gold_entails``, ``entails_gold`` and
    ``equivalent`` are SyGNS's Table 6, ``clauses`` COUNTER's micro-average ("DRS (cnt)"), ``upward`` and
    ``downward`` Tables 8 and 15: each None where the form has none, or nothing was proved."""

    rows: int
    exact: int
    faulty: int
    gold_entails: Proved | None
    entails_gold: Proved | None
    equivalent: Proved | None
    clauses: ClauseScore | None
    upward: PolarityAgreement | None
    downward: PolarityAgreement | None


def scores(comparisons: Sequence[Comparison]) -> MeaningScores:
    """What the comparisons of one form come to together."""
    clauses = [each.clauses for each in comparisons if each.clauses]
    return MeaningScores(
        rows=len(comparisons),
        exact=sum(each.exact for each in comparisons),
        faulty=sum(bool(each.fault) for each in comparisons),
        gold_entails=_proved([each.gold_entails for each in comparisons]),
        entails_gold=_proved([each.entails_gold for each in comparisons]),
        equivalent=_proved([each.equivalent for each in comparisons]),
        clauses=counter.total(clauses) if clauses else None,
        upward=_agreement(comparisons, "up"),
        downward=_agreement(comparisons, "down"),
    )


def _proved(answers: Sequence[Answer | None]) -> Proved | None:
    asked = [answer for answer in answers if answer]
    return Proved(len(asked), asked.count("yes"), asked.count("unknown")) if asked else None


def _agreement(comparisons: Sequence[Comparison], direction: Direction) -> PolarityAgreement | None:
    pairs = [each.polarity for each in comparisons if each.polarity]
    if not pairs:
        return None
    return polarity_agreement([given for given, _ in pairs], [gold for _, gold in pairs], direction)
