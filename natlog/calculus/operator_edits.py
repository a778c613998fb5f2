"""Edits of operators: a determiner or negation that was replaced, added or dropped over words that stayed."""

from __future__ import annotations

from dataclasses import dataclass, field

from natlog.calculus.contexts import Contexts, OperatorPair
from natlog.calculus.edits import Edit
from natlog.calculus.phrases import describe
from natlog.calculus.projection import Change
from natlog.calculus.quantifiers import compare, quantifier
from natlog.calculus.relations import SetRelation
from natlog.tree import Marking, Token

Claims = tuple[set[int], set[int]]
"""Tokens of the premise and of the hypothesis that an operator edit has accounted for."""


@dataclass(slots=True)
class OperatorEdits:
    """Reads the changed operator pairs; ``claimed`` are the tokens they account for."""

    contexts: Contexts
    claimed: Claims = field(default_factory=lambda: (set(), set()))

    def read(self) -> list[tuple[Edit, Change]]:
        """Every operator edit; pairs that are none are marked as to be ignored."""
        found = []
        for pair in self.contexts.pairs:
            if not pair.changed:
                continue
            name = self._name_for_pronoun(pair)
            if self._owners(pair):
                self.contexts.ignored.add(pair.index)
                if self._same_owner(pair):
                    for side, operator in zip(self.claimed, (pair.premise, pair.hypothesis), strict=True):
                        side.update(operator.tokens if operator else ())
            elif name is not None:
                found.append(self._pronoun_edit(pair, name))
            elif self._is_edit(pair):
                found.append(self._operator_edit(pair))
                for side, operator in zip(self.claimed, (pair.premise, pair.hypothesis), strict=True):
                    side.update(operator.tokens if operator else ())
            else:
                self.contexts.ignored.add(pair.index)
        return found

    def _owners(self, pair: OperatorPair) -> bool:
        """Whether a possessor that is named stands for another one: what is theirs are two things."""
        if not (pair.premise and pair.hypothesis and pair.premise.tokens and pair.hypothesis.tokens):
            return False
        ones = self.contexts.premise.tree.tokens[pair.premise.tokens[0]]
        twos = self.contexts.hypothesis.tree.tokens[pair.hypothesis.tokens[0]]
        if ones.dep != "poss" or twos.dep != "poss":
            return False
        return ones.pos in ("NOUN", "PROPN") or twos.pos in ("NOUN", "PROPN")

    def _same_owner(self, pair: OperatorPair) -> bool:
        """Whether one is a pronoun, and its sentence speaks of the other before it."""
        sides = ((self.contexts.premise, pair.premise), (self.contexts.hypothesis, pair.hypothesis))
        (one, name), (two, other) = (
            (marking.tree.tokens, marking.tree.tokens[operator.tokens[0]])
            for marking, operator in sides
            if operator is not None
        )
        if name.tag == "PRP$":
            return any(token.word == other.word and token.dep != "poss" for token in one[: name.index])
        if other.tag == "PRP$":
            return any(token.word == name.word and token.dep != "poss" for token in two[: other.index])
        return False

    def _is_edit(self, pair: OperatorPair) -> bool:
        """Whether an added or dropped operator has words of both sentences in its scope."""
        if pair.premise and pair.hypothesis:
            return True
        marking = self.contexts.premise if pair.premise else self.contexts.hypothesis
        linked = self.contexts.alignment.links if pair.premise else self.contexts.alignment.back
        if pair.either.negates:
            verb = marking.tree.tokens[pair.either.tokens[0]].head
            return verb in linked or (
                any(
                    step.tokens == pair.either.tokens for token in linked for step in marking.token_why[token]
                )
                and not self._in_inserted_clause(verb, marking, linked)
            )
        noun = self.contexts.noun(marking, pair.either)
        return noun is not None and (noun in linked or self._replaced(noun, pair))

    def _in_inserted_clause(self, verb: int, marking: Marking, linked: dict[int, int]) -> bool:
        return verb not in linked and marking.tree.tokens[verb].dep in ("relcl", "acl", "advcl", "conj")

    def _replaced(self, noun: int, pair: OperatorPair) -> bool:
        for hunk in self.contexts.alignment.hunks:
            start, end = (hunk.start, hunk.end) if pair.premise else (hunk.other_start, hunk.other_end)
            if start <= noun < end:
                others = (hunk.other_start, hunk.other_end) if pair.premise else (hunk.start, hunk.end)
                tokens = (self.contexts.hypothesis if pair.premise else self.contexts.premise).tree.tokens
                return any(tokens[i].pos in ("NOUN", "PROPN", "PRON") for i in range(*others))
        return False

    def _name_for_pronoun(self, pair: OperatorPair) -> Token | None:
        """The name or pronoun that a quantifying pronoun (someone) of the other sentence stands for."""
        if pair.premise and pair.hypothesis:
            return None
        marking = self.contexts.premise if pair.premise else self.contexts.hypothesis
        tokens = pair.either.tokens
        if len(tokens) != 1 or marking.tree.tokens[tokens[0]].pos != "PRON":
            return None
        for hunk in self.contexts.alignment.hunks:
            start, end = (hunk.start, hunk.end) if pair.premise else (hunk.other_start, hunk.other_end)
            other = self.contexts.hypothesis if pair.premise else self.contexts.premise
            span = (hunk.other_start, hunk.other_end) if pair.premise else (hunk.start, hunk.end)
            if start <= tokens[0] < end:
                names = [
                    other.tree.tokens[i]
                    for i in range(*span)
                    if other.tree.tokens[i].pos in ("PROPN", "PRON")
                ]
                return names[-1] if names and len(names) == span[1] - span[0] else None
        return None

    def _pronoun_edit(self, pair: OperatorPair, name: Token) -> tuple[Edit, Change]:
        """Socrates is one of those that *someone* speaks of: a definite against a quantifier over persons."""
        one, two = pair.premise, pair.hypothesis
        definite, other = quantifier("the"), quantifier(pair.either.surface)
        relation = SetRelation.INDEPENDENT
        if definite is not None and other is not None:
            if one:
                relation = compare(other, definite, SetRelation.REVERSE, SetRelation.EQUAL, True)
            else:
                relation = compare(definite, other, SetRelation.FORWARD, SetRelation.EQUAL, True)
        start = one.tokens[0] if one else name.index
        other_start = two.tokens[0] if two else name.index
        marking = self.contexts.hypothesis if one else self.contexts.premise
        for index in range(name.index, -1, -1):
            if marking.tree.tokens[index].pos not in ("PROPN", "PRON"):
                break
            self.claimed[1 if one else 0].add(index)
        self.claimed[0 if one else 1].update(pair.either.tokens)
        self.contexts.ignored.add(pair.index)
        place, agreed = self.contexts.place(start, other_start)
        before = self.contexts.premise.tree.tokens[start].text
        after = self.contexts.hypothesis.tree.tokens[other_start].text
        edit = Edit(
            "substitution",
            "word",
            start,
            start + 1,
            other_start,
            other_start + 1,
            before,
            after,
            self.contexts.premise.signs[start],
            str(relation),
            describe(relation, before, after),
            agreed=agreed,
            site=before,
        )
        return edit, Change(place, relation)

    def _where(self, pair: OperatorPair) -> tuple[int | None, int | None]:
        """The token of each sentence at which the operator stands.

        Of a determiner that one sentence lacks, the bare noun there.
        """
        one, two = pair.premise, pair.hypothesis
        first = one.tokens[0] if one and one.tokens else None
        second = two.tokens[0] if two and two.tokens else None
        if pair.either.negates or (one and two):
            return first, second
        here, there = self.contexts.premise, self.contexts.hypothesis
        linked = self.contexts.alignment.links
        if two:
            here, there, linked = there, here, self.contexts.alignment.back
        noun = self.contexts.noun(here, pair.either)
        other = linked.get(noun) if noun is not None else None
        determined = any(
            self.contexts.noun(there, operator) == other
            for known in self.contexts.pairs
            for operator in [known.hypothesis if one else known.premise]
            if operator is not None
        )
        other = None if determined else other
        return (first, other) if one else (other, second)

    def _operator_edit(self, pair: OperatorPair) -> tuple[Edit, Change]:
        one, two = pair.premise, pair.hypothesis
        before, after = one.surface if one else "", two.surface if two else ""
        place, agreed = self.contexts.place(*self._where(pair))
        place = tuple(step for step in place if step[0] != pair.index)  # a numeral stands in its own number
        marking = self.contexts.premise if one and one.tokens else self.contexts.hypothesis
        sign = marking.signs[one.tokens[0] if one and one.tokens else two.tokens[0] if two else 0]
        change = (
            f"*{before}* becomes *{after}*"
            if one and two
            else f"*{after or before}* is " + ("added" if two else "dropped")
        )
        kind, note = (
            ("negation", change) if pair.either.negates else ("quantifier", change + _compared(before, after))
        )
        edit = Edit(
            kind,
            "operator",
            one.tokens[0] if one and one.tokens else 0,
            one.tokens[-1] + 1 if one and one.tokens else 0,
            two.tokens[0] if two and two.tokens else 0,
            two.tokens[-1] + 1 if two and two.tokens else 0,
            before,
            after,
            sign,
            "#",
            note,
            agreed=agreed,
        )
        return edit, Change(place, SetRelation.EQUAL, pair.index)


def _compared(before: str, after: str) -> str:
    """How two determiners stand to each other over the same nouns and verbs, in words."""
    one, two = quantifier(before), quantifier(after)
    if one is None or two is None or before.lower() == after.lower():
        return ""
    relation = compare(one, two, SetRelation.EQUAL, SetRelation.EQUAL, True)
    if relation.excludes:
        return f", which *{before}* excludes"
    return (
        f", which follows from *{before}*" if relation.entails else f", which doesn't follow from *{before}*"
    )
