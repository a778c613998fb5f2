"""Noun phrases of a dependency parse: determiners, modifiers, conjuncts, and what a comparison is with."""

from __future__ import annotations

from typing import Protocol

from natlog.lexicon.operators import Match
from natlog.polarity.attachment import NOUNS
from natlog.polarity.context import OUTSIDE, POLARITY, TOP, Context, Part, part_of
from natlog.polarity.marks import Marks
from natlog.tree import Step

_EXCEPTABLE = frozenset({"every", "no", "any"})


class Visit(Protocol):
    """Marks the phrase of a head, whatever its kind; see :mod:`natlog.polarity.dependency`."""

    def __call__(self, head: int, context: Context, outer: Context = TOP) -> list[Part]:
        """Mark it, and return the operators in it whose scope is the phrase around it."""


class NounPhrases:
    """Marks the noun phrases of one tree; what is in them, by ``visit``."""

    def __init__(self, marks: Marks, visit: Visit) -> None:
        self.marks, self.visit = marks, visit
        self.tree, self.operators, self.phrases = marks.tree, marks.operators, marks.phrases
        self.words, self.tags, self.deps = marks.phrases.words, marks.phrases.tags, marks.phrases.deps
        self.heads, self.children = marks.phrases.heads, marks.phrases.children
        self.complements, self.clauses = marks.complements, marks.clauses
        self.asides, self.times = marks.asides, marks.times
        self.signs, self.outer, self.parts = marks.signs, marks.outer, marks.parts
        self.comparisons: dict[int, Context] = {}

    def mark(self, head: int, context: Context, generic: bool = False) -> list[Part]:
        self.outer[head] = context
        parts, exported, inside = self.parts[head], list[Part](), context
        quantifiers = self.phrases.quantifiers.get(head, [])
        for at, match in enumerate(quantifiers):
            if self.marks.universal_definites and at and _is_all(quantifiers[at - 1]) and _is_definite(match):
                # "all the children" is "all children" (MED, Table 1).
                self.marks.sign_words(match, inside)
                continue
            inside = self.quantify(head, match, inside, exported)
        if generic and not parts:
            parts.append(self.generic_part("first"))
            exported.append(self.generic_part("second"))
            inside = inside.under(parts[-1])
        children = [child for child in self.children[head] if child not in self.phrases.consumed]
        for child in children:
            if self.deps[child] == "poss" and self.tags[child] in NOUNS:
                for part in self.visit(child, context if self.coordinator(head) is None else inside):
                    exported.append(part)
                    inside = inside.under(part)
                match = Match(self.operators.by_id["possessive"], child, child + 1, (), ())
                parts.append(part_of(self.tree, match, "first"))
                inside = inside.under(parts[-1])
            elif self.deps[child] == "amod" and self.is_superlative(child):
                match = Match(self.operators.by_id["superlative"], child, child + 1, (), ())
                parts.append(part_of(self.tree, match, "first"))
                inside = inside.under(parts[-1])
        if self.signs[head] is None:
            self.signs[head] = inside
        for child in children:
            if self.signs[child] is None:
                self.modifier(head, child, context, inside, exported)
        return exported

    def is_superlative(self, child: int) -> bool:
        match = self.phrases.at.get(child)
        if match is not None and match.operator.id == "superlative":
            return True
        return self.phrases.is_superlative(child) and any(
            self.words[other] == "the" or self.deps[other] == "poss"
            for other in self.children[self.heads[child]]
        )

    def quantify(self, head: int, match: Match, inside: Context, exported: list[Part]) -> Context:
        """Sign the operator's words, note its parts, and return the context of what it opens."""
        kind = match.operator.kind
        first, second = ("scope", "scope") if kind == "negation" else ("first", "second")
        licensed = match.operator.signs["licensed"] if match.operator.id == "any" else None
        effect = licensed if inside.licenses_any() else None
        self.marks.sign_words(match, inside)
        part = part_of(self.tree, match, first, effect)
        compares = "than" in match.operator.signs
        if compares:
            self.comparisons[head] = inside
        bound = any(
            item.step.argument == "second" and not self.phrases.is_coordinator(item.start)
            for item in exported
        )
        bound = bound or self.clauses.is_time_span(head)
        if kind != "determiner" or compares or not bound:
            exported.append(part_of(self.tree, match, second, effect))
        if not match.start <= head < match.end:
            self.parts[head].append(part)
        else:
            # The operator is the phrase's own head (nobody, none of): its modifiers are its first argument.
            self.parts[head].append(Part(match.start, match.end, part.effect, part.step))
        return inside.under(part)

    def generic_part(self, argument: str) -> Part:
        match = Match(self.operators.by_id["bare-plural"], OUTSIDE, OUTSIDE, (), ())
        return part_of(self.tree, match, argument)

    def modifier(
        self, head: int, child: int, context: Context, inside: Context, exported: list[Part]
    ) -> None:
        """A dependent of a noun: in the noun's own context, but for coordination and exceptives."""
        dep = self.deps[child]
        if child in self.times or self.asides.is_aside(head, child):
            self.visit(child, TOP)
            return
        restricted = self.signs[self.clauses.restricted(head, child)]
        if restricted is not None and restricted is not self.signs[head]:
            self.visit(child, restricted)
            return
        if dep == "punct":
            aside = self.asides.borders(head, child) or child + 1 in self.times.values()
            self.signs[child] = TOP if aside else inside
            return
        if (dep == "appos" or (dep == "npadvmod" and child > head)) and not self.restricts(head, child):
            # "two packs a day": the rate is no part of what is counted.
            self.visit(child, context)
            return
        if dep == "cc":
            neither = self.coordinator(head) is not None
            linked = next((c for c in self.children[head] if c > child and self.deps[c] == "conj"), head)
            apart = linked != head and self.is_whole(linked)
            self.signs[child] = context if neither or apart else inside
            return
        if dep == "conj":
            self.conjunct(head, child, context, inside, exported)
            return
        complement = self.complements.part(head, child)
        if complement is not None:
            inside = inside.under(complement)
        self.visit(child, inside, outer=context)

    def restricts(self, head: int, child: int) -> bool:
        """Whether a noun after another tells where it is ("the boy next door"), and is no second name."""
        if self.tags[child] not in ("NN", "NNS") or any(
            self.deps[other] in ("det", "poss", "nummod", "case") for other in self.children[child]
        ):
            return False
        return not any(self.tags[index] in (",", ":", "-LRB-") for index in range(head, child))

    def is_whole(self, noun: int) -> bool:
        """Whether a noun has operators or a possessor of its own, so that it shares no determiner."""
        return noun in self.phrases.quantifiers or any(
            self.deps[child] == "poss" for child in self.children[noun]
        )

    def is_listed(self, head: int, child: int) -> bool:
        """Whether *no* stands inside a list that goes on after its noun: "a coat but no hat, red gloves and
        old shoes"; "a coat but no hat, gloves or shoes" is within it."""
        quantifiers = self.phrases.quantifiers.get(head, ())
        if self.deps[head] != "conj" or not any(match.operator.id == "no" for match in quantifiers):
            return False
        linkers = [c for noun in (head, child) for c in self.children[noun] if self.deps[c] == "cc"]
        if any(self.words[c] in ("or", "nor") for c in linkers):
            return False
        return any(self.words[index] == "," for index in range(head, child))

    def coordinator(self, head: int) -> Match | None:
        """The *neither* that coordinates a noun with others by *nor*."""
        for match in self.phrases.quantifiers.get(head, ()):
            if self.phrases.is_coordinator(match.start):
                return match
        return None

    def conjunct(
        self, head: int, child: int, context: Context, inside: Context, exported: list[Part]
    ) -> None:
        """A second noun: an exception after *but*, the corrected one after *not*, or one more of the same."""
        but = next((c for c in self.children[head] if self.words[c] == "but" and c < child), -1)
        own = self.is_whole(child) or self.is_listed(head, child)
        if but >= 0 and any(
            match.operator.id in _EXCEPTABLE for match in self.phrases.quantifiers.get(head, ())
        ):
            if not own:
                exception = Match(self.operators.by_id["but"], but, but + 1, (), ())
                self.signs[but] = inside
                self.visit(child, inside.under(part_of(self.tree, exception, "argument")))
                return
        elif but >= 0:
            context, inside = context.without_negation(), inside.without_negation()
        shared = list(exported)
        neither = self.coordinator(head)
        if neither is not None:
            # Both conjuncts stand under *neither*, and no determiner of one reaches the other.
            context = inside = context.under(part_of(self.tree, neither, "first"))
            shared = [part for part in shared if part.start != neither.start]
        added = self.visit(child, context if own else inside)
        if own and added and _effect(added) != _effect(shared):
            clash = added[0].step
            flat = Step(clash.operator, clash.surface, clash.tokens, clash.argument, POLARITY[0])
            exported.append(Part(added[0].start, added[0].end, 0, flat))

    def compared(self, head: int, context: Context) -> list[Part]:
        """*than* and its noun, under the comparison that it closes."""
        match, noun = self.phrases.than[head]
        context = self.comparisons.get(noun) or self.outer[noun] or context
        self.outer[head] = self.signs[head] = context
        inside = context.under(part_of(self.tree, match, "than"))
        for child in self.children[head]:
            self.visit(child, inside)
        return []


def _is_all(match: Match) -> bool:
    return match.operator.id == "every" and match.form == ("all",)


def _is_definite(match: Match) -> bool:
    return match.operator.id in ("the", "possessive")


def _effect(parts: list[Part]) -> int:
    sign = 1
    for part in parts:
        sign *= part.effect
    return sign
