"""The project's own prover: first by shape, then by tableau. It says "unknown" at limits of its own, not of
time.
"""

from __future__ import annotations

from collections.abc import Sequence

from natlog.logic.decision import UNKNOWN, Decision, ProverError, refutes
from natlog.logic.formula import Expression
from natlog.logic.subsumption import subsumes
from natlog.logic.tableau import Undecided, countermodel

# Comparisons of parts where the tableau did not end: a tenth of a second.
_SECOND_LOOK = 100_000


class TableauProver:
    """Decides without any library."""

    name = "tableau"

    def decide(self, premises: Sequence[Expression], conclusion: Expression, seconds: float) -> Decision:
        """A proof by shape or by closed branches; a countermodel from an open branch, checked formula by
        formula.
        """
        if any(subsumes(premise, conclusion) for premise in premises):
            return Decision("yes")
        try:
            model = countermodel(premises, conclusion)
        except Undecided:
            more = any(subsumes(premise, conclusion, _SECOND_LOOK) for premise in premises)
            return Decision("yes") if more else UNKNOWN
        if model is None:
            return Decision("yes")
        if not refutes(model, premises, conclusion):
            raise ProverError("a model of the tableau is no countermodel")
        return Decision("no", model)
