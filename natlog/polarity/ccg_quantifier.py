"""How a noun phrase's determiners change the context inside it, from left to right."""

from __future__ import annotations

from natlog.lexicon.operators import Match
from natlog.parsing.ccg.parts import Part
from natlog.polarity.context import Context, part_of
from natlog.polarity.context import Part as Effect
from natlog.tree import Tree

Scope = tuple[Effect, ...]
"""What a constituent does to the clause around it: a quantifier its second argument, *not* its scope."""


def within(context: Context, scope: Scope) -> Context:
    """The context inside these operators' arguments; the same object where there are none."""
    for effect in scope:
        context = context.under(effect)
    return context


def effects(tree: Tree, match: Match, argument: str) -> Scope:
    """The effect of an operator on one of its arguments; none where it has no such argument."""
    return (part_of(tree, match, argument),) if argument in match.operator.signs else ()


def own_context(tree: Tree, match: Match, index: int, place: Context) -> Context:
    """The context of an operator's own word: its place, and the entry's ``words`` or ``number``."""
    signs = match.operator.words.get(match.form)
    if signs is not None:
        return place.under(part_of(tree, match, "word", signs[match.slots[index - match.start]]))
    return within(place, effects(tree, match, "number")) if index in match.numerals else place


class Quantifier:
    """A noun phrase while it is marked: the context so far (``inside``), and what it does to the clause."""

    def __init__(self, tree: Tree, matches: tuple[Match, ...], context: Context) -> None:
        self.tree = tree
        self.matches = matches
        self.inside = context
        self.scope: Scope = ()
        self._has_determiner = False

    def add(self, scope: Scope) -> None:
        """Enter the scope of something before the determiner, which scopes over the clause as well."""
        self.inside = within(self.inside, scope)
        self.scope += scope

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
            self.inside = within(self.inside, effects(self.tree, match, "first"))
        context = own_context(self.tree, match, index, self.inside)
        if index == match.end - 1:
            self._enter(match)
        return context

    def _enter(self, match: Match) -> None:
        if match.operator.kind == "modifier":
            return
        names = ("first", "second")
        if "licensed" in match.operator.signs and self.inside.licenses_any():
            names = ("licensed", "licensed")
        first, second = (effects(self.tree, match, name) for name in names)
        if match.operator.kind == "focus" or not self._has_determiner:
            self.scope += second
        self._has_determiner = self._has_determiner or match.operator.kind == "determiner"
        self.inside = within(self.inside, first)
