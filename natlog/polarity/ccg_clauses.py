"""Clauses of a CCG derivation: the order in which their parts scope, generic subjects, subordinators."""

from __future__ import annotations

from natlog.lexicon.operators import Match
from natlog.parsing.ccg.categories import is_atom, target
from natlog.parsing.ccg.parts import Part, Spine
from natlog.polarity.ccg_operators import PlacedOperators
from natlog.polarity.ccg_words import DETERMINER_TAGS, REASONS, lexical_functor, takes_clause, underlying
from natlog.tree import Tree


class CcgClauses:
    """Answers questions about the clauses of one derivation; where each part stands, the marker works out."""

    def __init__(self, tree: Tree, operators: PlacedOperators) -> None:
        self.tree, self.operators = tree, operators

    def scope_order(self, spine: Spine) -> list[Part]:
        """Conditionals and reasons, what stands outside the subject, then left to right; adverbs last."""
        wide = [s for s in (*spine.outer, *spine.satellites) if self.is_wide(s)]
        last = [s for s in spine.satellites if self.is_deferred(s, spine.core)]
        rest = [s for s in (*spine.outer, *spine.satellites) if s not in wide and s not in last]
        return wide + rest + last

    def is_wide(self, satellite: Part) -> bool:
        match = self.subordinator(satellite)
        if match is not None:
            return match.operator.id != "before"
        word = lexical_functor(satellite)
        return self.tree.tokens[word.start].word in REASONS and takes_clause(word)

    def is_deferred(self, satellite: Part, core: Part) -> bool:
        """Whether this is an adverb before its verb, or a particle: under every operator of the clause."""
        if satellite.children or satellite.start in self.operators.at:
            return False
        is_adverb = satellite.is_modifier and satellite.start < core.start
        return satellite not in self.operators.quantifiers and (
            is_adverb or is_atom(satellite.category, "PR")
        )

    def is_generic(self, satellite: Part, spine: Spine) -> bool:
        """Whether this is the bare plural subject of a habitual clause (*Dogs* bark)."""
        noun = self.tree.tokens[satellite.node.head]
        subject = underlying(satellite)
        if noun.tag != "NNS" or not subject.is_nominal or satellite.start >= spine.core.start:
            return False
        if any(token.tag in DETERMINER_TAGS for token in self.tree.tokens[satellite.start : noun.index]):
            return False
        if any(part in self.operators.quantifiers for part in (satellite, subject)):
            return False
        verb = self.tree.tokens[lexical_functor(spine.core).start]
        progressive = any(target(s.category).feature == "ng" for s in spine.satellites)
        return verb.tag in ("VBP", "MD") and not (verb.pos == "AUX" and (progressive or verb.lemma == "have"))

    def subordinator(self, satellite: Part) -> Match | None:
        """The subordinator that makes a satellite a clause of its kind, if one does."""
        for index in {satellite.start, lexical_functor(satellite).start}:
            match = self.operators.at.get(index)
            if match is not None and match.operator.kind == "subordinator":
                clause = next((p for p in satellite.walk() if p.start >= match.end and p.is_clausal), None)
                return match if clause is not None and self.holds(match, clause) else None
        return None

    def holds(self, match: Match, clause: Part) -> bool:
        """Whether a subordinator is an operator here: *when* isn't where it tells of a single past event."""
        verb = lexical_functor(clause)
        return match.operator.scope != "episodic" or self.tree.tokens[verb.start].tag != "VBD"
