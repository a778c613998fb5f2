"""What the calculus says of a pair."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.edits import Edit


@dataclass(frozen=True, slots=True)
class Verdict:
    """The calculus's judgement of one premise–hypothesis pair.

    ``label`` is entailment, non-entailment or contradiction; ``direction`` upward, downward or
    non-monotone; ``tags`` MED's (section 3.3), in its own spelling; ``confidence`` in [0, 1];
    ``reason`` one sentence; ``monotonicity`` is False where the pair is no monotonicity inference.
    """

    label: str
    direction: str
    tags: tuple[str, ...]
    confidence: float
    reason: str
    edits: tuple[Edit, ...] = ()
    monotonicity: bool = True
