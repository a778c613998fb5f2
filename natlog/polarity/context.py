"""Where a place stands: the sign that the operators around it make, and which operators those are."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.lexicon.operators import Match
from natlog.tree import Polarity, Step, Tree

POLARITY = {1: Polarity.UP, -1: Polarity.DOWN, 0: Polarity.FLAT}
OUTSIDE = -1
"""Place of an operator without words of its own (the generic reading of a bare plural)."""


@dataclass(frozen=True, slots=True)
class Part:
    """An operator's effect on what stands in its clause or phrase outside tokens ``start``–``end``."""

    start: int
    end: int
    effect: int
    step: Step


@dataclass(frozen=True, slots=True)
class Context:
    """The sign of a place (1, -1, 0) and the steps that made it, outermost operator first."""

    sign: int = 1
    why: tuple[Step, ...] = ()

    def under(self, part: Part) -> Context:
        """The context inside an operator's argument."""
        return Context(self.sign * part.effect, (*self.why, part.step))

    def without_negation(self) -> Context:
        """The context outside the innermost negation ("not meat but *fish*")."""
        for at in range(len(self.why) - 1, -1, -1):
            if self.why[at].operator == "not":
                kept = (*self.why[:at], *self.why[at + 1 :])
                return Context(_product(kept), kept)
        return self

    def licenses_any(self) -> bool:
        """Whether a downward or exact operator around this place makes *any* existential.

        The presence of one counts, not the net sign ("nobody who did not see any bird"). A definite's
        flat first argument is none.
        """
        return any(
            step.effect is Polarity.DOWN or (step.effect is Polarity.FLAT and step.argument != "first")
            for step in self.why
        )


TOP = Context()


def _product(steps: tuple[Step, ...]) -> int:
    sign = 1
    for step in steps:
        sign *= 0 if step.effect is Polarity.FLAT else -1 if step.effect is Polarity.DOWN else 1
    return sign


def part_of(tree: Tree, match: Match, argument: str, effect: int | None = None) -> Part:
    """The effect of ``match`` on the argument of this name (↑ where the entry names none)."""
    sign = match.operator.signs.get(argument, 1) if effect is None else effect
    step = Step(
        operator=match.operator.id,
        surface=tree.span_text(match.start, match.end) if match.start >= 0 else "",
        tokens=tuple(range(match.start, match.end)),
        argument=argument,
        effect=POLARITY[sign],
    )
    return Part(match.start, match.end, sign, step)
