"""Who depends on whom in a parsed sentence, for those who look for phrases to change."""

from __future__ import annotations

from functools import cached_property

from natlog.lexicon.word_lists import word_list
from natlog.tree import Marking, Polarity, Token, Tree

ANAPHORS = word_list("anaphors")
"""Words that point at something of their own sentence or situation, and so don't travel to another."""


class Structure:
    """A marked dependency parse with its dependents and phrases at hand."""

    def __init__(self, marking: Marking) -> None:
        self.marking = marking
        self.tree: Tree = marking.tree
        self.tokens = self.tree.tokens
        self._heads = self.tree.heads

    def children(self, index: int, *deps: str) -> list[Token]:
        """The dependents of a token, all or those of some relations, left to right."""
        found = (self.tokens[child] for child in self._heads.children[index])
        return [token for token in found if not deps or token.dep in deps]

    def span(self, index: int, *without: str) -> tuple[int, int] | None:
        """The tokens below and with a token, as start and exclusive end; None where they have a gap.
        Dependents of the token by the relations ``without`` are left out, with what hangs on them."""
        kept = (child.index for child in self.children(index) if child.dep not in without)
        found = {index, *(token for child in kept for token in self._heads.subtree(child))}
        start, end = min(found), max(found) + 1
        return (start, end) if end - start == len(found) else None

    def word(self, index: int) -> str:
        """The lower-case word at an index, "" outside the sentence."""
        return self.tokens[index].word if 0 <= index < len(self.tokens) else ""

    def words(self, start: int, end: int) -> frozenset[str]:
        return frozenset(token.word for token in self.tokens[start:end])

    @cached_property
    def operators(self) -> frozenset[int]:
        """The tokens of all operators at work."""
        chains = [*self.marking.token_why, *(item.why for item in self.marking.constituents)]
        return frozenset(index for chain in chains for step in chain for index in step.tokens)

    def sign(self, index: int) -> Polarity:
        return self.marking.signs[index]

    def phrase_sign(self, start: int, end: int, head: int) -> Polarity:
        """The sign of a phrase where it is a constituent, else that of its head."""
        found = self.marking.constituent(start, end)
        return found.polarity if found else self.sign(head)

    def determiner(self, noun: int) -> Token | None:
        """The article, quantifier, numeral or possessor of a noun."""
        found = self.children(noun, "det", "nummod", "poss", "predet", "quantmod")
        return found[0] if found else None

    def is_last(self, end: int) -> bool:
        """Whether nothing but a full stop follows."""
        rest = self.tokens[end:]
        return all(token.pos == "PUNCT" and token.text in (".", "!") for token in rest)
