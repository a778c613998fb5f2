"""What a generated item claims of its formulas, so that a prover can be asked whether it is so."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.logic.formula import Expression


@dataclass(frozen=True, slots=True)
class Claim:
    """``hypothesis`` follows from ``premise``, or does not."""

    premise: Expression
    hypothesis: Expression
    follows: bool
