"""Polarity on a dependency parse.

Every head word keeps the context its phrase stands in (``outer``) and the operators among its dependents
(``parts``). A constituent's sign is the context times the operators of its head that stand outside the
constituent, so that *every dog* is ↑ where *dog* is ↓. The scope order inside a clause is: preposed phrases
and conditionals, subject, then negation, adverbs and objects from left to right; the verb is under all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from natlog.lexicon.operators import Match
from natlog.parsing.constituents import SUBJECTS
from natlog.polarity.attachment import NOUNS, VERBS
from natlog.polarity.clauses import FRONTED, PREPOSED, SUBJECT
from natlog.polarity.context import OUTSIDE, POLARITY, TOP, Context, Part, part_of
from natlog.polarity.marks import Marks
from natlog.polarity.noun_phrases import NounPhrases
from natlog.tree import Constituent, Marking, Step, Tree

_PREPOSITIONS = frozenset({"IN", "TO", "RP"})


def mark_dependencies(tree: Tree, convention: str) -> Marking:
    """Mark a tree whose tokens carry heads and relations. See :func:`natlog.polarity.mark`."""
    return _Marker(tree, convention).marking()


class _Marker:
    def __init__(self, tree: Tree, convention: str) -> None:
        self.marks = marks = Marks(_sound(tree), convention)
        self.tree, self.phrases = marks.tree, marks.phrases
        self.words, self.tags, self.deps = marks.phrases.words, marks.phrases.tags, marks.phrases.deps
        self.heads, self.children = marks.phrases.heads, marks.phrases.children
        self.lemmas = marks.phrases.lemmas
        self.complements, self.clauses, self.times = marks.complements, marks.clauses, marks.times
        self.signs, self.outer, self.parts = marks.signs, marks.outer, marks.parts
        self.noun_phrases = NounPhrases(marks, self.visit)

    # The result -----------------------------------------------------------------------------------

    def marking(self) -> Marking:
        top = TOP
        for half in self.phrases.correlated:
            self.signs[half.start] = TOP
            top = TOP.under(part_of(self.tree, half, "argument"))
        for root in self.heads.roots:
            self.visit(root, top)
        contexts = [
            context if context is not None else self.outer[self.heads[index]] or TOP
            for index, context in enumerate(self.signs)
        ]
        return Marking(
            tree=self.tree,
            convention=self.marks.convention,
            signs=tuple(POLARITY[context.sign] for context in contexts),
            constituents=tuple(self.constituents(contexts)),
            token_why=tuple(context.why for context in contexts),
        )

    def constituents(self, contexts: list[Context]) -> Iterable[Constituent]:
        for node in self.tree.root.walk():
            if not node.children:
                continue
            context = self.outer[node.head]
            if context is None or (not self.parts[node.head] and node.end - node.start == 1):
                context = contexts[node.head]
            else:
                for part in self.parts[node.head]:
                    if part.start < node.start or part.end > node.end:
                        context = context.under(part)
            yield Constituent(
                node.start, node.end, node.label, node.head, POLARITY[context.sign], context.why
            )

    # Phrases --------------------------------------------------------------------------------------

    def visit(self, head: int, context: Context, outer: Context = TOP, generic: bool = False) -> list[Part]:
        """Mark the phrase of ``head``; returns the operators in it whose scope is the phrase around it.

        ``outer`` is the place of the whole noun phrase that this phrase modifies, for exceptives.
        """
        tag = self.tags[head]
        if head in self.phrases.quantifiers:
            return self.noun_phrases.mark(head, context)
        if tag in VERBS:
            return self.clause(head, context)
        if tag in NOUNS:
            if any(
                self.deps[child] in SUBJECTS or self.deps[child] == "mark" for child in self.children[head]
            ):
                return self.clause(head, context)
            return self.noun_phrases.mark(head, context, generic)
        if self.words[head] in ("than", "as") and head in self.phrases.than:
            return self.noun_phrases.compared(head, outer)
        verbal = any(self.deps[child] in SUBJECTS for child in self.children[head])
        if tag in _PREPOSITIONS and self.deps[head] not in ("mark", "prt") and not verbal:
            return self.prepositional(head, context, outer)
        return self.clause(head, context)

    def prepositional(self, head: int, context: Context, outer: Context) -> list[Part]:
        self.outer[head] = self.signs[head] = context
        match = self.phrases.at.get(head)
        if match is not None and self.clauses.is_preposition(head, match):
            for index in range(match.start, match.end):
                self.signs[index] = context
            part = part_of(self.tree, match, "argument")
            self.parts[head].append(part)
            base = outer if match.operator.scope == "outer" and outer.sign != context.sign else context
            for child in self.dependents(head):
                if not match.start <= child < match.end:
                    place = context if self.clauses.is_second(head, child) else base.under(part)
                    self.visit(child, place, outer=outer)
            return [part_of(self.tree, match, "main")] if match.operator.signs.get("main", 1) != 1 else []
        exported: list[Part] = []
        for child in self.dependents(head):
            if self.signs[child] is None:
                complement = self.complements.part(head, child)
                inside = context if complement is None else context.under(complement)
                exported.extend(self.visit(child, inside))
        return exported

    def dependents(self, head: int) -> list[int]:
        return [child for child in self.children[head] if child not in self.phrases.consumed]

    # Clauses --------------------------------------------------------------------------------------

    def clause(self, head: int, context: Context) -> list[Part]:
        """A verb, adjective or adverb with its dependents, in scope order."""
        self.outer[head] = context
        dependents = self.dependents(head)
        opened = inside = self.open_clause(head, dependents, context)
        parts = self.parts[head]
        own = self.phrases.at.get(head)
        contracted = own is not None and own.operator.kind == "negation" and self.tags[head] in VERBS
        after_subject = inside
        subject = min((child for child in dependents if self.deps[child] in SUBJECTS), default=-1)
        ranked = sorted((self.clauses.rank(child, head, subject), child) for child in dependents)
        for rank, child in ranked:
            if self.signs[child] is not None:
                continue
            if self.deps[child] == "punct":
                self.signs[child] = context
                continue
            if child in self.times:
                self.visit(child, TOP)
                continue
            if self.deps[child] == "cc":
                self.signs[child] = self.linker_place(head, child, opened, inside)
                continue
            if self.deps[child] == "conj":
                self.conjoined_clause(head, child, opened, after_subject, inside)
                continue
            place = context if rank == PREPOSED and child > head else inside
            place = after_subject if rank == FRONTED else place
            if rank == SUBJECT and self.clauses.is_kind_after_auxiliary(child, head):
                place = opened
            for part in self.element(head, child, self.shared_place(head, child, place)):
                spanning = Part(min(part.start, child), max(part.end, child + 1), part.effect, part.step)
                parts.append(part if part.start == OUTSIDE else spanning)
                inside = inside.under(part)
            if self.deps[child] in SUBJECTS:
                after_subject = inside
                if own is not None and contracted:
                    # "isn't" as one word: copula and negation.
                    self.signs[head] = inside
                    parts.append(part_of(self.tree, own, "scope"))
                    inside = inside.under(parts[-1])
        if self.signs[head] is None:
            self.signs[head] = inside
        return []

    def open_clause(self, head: int, dependents: list[int], context: Context) -> Context:
        """The context inside the clause's subordinator, question word or free relative."""
        opening = self.clauses.opening(head, dependents)
        if opening is None:
            return context
        match, argument = opening
        part = part_of(self.tree, match, argument)
        self.marks.sign_words(match, context)
        self.parts[head].append(part)
        return context.under(part)

    def linker_place(self, head: int, linker: int, context: Context, inside: Context) -> Context:
        """A conjunction between whole clauses stands outside both."""
        second = next((c for c in self.children[head] if c > linker and self.deps[c] == "conj"), -1)
        # A noun beside a verb is the subject of a clause left short ("but Mary can").
        apart = second >= 0 and (
            any(self.deps[c] in SUBJECTS for c in self.children[second])
            or (self.tags[second] in NOUNS and self.tags[head] in VERBS)
        )
        return context if apart or self.words[linker] == "nor" else inside

    def conjoined_clause(
        self, head: int, child: int, context: Context, after_subject: Context, inside: Context
    ) -> None:
        """A second predicate shares the subject's scope, and the negation's where it shares the auxiliary."""
        linker = [c for c in self.children[head] if self.deps[c] == "cc" and c < child][-1:]
        place = after_subject
        if any(self.deps[grandchild] in SUBJECTS for grandchild in self.children[child]):
            place = context
        elif self.tags[child] == self.tags[head] and not any(self.words[c] == "but" for c in linker):
            place = inside if self.tags[head] in ("VB", "VBG", "VBN", "JJ") else after_subject
        for c in linker:
            match = self.phrases.at.get(c)
            if match is not None and match.operator.kind == "negation":
                self.signs[c] = place if place is not inside else context
                if place is not inside:
                    place = place.under(part_of(self.tree, match, "scope"))
        self.visit(child, place)

    def shared_place(self, head: int, child: int, place: Context) -> Context:
        """The place of an object that a second clause shares: = where their verbs stand differently.

        "Everyone likes and no one hates a cat": only a derivation says that it is shared.
        """
        if self.deps[child] != "dobj":
            return place
        for other in self.children[head]:
            known = self.signs[other]
            subject = any(self.deps[below] in SUBJECTS for below in self.children[other])
            if self.deps[other] != "conj" or other > child or not subject or known is None:
                continue
            if known.sign != place.sign and known.why:
                clash = known.why[-1]
                flat = Step(clash.operator, clash.surface, clash.tokens, clash.argument, POLARITY[0])
                place = place.under(Part(OUTSIDE, OUTSIDE, 0, flat))
        return place

    def element(self, head: int, child: int, context: Context) -> list[Part]:
        """One dependent of a predicate, and the operators it brings into the clause."""
        match = self.phrases.at.get(child)
        if match is not None and child not in self.phrases.quantifiers and self.is_negation(match):
            self.marks.sign_words(match, context)
            if child > head and self.lemmas[head] == "be" and self.signs[head] is None:
                # "is not" is signed as "does not": the copula stands outside.
                self.signs[head] = None if self.marks.inner_auxiliaries else context
            for grandchild in self.dependents(child):
                if self.signs[grandchild] is None:
                    self.visit(grandchild, context)
            return [part_of(self.tree, match, "second" if match.operator.id == "neither" else "scope")]
        if self.deps[child] in SUBJECTS:
            generic = self.clauses.is_generic(child, head)
            part = self.complements.part(head, child)
            return self.visit(child, context if part is None else context.under(part), generic=generic)
        if self.deps[child] == "advcl":
            return self.adverbial_clause(child, context)
        complement = self.complements.part(head, child)
        if complement is not None:
            return self.visit(child, context.under(complement), outer=context)
        return self.visit(child, context, outer=context)

    def is_negation(self, match: Match) -> bool:
        """Whether an operator works on the clause from its own place on."""
        return match.operator.kind in ("negation", "focus") or match.operator.id == "neither"

    def adverbial_clause(self, child: int, context: Context) -> list[Part]:
        complement = self.complements.part(self.heads[child], child)
        self.visit(child, context if complement is None else context.under(complement))
        for grandchild in self.children[child]:
            match = self.phrases.at.get(grandchild)
            if (
                match is not None
                and match.operator.kind == "subordinator"
                and self.clauses.subordinates(grandchild)
            ):
                return [part_of(self.tree, match, "main")]
        return []


def _sound(tree: Tree) -> Tree:
    """The tree itself, or, where its governors are no forest (a stored parse may hold anything), one whose
    are."""
    if tree.heads == tuple([token.head for token in tree.tokens]):
        return tree
    tokens = (replace(token, head=head) for token, head in zip(tree.tokens, tree.heads, strict=True))
    return replace(tree, tokens=tuple(tokens))
