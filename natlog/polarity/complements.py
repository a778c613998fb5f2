"""Predicates with a downward or flat complement: *refuse to*, *lack of*, *unlikely that*, *too … to*."""

from __future__ import annotations

from natlog.lexicon.operators import Match, Operator, OperatorIndex
from natlog.polarity.attachment import NOUNS, Attachment
from natlog.polarity.context import Part, part_of
from natlog.tree import Tree

_COMPLEMENTS = frozenset({"xcomp", "ccomp", "pcomp", "csubj", "csubjpass", "advcl", "acl"})
_AUXILIARIES = frozenset({"aux", "auxpass"})


class Complements:
    """Finds the predicate whose complement a dependent is."""

    def __init__(self, tree: Tree, phrases: Attachment, operators: OperatorIndex) -> None:
        self.tree, self.phrases, self.operators = tree, phrases, operators
        self.words, self.tags, self.deps = phrases.words, phrases.tags, phrases.deps
        self.children, self.lemmas = phrases.children, phrases.lemmas

    def part(self, head: int, child: int) -> Part | None:
        """The effect of a predicate such as *refuse*, *lack* or *unlikely* on its complement ``child``."""
        argument = self.kind(head, child)
        if not argument:
            return None
        for source in (head, *self.predicative(head, argument)):
            operator = self.predicate(source, child, argument)
            if operator is not None:
                return part_of(self.tree, Match(operator, source, source + 1, (), ()), argument)
        return None

    def predicate(self, source: int, child: int, argument: str) -> Operator | None:
        """The operator that ``source`` is for an argument of this name."""
        known = () if source in self.phrases.idle else self.operators.predicates.get(self.lemmas[source], ())
        for operator in known:
            if argument not in operator.signs:
                continue
            if argument == "prep" and self.words[child] not in operator.prepositions:
                continue
            if argument == "object" and self.takes_wide_object(child):
                continue
            return operator
        if argument == "to":
            for other in self.children[source]:
                match = self.phrases.at.get(other)
                if match is not None and match.operator.kind == "degree":
                    return match.operator
        return None

    def predicative(self, head: int, argument: str) -> list[int]:
        """The adjective or noun of a copula, whose infinitive or clause may hang on the copula itself."""
        if argument not in ("to", "that"):
            return []
        return [child for child in self.children[head] if self.deps[child] in ("acomp", "attr", "oprd")]

    def kind(self, head: int, child: int) -> str:
        """Which complement ``child`` may be (the names in ``operators.toml``), or ""."""
        dep = self.deps[child]
        if dep == "prep":
            return "prep"
        if dep == "dobj" or (dep == "nsubjpass" and self.tags[child] in NOUNS):
            return "object" if self.tags[child] != "VBG" else "ing"
        if dep not in _COMPLEMENTS:
            return ""
        if any(self.words[c] == "to" and self.tags[c] == "TO" for c in self.children[child]):
            return "to"
        noun = self.tags[child] == "NN" and dep == "xcomp" and self.words[child].endswith("ing")
        gerund = (
            noun
            or self.tags[child] == "VBG"
            or any(self.tags[c] == "VBG" and self.deps[c] in _AUXILIARIES for c in self.children[child])
        )
        if gerund and dep != "advcl":
            return "ing"
        return "that" if dep in ("ccomp", "csubj", "csubjpass", "acl") else ""

    def takes_wide_object(self, child: int) -> bool:
        """Whether a quantified object stands outside its verb ("avoids every dog")."""
        return any(
            match.operator.signs.get("first", 1) == -1 or match.operator.signs.get("second", 1) != 1
            for match in self.phrases.quantifiers.get(child, ())
            if match.operator.id != "any"
        )
