"""What a generated item claims of its formulas, so that a prover can be asked whether it is so."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from natlog.logic.formula import Expression
from natlog.logic.prover import Prover


@dataclass(frozen=True, slots=True)
class Claim:
    """``hypothesis`` follows from ``premise`` and what is known (``axioms``), or does not."""

    premise: Expression
    hypothesis: Expression
    follows: bool
    axioms: tuple[Expression, ...] = ()


class Finding(enum.Enum):
    """What a prover makes of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


def examine(claim: Claim, prover: Prover) -> Finding:
    """Ask a prover whether a claim is so."""
    answer = prover.prove(claim.premise, claim.hypothesis, claim.axioms).answer
    if answer == "unknown":
        return Finding.UNKNOWN
    return Finding.CONFIRMED if (answer == "yes") is claim.follows else Finding.REFUTED
