"""Asides: relative clauses and appositions between commas, which add a fact and restrict nothing."""

from __future__ import annotations

from natlog.lexicon.word_lists import word_list
from natlog.polarity.attachment import Attachment

_STANDS_FOR = frozenset({"the", "possessive", "some", "numeral"})
_RELATIVE = frozenset({"WP", "WDT", "WP$", "WRB"})


class Asides:
    """Finds the asides of the nouns of one tree.

    A noun that stands for somebody or something (a name, a definite, an indefinite) takes them: "Mary, who
    owns a car"; "no dog" and "every dog" do not.
    """

    def __init__(self, phrases: Attachment) -> None:
        self.phrases = phrases
        self.words, self.tags, self.deps = phrases.words, phrases.tags, phrases.deps

    def is_aside(self, head: int, child: int) -> bool:
        """Whether a dependent of the noun ``head`` is set off by a comma and adds a fact."""
        if self.deps[child] not in ("relcl", "appos") or child < head:
            return False
        known = self.phrases.quantifiers.get(head, ())
        if any(match.operator.id not in _STANDS_FOR for match in known):
            return False
        inside = set(self.phrases.heads.subtree(child))
        first = min(index for index in inside if self.deps[index] != "punct")
        if self.words[first - 1] != ",":
            return False
        if self.deps[child] == "relcl":
            piped = self.tags[first] == "IN" and self.tags[first + 1] in _RELATIVE
            return piped or (self.tags[first] in _RELATIVE and self.words[first] != "that")
        listed = any(self.deps[index] in ("cc", "conj", "appos") for index in inside - {child})
        determined = any(self.deps[other] in ("det", "poss") for other in self.phrases.children[child])
        return determined and not listed and (bool(known) or self.tags[head] == "NNP")

    def of_times(self) -> dict[int, int]:
        """For every clause with *when* after a time's name and a comma ("in winter, when it rains") the verb
        and its *when*."""
        found = {}
        for when in range(2, len(self.words)):
            named = self.words[when - 2] in word_list("named_times") and self.deps[when - 2] == "pobj"
            opens = self.words[when - 1] == "," and self.words[when] == "when"
            verb = self.phrases.heads[when]
            if named and opens and verb > when and self.deps[verb] in ("advcl", "relcl"):
                found[verb] = when
        return found

    def borders(self, head: int, comma: int) -> bool:
        """Whether a comma sets off an aside of this noun."""
        return self.words[comma] == "," and any(
            self.is_aside(head, other) for other in self.phrases.children[head]
        )
