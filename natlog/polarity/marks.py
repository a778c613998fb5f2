"""One tree while it is marked: its operators, and the contexts of its words and phrases found so far."""

from __future__ import annotations

from natlog.lexicon.conventions import load_convention
from natlog.lexicon.operators import Match, load_operators
from natlog.polarity.asides import Asides
from natlog.polarity.attachment import Attachment
from natlog.polarity.clauses import Clauses
from natlog.polarity.complements import Complements
from natlog.polarity.context import Context, Part, part_of
from natlog.tree import Tree


class Marks:
    """What the marking of a clause and of a noun phrase share.

    ``signs`` has the context of each word, ``outer`` the one that the phrase of each head stands in, and
    ``parts`` the operators among each head's dependents.
    """

    def __init__(self, tree: Tree, convention: str) -> None:
        self.tree, self.convention = tree, convention
        self.operators = load_operators(convention)
        switches = load_convention(convention).values
        self.inner_auxiliaries = switches["auxiliary"] == "inside"
        self.universal_definites = switches["all-the"] == "universal"
        self.phrases = Attachment(tree, self.operators)
        self.complements = Complements(tree, self.phrases, self.operators)
        self.asides = Asides(self.phrases)
        self.times = self.asides.of_times()
        for when in self.times.values():
            self.phrases.at.pop(when, None)
        self.clauses = Clauses(self.phrases, self.operators, self.inner_auxiliaries)
        size = len(tree.tokens)
        self.signs: list[Context | None] = [None] * size
        self.outer: list[Context | None] = [None] * size
        self.parts: list[list[Part]] = [[] for _ in range(size)]

    def sign_words(self, match: Match, context: Context) -> None:
        """Sign an operator's own words: ↑ in their place, but for numerals and words under its first word."""
        own = match.operator.words.get(match.form)
        for at, index in enumerate(range(match.start, match.end)):
            self.signs[index] = context
            if own is not None:
                self.signs[index] = context.under(part_of(self.tree, match, "word", own[match.slots[at]]))
            elif match.form and match.form[match.slots[at]] == "{n}" and "number" in match.operator.signs:
                self.signs[index] = context.under(part_of(self.tree, match, "number"))
