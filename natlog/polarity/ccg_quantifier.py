"""The context of a place, and how a noun phrase's determiners change it from left to right."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.lexicon.operators import Match
from natlog.parsing.ccg.parts import Part
from natlog.tree import Polarity, Step, Tree

_POLARITY = {1: Polarity.UP, -1: Polarity.DOWN, 0: Polarity.FLAT}

Scope = tuple[Step, ...]
"""What a constituent does to the clause around it: a quantifier its second argument, *not* its scope."""


@dataclass(frozen=True, slots=True)
class Context:
    """The sign of a place and the steps that made it, outermost first."""

    sign: Polarity = Polarity.UP
    why: tuple[Step, ...] = ()

    def under(self, *steps: Step) -> Context:
        """The context inside these operators' arguments; the same object where there are none."""
        if not steps:
            return self
        sign = self.sign
        for step in steps:
            sign = sign * step.effect
        return Context(sign, self.why + steps)


def own_step(tree: Tree, match: Match, argument: str, effect: Polarity) -> Step:
    """The step into an argument of an operator that stands in this sentence."""
    return Step(
        operator=match.operator.id,
        surface=tree.span_text(match.start, match.end),
        tokens=tuple(range(match.start, match.end)),
        argument=argument,
        effect=effect,
    )


class Quantifier:
    """A noun phrase while it is marked: the context so far (``inside``), and what it does to the clause."""

    def __init__(self, tree: Tree, matches: tuple[Match, ...], context: Context) -> None:
        self.tree = tree
        self.matches = matches
        self.inside = context
        self.scope: Scope = ()
        self._has_determiner = False

    def add(self, *steps: Step) -> None:
        """Enter the scope of something before the determiner, which scopes over the clause as well."""
        self.inside = self.inside.under(*steps)
        self.scope += steps

    def match_within(self, part: Part) -> Match | None:
        """The first of the noun phrase's operators with a word in this part."""
        for match in self.matches:
            if match.start < part.end and part.start < match.end:
                return match
        return None

    def word(self, index: int) -> Context:
        """The context of an operator's own word; its argument begins after its last word."""
        match = next(match for match in self.matches if match.start <= index < match.end)
        if match.operator.kind == "modifier" and index == match.start:
            self.inside = self.inside.under(*self._steps(match, "first"))
        context = self._own(match, index)
        if index == match.end - 1:
            self._enter(match)
        return context

    def _own(self, match: Match, index: int) -> Context:
        """Its place times the sign that the entry gives the word (``words``) or the numeral (``number``)."""
        signs = match.operator.words.get(match.form)
        if signs is not None:
            effect = _POLARITY[signs[match.slots[index - match.start]]]
            return self.inside.under(own_step(self.tree, match, "word", effect))
        return self.inside.under(*self._steps(match, "number")) if index in match.numerals else self.inside

    def _enter(self, match: Match) -> None:
        if match.operator.kind == "modifier":
            return
        first, second = self._steps(match, "first"), self._steps(match, "second")
        # "any" under a downward operator is existential, whatever the net sign (Kadmon and Landman 1993)
        if "licensed" in match.operator.signs and any(s.effect is Polarity.DOWN for s in self.inside.why):
            first = second = self._steps(match, "licensed")
        if match.operator.kind == "focus" or not self._has_determiner:
            self.scope += second
        self._has_determiner = self._has_determiner or match.operator.kind == "determiner"
        self.inside = self.inside.under(*first)

    def _steps(self, match: Match, argument: str) -> Scope:
        if argument not in match.operator.signs:
            return ()
        return (own_step(self.tree, match, argument, _POLARITY[match.operator.signs[argument]]),)
