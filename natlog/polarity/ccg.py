r"""Polarity on a CCG derivation, by its categories.

The method is that of Hu and Moss (2018, "Polarity computations in flexible categorial grammar"): every
word is a function whose arguments have a sign, and polarity is pushed from the root through function
application, composition, type raising and coordination down to the words. The signs are those of
``operators.toml``: an operator of kind *determiner* is a function from nouns (``first``) to a quantifier, and
the quantifier a function over the clause (``second``), whichever of the two the category makes the functor;
prepositions, subordinators, negations and predicates sign the argument that their category takes.

Where a clause has several quantifiers and negations, the scope order is that of the dependency route:
conditional, subject, then negation, adverbs and objects from left to right (:func:`spine_of` lays the
clause open).
"""

from __future__ import annotations

from dataclasses import dataclass

from natlog.lexicon.conventions import load_convention
from natlog.lexicon.operators import Match
from natlog.parsing.ccg.categories import Atom, Functor, is_atom, is_verb_phrase, target
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part, Spine, parts_of, spine_of
from natlog.polarity.ccg_operators import PlacedOperators, place_operators
from natlog.tree import Constituent, Marking, Polarity, Step, Tree

_POLARITY = {1: Polarity.UP, -1: Polarity.DOWN, 0: Polarity.FLAT}


@dataclass(frozen=True, slots=True)
class Context:
    """The sign of a place and the steps that made it, outermost first."""

    sign: Polarity = Polarity.UP
    why: tuple[Step, ...] = ()

    def under(self, *steps: Step) -> Context:
        """The context inside these operators' arguments."""
        sign = self.sign
        for step in steps:
            sign = sign * step.effect
        return Context(sign, self.why + steps)


Scope = tuple[Step, ...]
"""What a constituent does to the clause around it: a quantifier its second argument, *not* its scope."""


def mark_ccg(tree: Tree, convention: str = "default") -> Marking:
    """The polarity of every token and constituent of a tree whose tokens and nodes carry CCG categories.

    Raises :class:`natlog.lexicon.conventions.UnknownConvention`.
    """
    return _Marker(tree, convention).marking()


@dataclass(slots=True)
class _Quantifier:
    """A noun phrase while it is being marked: the context so far, and what it will do to the clause."""

    matches: tuple[Match, ...]
    inside: Context
    scope: Scope = ()
    scoped: bool = False

    def add(self, *steps: Step) -> None:
        self.inside = self.inside.under(*steps)
        self.scope += steps


