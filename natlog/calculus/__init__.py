"""The monotonicity calculus: pairs of sentences to labels with a reason.

>>> from natlog.calculus import Labeller
>>> Labeller().label("No dog barks.", "No small dog barks.").label
'entailment'
"""

from __future__ import annotations

from natlog.calculus.checks import Finding, check_replacement, swappable
from natlog.calculus.edits import Edit
from natlog.calculus.explanation import explain
from natlog.calculus.labeller import Labeller
from natlog.calculus.verdict import Verdict

__all__ = ["Edit", "Finding", "Labeller", "Verdict", "check_replacement", "explain", "swappable"]
