"""MED's tags (section 3.3)."""

from __future__ import annotations

from natlog.calculus.contexts import Contexts
from natlog.calculus.edits import Edit


def tags_of(contexts: Contexts, edits: tuple[Edit, ...]) -> tuple[str, ...]:
    return ()
