"""The operators of two aligned sentences, paired, and the contexts in which their places stand.

A marking gives every token the chain of operators above it. Here the operators of the premise are paired
with those of the hypothesis, so that one chain can be told for a place that both sentences have, and an
operator that was replaced, added or dropped is known as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from natlog.calculus.alignment import Alignment, spelling
from natlog.calculus.quantifiers import quantifier
from natlog.tree import Marking, Polarity, Step

NEGATIONS = frozenset({"not", "never", "negation", "no-longer", "cannot"})
SCOPES = frozenset({"second", "scope", "main", "argument"})


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator as it stands in one sentence; ``effects`` are the signs of its arguments."""

    id: str
    surface: str
    tokens: tuple[int, ...]
    effects: tuple[tuple[str, Polarity], ...]

    @property
    def negates(self) -> bool:
        """Whether it is a plain negation, whose truth value is the opposite of its scope's."""
        return self.id in NEGATIONS


@dataclass(frozen=True, slots=True)
class OperatorPair:
    """An operator of the premise with its counterpart in the hypothesis; one of them may be missing."""

    index: int
    premise: Operator | None
    hypothesis: Operator | None
    changed: bool

    @property
    def either(self) -> Operator:
        """Whichever is there, the premise's first."""
        found = self.premise or self.hypothesis
        assert found is not None
        return found

    def effects(self) -> dict[str, Polarity]:
        """The signs of its arguments in either sentence; the premise's count where they differ."""
        sides = [side for side in (self.hypothesis, self.premise) if side is not None]
        return {name: sign for side in sides for name, sign in side.effects}


Place = tuple[tuple[int, str], ...]
"""A chain of (index of an operator pair, argument), outermost first."""


@dataclass(slots=True)
class Contexts:
    """Paired operators, and the chain above any token of either sentence."""

    premise: Marking
    hypothesis: Marking
    alignment: Alignment
    pairs: list[OperatorPair] = field(default_factory=list)
    _of_premise: dict[tuple[int, ...], int] = field(default_factory=dict)
    _of_hypothesis: dict[tuple[int, ...], int] = field(default_factory=dict)
    ignored: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        ones, twos = operators(self.premise), operators(self.hypothesis)
        free = list(twos)
        for one in ones:
            two = self._counterpart(one, free)
            if two is not None:
                free.remove(two)
            self._add(one, two)
        for two in free:
            self._add(None, two)

    def _add(self, one: Operator | None, two: Operator | None) -> None:
        index = len(self.pairs)
        if one and two:
            changed = self._words(self.premise, one) != self._words(self.hypothesis, two)
        else:
            only = one or two
            assert only is not None
            linked = self.alignment.links if one else self.alignment.back
            changed = bool(only.tokens) and not any(token in linked for token in only.tokens)
        self.pairs.append(OperatorPair(index, one, two, changed))
        if one:
            self._of_premise[one.tokens] = index
        if two:
            self._of_hypothesis[two.tokens] = index

    @staticmethod
    def _words(marking: Marking, operator: Operator) -> tuple[str, ...]:
        return tuple(spelling(marking.tree.tokens[index]) for index in operator.tokens)

    def _counterpart(self, one: Operator, candidates: list[Operator]) -> Operator | None:
        if not one.tokens:
            silent = [two for two in candidates if not two.tokens]
            return silent[0] if silent else self._same_noun(one, candidates)
        links = self.alignment.links
        targets = {links[token] for token in one.tokens if token in links}
        for two in candidates:
            if targets & set(two.tokens):
                return two
        if targets:
            return None
        for hunk in self.alignment.hunks:
            if any(hunk.start <= token < hunk.end for token in one.tokens):
                for two in candidates:
                    inside = any(hunk.other_start <= token < hunk.other_end for token in two.tokens)
                    if inside and two.negates == one.negates and _arguments(one) & _arguments(two):
                        return two
        return self._same_noun(one, candidates)

    def _same_noun(self, one: Operator, candidates: list[Operator]) -> Operator | None:
        """The determiner of the same noun, where one was replaced by words that stand elsewhere."""
        noun = self.noun(self.premise, one)
        target = self.alignment.links.get(noun) if noun is not None else None
        for two in candidates:
            kept = any(token in self.alignment.back for token in two.tokens)
            if target is not None and not kept and self.noun(self.hypothesis, two) == target:
                return two
        return None

    @staticmethod
    def noun(marking: Marking, operator: Operator) -> int | None:
        """The noun a determiner belongs to; None for other operators."""
        if "first" not in _arguments(operator) and "second" not in _arguments(operator):
            return None
        tokens = marking.tree.tokens
        if not operator.tokens:
            # A silent determiner, of a bare plural: its noun is the last word directly under it.
            under = [
                token.index
                for token in tokens
                if any(not s.tokens and s.argument == "first" for s in marking.token_why[token.index][-1:])
                and token.pos in ("NOUN", "PROPN")
            ]
            return under[0] if under else None
        word = operator.tokens[-1]
        heads = marking.tree.heads
        for index in heads.upward(word):
            head, nominal = heads[index], tokens[index].pos in ("NOUN", "PROPN")
            if index != word and tokens[index].pos in ("VERB", "AUX"):
                return word
            if head == index or (nominal and index not in operator.tokens):
                return index
            if nominal and tokens[head].pos not in ("NOUN", "PROPN"):
                return index
        return word

    def place(self, one: int | None, two: int | None) -> tuple[Place, bool]:
        """The chain above premise token ``one`` and its counterpart ``two``; whether the parses agree on it.

        Operators that only one sentence has stand in the chain at their place.
        """
        first = self._chain(self.premise.token_why[one], self._of_premise) if one is not None else None
        second = self._chain(self.hypothesis.token_why[two], self._of_hypothesis) if two is not None else None
        if first is None or second is None:
            return first or second or (), True
        if first == second:
            return first, True
        merged: list[tuple[int, str]] = []
        agree = True
        matcher = SequenceMatcher(None, first, second, autojunk=False)
        for code, a, b, c, d in matcher.get_opcodes():
            if code == "equal":
                merged += first[a:b]
                continue
            for item in (*first[a:b], *second[c:d]):
                pair = self.pairs[item[0]]
                both = pair.premise is not None and pair.hypothesis is not None
                if both or not pair.changed:
                    agree = False
                else:
                    merged.append(item)
        if not agree:
            return (second if self._prefer_hypothesis() else first), False
        return tuple(merged), True

    def _prefer_hypothesis(self) -> bool:
        """Whose parse to believe where they differ: the surer, else the less repaired, else the shorter."""
        one, two = self.premise.tree, self.hypothesis.tree
        if one.confidence != two.confidence:
            return two.confidence > one.confidence
        return (len(two.repairs), len(two.tokens)) < (len(one.repairs), len(one.tokens))

    def _chain(self, steps: tuple[Step, ...], table: dict[tuple[int, ...], int]) -> Place:
        found = []
        for step in composed(steps):
            index = table.get(step.tokens)
            if index is not None and index not in self.ignored:
                found.append((index, step.argument))
        return tuple(found)


