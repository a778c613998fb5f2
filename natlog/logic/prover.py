"""Entailment between sentences' formulas, whichever prover decides.

>>> from natlog.logic.nltk_notation import parse_sentence
>>> from natlog.logic.prover import Prover
>>> some, all_ = parse_sentence("exists x.(dog(x) & run(x))"), parse_sentence("all x.(dog(x) -> run(x))")
>>> [proof.answer for proof in Prover().both_ways(some, all_)]
['no', 'no']

The second is *no* as well: where there is no dog, all dogs run.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from natlog.logic.answer_file import AnswerFile
from natlog.logic.decision import Answer, Decision, Engine, ProverError
from natlog.logic.external_provers import find_e, find_vampire
from natlog.logic.formula import Expression
from natlog.logic.models import FiniteModel
from natlog.logic.tableau_prover import TableauProver
from natlog.logic.tptp_notation import to_tptp
from natlog.logic.z3_prover import Z3

SECONDS = 5.0
# About two seconds of a processor's core: 3 to 4 million a second were counted.
REPEATABLE_WORK = 6_000_000
# What the default engine leaves to Z3 takes longer than all others together: keep as many as a page or a run
# asks again.
REMEMBERED = 20_000

ENGINES: dict[str, Callable[[], list[Engine]]] = {
    "default": lambda: [TableauProver(), Z3()],
    "repeatable": lambda: [TableauProver(), Z3(REPEATABLE_WORK)],
    "tableau": lambda: [TableauProver()],
    "z3": lambda: [Z3()],
    "e": lambda: _found("E", find_e()),
    "vampire": lambda: _found("Vampire", find_vampire()),
}


def _found(name: str, engine: Engine | None) -> list[Engine]:
    if engine is None:
        raise ProverError(f"{name} is not installed")
    return [engine]


@dataclass(frozen=True, slots=True)
class Proof:
    """An answer, which engine gave it in how many seconds (0 where it was remembered), and why not."""

    answer: Answer
    engine: str
    seconds: float
    countermodel: FiniteModel | None = None


class Prover:
    """Asks its engines in turn until one decides, and remembers what was decided.

    ``engine`` is one of :data:`ENGINES`; *default* is the project's tableau and then Z3,
    *repeatable* the same with Z3 bound by its own count of its work, so that an answer is the same on every
    machine. ``seconds`` is the limit for one proof of one engine. ``remember`` is a file that keeps answers
    between runs. Raises :class:`LookupError` for an unknown engine and
    :class:`natlog.logic.decision.ProverError` for one that is not installed.
    """

    def __init__(
        self, engine: str = "default", *, seconds: float = SECONDS, remember: Path | None = None
    ) -> None:
        if engine not in ENGINES:
            raise LookupError(f"no prover called {engine!r}; there are {', '.join(ENGINES)}")
        self.engine = engine
        self.seconds = seconds
        self._engines = ENGINES[engine]()
        self._known: OrderedDict[str, Proof] = OrderedDict()
        self._file = AnswerFile(remember) if remember else None

    def prove(self, premise: Expression, hypothesis: Expression, axioms: Sequence[Expression] = ()) -> Proof:
        """Whether the hypothesis follows from the premise, with ``axioms`` as further premises.

        *yes* and *no* are proved; *unknown* is what the time did not suffice for. Raises :class:`ValueError`
        for a formula with a free variable, :class:`TypeError` for a λ-term.
        """
        # In TPTP no variable looks like a constant, and formulas that differ in bound names are one question.
        key = " , ".join(map(to_tptp, (premise, *axioms))) + " |- " + to_tptp(hypothesis)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            return replace(known, seconds=0.0)
        if self._file and (answer := self._file.get(self.engine, key)):
            return Proof(answer, self.engine, 0.0)
        proof = self._asked([premise, *axioms], hypothesis)
        self._remember(key, proof)
        return proof

    def both_ways(
        self, one: Expression, other: Expression, axioms: Sequence[Expression] = ()
    ) -> tuple[Proof, Proof]:
        """``one`` to ``other``, and back."""
        return self.prove(one, other, axioms), self.prove(other, one, axioms)

    def equivalent(self, one: Expression, other: Expression, axioms: Sequence[Expression] = ()) -> Answer:
        """Whether each follows from the other: two proofs. *no* as soon as one does not follow."""
        forward = self.prove(one, other, axioms).answer
        if forward == "no":
            return "no"
        back = self.prove(other, one, axioms).answer
        if back == "no":
            return "no"
        return "yes" if forward == back == "yes" else "unknown"

    def _asked(self, premises: Sequence[Expression], conclusion: Expression) -> Proof:
        started = time.perf_counter()
        decision, name = Decision("unknown"), self.engine
        for engine in self._engines:
            decision, name = engine.decide(premises, conclusion, self.seconds), engine.name
            if decision.answer != "unknown":
                break
        return Proof(decision.answer, name, time.perf_counter() - started, decision.countermodel)

    def _remember(self, key: str, proof: Proof) -> None:
        # Another day may have more time: what is unknown is asked again.
        if proof.answer == "unknown":
            return
        self._known[key] = proof
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if self._file:
            self._file.add(self.engine, key, proof.answer)
