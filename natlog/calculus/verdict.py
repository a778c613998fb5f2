"""What the calculus says of a pair."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.edits import Edit
from natlog.calculus.evidence import Evidence

UNWEIGHED = 0.0
"""The confidence of a verdict on a part of a pair; only that on the whole is weighed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The calculus's judgement of one premise–hypothesis pair.

    ``label`` is entailment, non-entailment or contradiction; ``direction`` upward, downward or
    non-monotone; ``tags`` MED's (section 3.3), in its own spelling; ``confidence`` in [0, 1], the
    probability that the label is right (:mod:`natlog.calculus.confidence`), and ``evidence`` what it was
    made of; ``reason`` one sentence; ``monotonicity`` is False where the pair is no monotonicity inference.

    ``unread`` says, in words, what of the pair no rule reads. A verdict with any is *not read*: its label
    is non-entailment for want of a reason to say more, and its confidence is low.
    """

    label: str
    direction: str
    tags: tuple[str, ...]
    confidence: float
    reason: str
    edits: tuple[Edit, ...] = ()
    monotonicity: bool = True
    unread: tuple[str, ...] = ()
    evidence: Evidence | None = None

    @property
    def read(self) -> bool:
        """Whether the label follows from rules, rather than from nothing having been understood."""
        return not self.unread

    @property
    def assumed(self) -> bool:
        """Whether it takes words whose relation no source knows to be more specific (MED 3.1.2; the
        labeller's ``unknown="specific"``)."""
        return any(not edit.known and edit.relation == "⊐" for edit in self.edits)
