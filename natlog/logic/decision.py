"""What a prover says, whichever it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from natlog.logic.formula import Expression, Not
from natlog.logic.models import FiniteModel, holds

Answer = Literal["yes", "no", "unknown"]


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the conclusion follows; where it does not, a countermodel if the engine gives one."""

    answer: Answer
    countermodel: FiniteModel | None = None


UNKNOWN = Decision("unknown")


class Engine(Protocol):
    """A prover. ``unknown``: not within the time, or not at all."""

    name: str

    def decide(self, premises: Sequence[Expression], conclusion: Expression, seconds: float) -> Decision:
        """Whether the conclusion follows from the premises."""
        ...


class ProverError(RuntimeError):
    """A prover can't be used, or said something that is no answer."""


def refutes(model: FiniteModel, premises: Sequence[Expression], conclusion: Expression) -> bool:
    """Whether the premises are true in the model and the conclusion is false."""
    return all(holds(premise, model) for premise in premises) and holds(Not(conclusion), model)