def operators(marking: Marking) -> list[Operator]:
    """Every operator that some token of the sentence stands under, in order of its first word."""
    found: dict[tuple[int, ...], tuple[Step, dict[str, Polarity]]] = {}
    for step in _steps(marking):
        _, effects = found.setdefault(step.tokens, (step, {}))
        effects[step.argument] = step.effect
    parts = {tokens[:-1] for tokens, (step, _) in found.items() if step.operator in _COMPOSED}
    return [
        Operator(step.operator, step.surface, tokens, tuple(effects.items()))
        for tokens, (step, effects) in sorted(found.items())
        if tokens not in parts
    ]


def _steps(marking: Marking) -> Iterator[Step]:
    for steps in marking.token_why:
        yield from composed(steps)


def composed(steps: tuple[Step, ...]) -> list[Step]:
    """A chain in which a negation and the universal right after it are one step ("not every").

    Only where their words spell a quantifier of the algebra.
    """
    found: list[Step] = []
    for step in steps:
        before = found[-1] if found and found[-1].operator in NEGATIONS else None
        spelled = quantifier(f"{before.surface} {step.surface}") if before is not None else None
        adjacent = before is not None and step.tokens[:1] == (before.tokens[-1] + 1,)
        if before is not None and adjacent and spelled is not None and spelled.id in _COMPOSED:
            found[-1] = Step(
                operator=spelled.id,
                surface=f"{before.surface} {step.surface}",
                tokens=before.tokens + step.tokens,
                argument=step.argument,
                effect=before.effect * step.effect,
            )
        else:
            found.append(step)
    return found


_COMPOSED = frozenset({"not-every", "not-many"})


def _arguments(operator: Operator) -> set[str]:
    return {name for name, _ in operator.effects}
