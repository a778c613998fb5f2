"""Polarity on a dependency parse.

Every head word keeps the context its phrase stands in (``outer``) and the operators among its dependents
(``parts``). A constituent's sign is the context times the operators of its head that stand outside the
constituent, so that *every dog* is ↑ where *dog* is ↓. The scope order inside a clause is: preposed phrases
and conditionals, subject, then negation, adverbs and objects from left to right; the verb is under all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from natlog.lexicon.conventions import load_convention
from natlog.lexicon.operators import Match, load_operators
from natlog.parsing.constituents import SUBJECTS
from natlog.polarity.asides import Asides
from natlog.polarity.attachment import NOUNS, VERBS, Attachment
from natlog.polarity.clauses import FRONTED, PREPOSED, SUBJECT, Clauses
from natlog.polarity.complements import Complements
from natlog.polarity.context import OUTSIDE, POLARITY, TOP, Context, Part, part_of
from natlog.tree import Constituent, Marking, Step, Tree

_PREPOSITIONS = frozenset({"IN", "TO", "RP"})


def mark_dependencies(tree: Tree, convention: str) -> Marking:
    """Mark a tree whose tokens carry heads and relations. See :func:`natlog.polarity.mark`."""
    return _Marker(tree, convention).marking()


class _Marker:
    def __init__(self, tree: Tree, convention: str) -> None:
        tree = _sound(tree)
        self.tree, self.convention = tree, convention
        self.operators = load_operators(convention)
        switches = load_convention(convention).values
        self.inner_auxiliaries = switches["auxiliary"] == "inside"
        self.universal_definites = switches["all-the"] == "universal"
        self.phrases = phrases = Attachment(tree, self.operators)
        self.words, self.tags, self.deps = phrases.words, phrases.tags, phrases.deps
        self.heads, self.children = phrases.heads, phrases.children
        self.lemmas = phrases.lemmas
        self.complements = Complements(tree, phrases, self.operators)
        self.asides = Asides(phrases)
        self.times = self.asides.of_times()
        for when in self.times.values():
            phrases.at.pop(when, None)
        self.clauses = Clauses(phrases, self.operators, self.inner_auxiliaries)
        size = len(tree.tokens)
        self.signs: list[Context | None] = [None] * size
        self.outer: list[Context | None] = [None] * size
        self.parts: list[list[Part]] = [[] for _ in range(size)]
        self.comparisons: dict[int, Context] = {}

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
            convention=self.convention,
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
            return self.noun_phrase(head, context)
        if tag in VERBS:
            return self.clause(head, context)
        if tag in NOUNS:
            if any(
                self.deps[child] in SUBJECTS or self.deps[child] == "mark" for child in self.children[head]
            ):
                return self.clause(head, context)
            return self.noun_phrase(head, context, generic)
        if self.words[head] in ("than", "as") and head in self.phrases.than:
            return self.compared(head, outer)
        verbal = any(self.deps[child] in SUBJECTS for child in self.children[head])
        if tag in _PREPOSITIONS and self.deps[head] not in ("mark", "prt") and not verbal:
            return self.prepositional(head, context, outer)
        return self.clause(head, context)

    def noun_phrase(self, head: int, context: Context, generic: bool = False) -> list[Part]:
        self.outer[head] = context
        parts, exported, inside = self.parts[head], list[Part](), context
        quantifiers = self.phrases.quantifiers.get(head, [])
        for at, match in enumerate(quantifiers):
            if self.universal_definites and at and _is_all(quantifiers[at - 1]) and _is_definite(match):
                # "all the children" is "all children" (MED, Table 1).
                self.sign_words(match, inside)
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
        self.sign_words(match, inside)
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

    def sign_words(self, match: Match, context: Context) -> None:
        """Sign an operator's own words: ↑ in their place, but for numerals and words under its first word."""
        own = match.operator.words.get(match.form)
        for at, index in enumerate(range(match.start, match.end)):
            self.signs[index] = context
            if own is not None:
                self.signs[index] = context.under(part_of(self.tree, match, "word", own[match.slots[at]]))
            elif match.form and match.form[match.slots[at]] == "{n}" and "number" in match.operator.signs:
                self.signs[index] = context.under(part_of(self.tree, match, "number"))

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
            for part in self.element(head, child, place):
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
        self.sign_words(match, context)
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

    def element(self, head: int, child: int, context: Context) -> list[Part]:
        """One dependent of a predicate, and the operators it brings into the clause."""
        match = self.phrases.at.get(child)
        if match is not None and child not in self.phrases.quantifiers and self.is_negation(match):
            self.sign_words(match, context)
            if child > head and self.lemmas[head] == "be" and self.signs[head] is None:
                # "is not" is signed as "does not": the copula stands outside.
                self.signs[head] = None if self.inner_auxiliaries else context
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


_EXCEPTABLE = frozenset({"every", "no", "any"})


def _sound(tree: Tree) -> Tree:
    """The tree itself, or, where its governors are no forest (a stored parse may hold anything), one whose
    are."""
    if tree.heads == tuple([token.head for token in tree.tokens]):
        return tree
    tokens = (replace(token, head=head) for token, head in zip(tree.tokens, tree.heads, strict=True))
    return replace(tree, tokens=tuple(tokens))


def _is_all(match: Match) -> bool:
    return match.operator.id == "every" and match.form == ("all",)


def _is_definite(match: Match) -> bool:
    return match.operator.id in ("the", "possessive")


def _effect(parts: list[Part]) -> int:
    sign = 1
    for part in parts:
        sign *= part.effect
    return sign