class _Marker:
    def __init__(self, tree: Tree, convention: str) -> None:
        self.tree = tree
        self.convention = convention
        self.root = parts_of(tree)
        self.operators: PlacedOperators = place_operators(tree, self.root, convention)
        self.negates_auxiliary = load_convention(convention).values.get("auxiliary") == "inside"
        self.tokens: list[Context | None] = [None] * len(tree.tokens)
        self.contexts: dict[Part, Context] = {}

    def marking(self) -> Marking:
        self.push(self.root, Context())
        tokens = [context or Context() for context in self.tokens]
        constituents = []
        for part in self.root.walk():
            if part.children:
                context = self.contexts.get(part) or tokens[part.node.head]
                node = part.node
                constituents.append(
                    Constituent(node.start, node.end, node.label, node.head, context.sign, context.why)
                )
        return Marking(
            tree=self.tree,
            convention=self.convention,
            signs=tuple(context.sign for context in tokens),
            constituents=tuple(constituents),
            token_why=tuple(context.why for context in tokens),
        )

    def step(self, match: Match, argument: str) -> Step:
        return Step(
            operator=match.operator.id,
            surface=self.tree.span_text(match.start, match.end),
            tokens=tuple(range(match.start, match.end)),
            argument=argument,
            effect=_POLARITY[match.operator.signs.get(argument, 1)],
        )

    def push(self, part: Part, context: Context) -> Scope:
        """Mark a constituent in its context; what it does to the clause around it comes back."""
        self.contexts.setdefault(part, context)
        if part in self.operators.determiners:
            return self.noun_phrase(part, context)[0]
        if part is self.operators.predication:
            scope = self.push(part.argument, context)
            self.push(part.functor, context.under(*scope))
            return ()
        if not part.children:
            return self.word(part, context)
        if part.is_coordination:
            return self.coordination(part, context)
        if part.is_clausal and not _is_phrase(part):
            return self.clause(part, context)
        return self.phrase(part, context)

    def word(self, part: Part, context: Context) -> Scope:
        if self.tokens[part.start] is None:
            self.tokens[part.start] = context
        match = self.operators.at.get(part.start)
        if match is not None and match.operator.kind in ("negation", "adverb") and part.end == match.end:
            return (self.step(match, "scope"),)
        return ()

    # Noun phrases

    def noun_phrase(self, part: Part, context: Context) -> tuple[Scope, Context]:
        """Mark a noun phrase with its determiners; its scope, and the context of its restrictor."""
        quantifier = _Quantifier(self.operators.determiners[part], context)
        self.restrict(part, quantifier)
        return quantifier.scope, quantifier.inside

    def restrict(self, part: Part, quantifier: _Quantifier) -> None:
        """Mark what is in a noun phrase, left to right, each part by the operators before it.

        What stands before a determiner scopes over it and all that follows (*not* every, every *dog's* tail).
        """
        for child in part.children:
            within = [m for m in quantifier.matches if m.start < child.end and child.start < m.end]
            if not within:
                scope = self.push(child, quantifier.inside)
                if child.start < quantifier.matches[0].start:
                    quantifier.add(*scope)
            elif child.children and child not in self.operators.determiners:
                self.contexts.setdefault(child, quantifier.inside)
                self.restrict(child, quantifier)
            else:
                self.determiner(child, within[0], quantifier)

    def determiner(self, word: Part, match: Match, quantifier: _Quantifier) -> None:
        """Mark one word of a determiner; its first argument begins after its last word."""
        index = word.start
        context = quantifier.inside
        if "number" in match.operator.signs and self.operators.numerals[index]:
            context = context.under(self.step(match, "number"))
        self.tokens[index] = context
        if index == match.end - 1:
            if not quantifier.scoped:
                quantifier.scope += (self.step(match, "second"),)
                quantifier.scoped = True
            quantifier.inside = quantifier.inside.under(self.step(match, "first"))

    def coordination(self, part: Part, context: Context) -> Scope:
        """Mark conjuncts alike; a right conjunct without a determiner shares the left one's."""
        left, right = part.argument, part.functor
        right_context = context
        if left in self.operators.determiners:
            first, inside = self.noun_phrase(left, context)
            self.contexts.setdefault(left, context)
            if self.shares_determiner(right):
                right_context = inside
        else:
            first = self.push(left, context)
        second = self.push(right, right_context)
        for child in part.children:
            if child is not left and child is not right:
                second = self.push(child, right_context) or second
        return self.joint_scope(part, first, second)

    def shares_determiner(self, conjunct: Part) -> bool:
        noun = self.tree.tokens[conjunct.node.head]
        has_own = any(part in self.operators.determiners for part in conjunct.walk())
        return not has_own and noun.tag in ("NN", "NNS")

    def joint_scope(self, part: Part, first: Scope, second: Scope) -> Scope:
        """Conjoined quantifiers act on the clause where they agree; where they don't, nothing is safe."""
        if Context().under(*first).sign == Context().under(*second).sign:
            return first
        head = part.functor.start
        words = self.tree.span_text(head, head + 1)
        return (Step("coordination", words, (head,), "second", Polarity.FLAT),)

    # Clauses

    def clause(self, part: Part, context: Context) -> Scope:
        """Mark a clause or predicate: its satellites in the order of scope, then its verb under them."""
        spine = spine_of(part)
        if not spine.passed:
            return self.phrase(part, context)
        effects: list[tuple[Part, Scope]] = []
        inside = context
        shared = spine.core if _awaits_object(spine.core) else None
        for satellite in self.scope_order(spine):
            if shared is not None and satellite.start > shared.start:
                # Conjoined subjects and verbs that share an object: their quantifiers stand before it
                scope = self.push(shared, inside)
                effects.append((shared, scope))
                inside = inside.under(*scope)
                shared = None
            own = self.effect_on(spine.core, satellite)
            scope = self.push(satellite, inside.under(*own)) + self.main_effect(satellite)
            effects.append((satellite, scope))
            inside = inside.under(*scope)
        for passed in spine.passed:
            steps = [step for satellite, scope in effects if not _within(satellite, passed) for step in scope]
            self.contexts[passed] = context.under(*steps)
        if all(satellite is not spine.core for satellite, _ in effects):
            self.core(spine, context, effects)
        waits = isinstance(part.category, Functor) and part.category.slash == "/"
        return tuple(step for _, scope in effects for step in scope) if waits else ()

    def scope_order(self, spine: Spine) -> list[Part]:
        conditionals = [s for s in (*spine.outer, *spine.satellites) if self.subordinator(s) is not None]
        outer = [s for s in spine.outer if s not in conditionals]
        return conditionals + outer + [s for s in spine.satellites if s not in conditionals]

    def core(self, spine: Spine, context: Context, effects: list[tuple[Part, Scope]]) -> None:
        """Mark the verb under everything; an auxiliary under what precedes it (*does* not)."""
        steps = tuple(step for _, scope in effects for step in scope)
        core = spine.core
        token = self.tree.tokens[core.node.head]
        if not core.children and token.pos == "AUX" and not self.negates_auxiliary:
            steps = tuple(
                step
                for satellite, scope in effects
                for step in scope
                if not (step.argument == "scope" and satellite.start > core.start)
            )
        self.push(core, context.under(*steps))
        for verb in spine.composed:
            self.push(verb, context.under(*steps))

    def subordinator(self, satellite: Part) -> Match | None:
        for index in range(satellite.start, satellite.end):
            match = self.operators.at.get(index)
            if match is not None and match.operator.kind == "subordinator":
                word = self.operators.leaves[index]
                if _lexical_functor(satellite) is word or match.start == satellite.start:
                    return match
        return None

    def main_effect(self, satellite: Part) -> Scope:
        match = self.subordinator(satellite)
        return (self.step(match, "main"),) if match is not None and "main" in match.operator.signs else ()

    # Other phrases

    def phrase(self, part: Part, context: Context) -> Scope:
        """Mark a phrase that isn't a clause: its function in the context, its argument in the function's."""
        if part.conjunct is not None or part.rule is Rule.PUNCTUATION or len(part.children) == 1:
            scope: Scope = ()
            for child in part.children:
                scope += self.push(child, context)
            return scope
        functor, argument = part.functor, part.argument
        scope = self.push(functor, context)
        own = self.effect_on(functor, argument)
        inner = context.under(*own)
        if functor.is_modifier:
            inner, scope = inner.under(*scope), ()
        scope += self.push(argument, inner)
        for child in part.children:
            if child is not functor and child is not argument:
                self.push(child, context)
        passes = not own and not part.is_nominal and not (is_atom(target(part.category), "N", "NP"))
        return scope if passes else ()

    def effect_on(self, functor: Part, argument: Part) -> Scope:
        """The sign that a function's word gives to this argument, as the step that says so."""
        word = _lexical_functor(functor)
        match = self.operators.at.get(word.start)
        if match is not None and match.end == word.end:
            if match.operator.kind == "preposition" and not argument.is_clausal:
                return (self.step(match, "argument"),)
            if match.operator.kind == "subordinator" and argument.is_clausal:
                return (self.step(match, "argument"),)
        predicate = self.operators.predicates.get(word.start)
        if predicate is not None and _takes(word, argument):
            for name in _complement(argument):
                if name in predicate.operator.signs:
                    return (self.step(predicate, name),)
        return ()


