"""The monotonicity calculus: pairs of sentences to labels with a reason."""

from __future__ import annotations

from natlog.calculus.edits import Edit
from natlog.calculus.labeller import Labeller
from natlog.calculus.verdict import Verdict

__all__ = ["Edit", "Labeller", "Verdict"]
