"""Words of a CCG derivation that sign their complement: *refuse to*, *avoid* something, a *lack* of it."""

from __future__ import annotations

from natlog.lexicon.operators import Match
from natlog.parsing.ccg.parts import Part
from natlog.polarity.ccg_operators import PlacedOperators
from natlog.polarity.ccg_quantifier import Scope, effects
from natlog.polarity.ccg_words import complement_names, preposition_of, underlying
from natlog.tree import Tree


class CcgComplements:
    """Finds what the verbs, nouns and adjectives of one derivation do to their complements."""

    def __init__(self, tree: Tree, operators: PlacedOperators) -> None:
        self.tree, self.operators = tree, operators

    def effect(self, index: int, complement: Part) -> Scope:
        """The effect of a verb, noun or adjective on a complement that it signs."""
        preposition = preposition_of(complement, self.tree)
        names = ("prep",) if preposition else complement_names(underlying(complement))
        for operator in self.operators.predicates.get(index, ()):
            if preposition and preposition not in operator.prepositions:
                continue
            if "object" in names and self.takes_wide_scope(complement):
                continue
            for name in names:
                if name in operator.signs:
                    return effects(self.tree, Match(operator, index, index + 1, (), ()), name)
        return ()

    def takes_wide_scope(self, complement: Part) -> bool:
        """Whether a quantified object stands outside its verb (avoids *every dog*)."""
        return any(
            match.operator.signs.get("first", 1) == -1 or match.operator.signs.get("second", 1) != 1
            for match in self.operators.quantifiers.get(complement, ())
            if match.operator.id != "any"
        )

    def of_noun(self, part: Part, child: Part) -> Scope:
        """The sign of a phrase after a noun that signs its complement (a *lack* of water)."""
        is_after = len(part.children) == 2 and child is part.functor and child.is_modifier
        if not is_after or child.start < part.argument.node.head:
            return ()
        return self.effect(part.argument.node.head, child)