def _awaits_object(part: Part) -> bool:
    """Whether these are conjoined clauses that have their subjects and wait for an object (``S/NP``)."""
    category = part.category
    return (
        part.is_coordination
        and isinstance(category, Functor)
        and is_atom(category.result, "S")
        and category.slash == "/"
    )


def _is_phrase(part: Part) -> bool:
    """Whether a part with target S is a modifier phrase (an adverb, a prepositional phrase), not a clause."""
    return part.is_modifier or (
        isinstance(part.category, Functor)
        and any(isinstance(inner, Functor) and inner.is_modifier for inner in _results(part.category))
    )


def _results(category: Functor) -> list[Functor | Atom]:
    results: list[Functor | Atom] = []
    inner: Functor | Atom = category
    while isinstance(inner, Functor):
        inner = inner.result
        results.append(inner)
    return results


def _lexical_functor(part: Part) -> Part:
    """The word whose category makes the part what it is."""
    while part.children:
        only_marks = part.rule in (Rule.PUNCTUATION, Rule.CONJUNCT)
        modifies = part.functor.is_modifier or part.functor.is_raised
        part = part.argument if only_marks or (modifies and not part.is_coordination) else part.functor
    return part


def _takes(word: Part, argument: Part) -> bool:
    """Whether the argument is one that the word's category asks for (not a modifier of it)."""
    return not argument.is_modifier and isinstance(word.category, Functor)


def _complement(argument: Part) -> tuple[str, ...]:
    """The names that ``operators.toml`` has for a complement of this category."""
    category = argument.category
    if is_verb_phrase(category):
        return ("to",) if target(category).feature in ("to", "b", "ng") else ("that",)
    if is_atom(category, "S"):
        return ("that",)
    if is_atom(category, "PP"):
        return ("of", "object")
    return ("object",) if argument.is_nominal else ()


def _within(inner: Part, outer: Part) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
