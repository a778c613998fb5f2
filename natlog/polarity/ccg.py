r"""Polarity on a CCG derivation, by its categories.

The method is that of Hu and Moss (2018, "Polarity computations in flexible categorial grammar"): every
word is a function whose arguments have a sign, and polarity is pushed from the root through function
application, composition, type raising and coordination down to the words. The signs are those of
``operators.toml``: a determiner is a function from nouns (``first``) to a quantifier, and the quantifier
a function over the clause (``second``), whichever of the two the category makes the functor;
prepositions, subordinators, negations and predicates sign the argument that their category takes.

Where a clause has several quantifiers and negations, the scope order is that of the dependency route:
conditional, subject, then negation, adverbs and objects from left to right
(:func:`natlog.parsing.ccg.parts.spine_of` lays the clause open).
"""

from __future__ import annotations

from natlog.lexicon.conventions import load_convention
from natlog.lexicon.operators import Match, Operator
from natlog.parsing.ccg.categories import Functor, is_atom
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part, Spine, parts_of, spine_of
from natlog.polarity.ccg_operators import place_operators
from natlog.polarity.ccg_quantifier import Context, Quantifier, Scope, own_step
from natlog.polarity.ccg_words import (
    awaits_object,
    complement_names,
    embeds_question,
    is_phrase,
    lexical_functor,
    preposition_of,
    underlying,
)
from natlog.tree import Constituent, Marking, Polarity, Step, Tree

_POLARITY = {1: Polarity.UP, -1: Polarity.DOWN, 0: Polarity.FLAT}


def mark_ccg(tree: Tree, convention: str = "default") -> Marking:
    """The polarity of every token and constituent of a tree whose tokens and nodes carry CCG categories.

    Raises :class:`natlog.lexicon.conventions.UnknownConvention`.
    """
    return _Marker(tree, convention).marking()


class _Marker:
    def __init__(self, tree: Tree, convention: str) -> None:
        self.tree = tree
        self.convention = convention
        self.root = parts_of(tree)
        self.operators = place_operators(tree, self.root, convention)
        self.negates_auxiliary = load_convention(convention).values.get("auxiliary") == "inside"
        self.tokens: list[Context | None] = [None] * len(tree.tokens)
        self.contexts: dict[Part, Context] = {}
        self.places: dict[int, Context] = {}
        self.enclosing: list[Context] = []
        self.prepositions: dict[int, Scope] = {}

    def marking(self) -> Marking:
        self.push(self.root, Context())
        tokens = [context or Context() for context in self.tokens]
        constituents = []
        for part in self.root.walk():
            if part.children:
                node, context = part.node, self.contexts.get(part) or tokens[part.node.head]
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

    def steps(self, match: Match, argument: str) -> Scope:
        """The step into an operator's argument; none where the operator has no such argument."""
        if argument not in match.operator.signs:
            return ()
        return (own_step(self.tree, match, argument, _POLARITY[match.operator.signs[argument]]),)

    def push(self, part: Part, context: Context) -> Scope:
        """Mark a constituent in its context; what it does to the clause around it comes back."""
        compared = self.operators.than.get(part.start)
        is_set = compared is not None and "than" in compared.operator.signs
        if compared is not None and is_set and compared.start in self.places:
            # The compared set stands beside the set that the determiner counts, not inside it
            context = self.places[compared.start]
        self.contexts.setdefault(part, context)
        if part in self.operators.quantifiers:
            return self.quantified(part, context).scope
        if part is self.operators.predication:
            scope = self.push(part.argument, context)
            self.push(part.functor, context.under(*scope))
            return ()
        if not part.children:
            return self.word(part, context)
        if part.is_coordination:
            return self.coordination(part, context)
        if part.is_clausal and not is_phrase(part):
            return self.clause(part, context)
        return self.phrase(part, context)

    def word(self, part: Part, context: Context) -> Scope:
        if is_atom(part.category, "conj") and part.start in self.operators.than:
            context = self.places.get(self.operators.than[part.start].start, context)
        if self.tokens[part.start] is None:
            self.tokens[part.start] = context
        match = self.operators.at.get(part.start)
        if match is None or match.operator.kind not in ("negation", "focus") or part.end != match.end:
            return ()
        return () if is_atom(part.category, "conj") else self.steps(match, "scope")

    # Noun phrases

    def quantified(self, part: Part, context: Context) -> Quantifier:
        """Mark a noun phrase with its determiners."""
        quantifier = Quantifier(self.tree, self.operators.quantifiers[part], context)
        self.enclosing.append(context)
        if part.children:
            self.restrict(part, quantifier)
        else:
            self.tokens[part.start] = quantifier.word(part.start)
        self.enclosing.pop()
        return quantifier

    def restrict(self, part: Part, quantifier: Quantifier) -> None:
        """Mark what is in a noun phrase, left to right, each part by the operators before it.

        What stands before a determiner scopes over it and all that follows (*not* every, every *dog's*
        tail).
        """
        for child in part.children:
            match = quantifier.match_within(child)
            if match is None:
                context = quantifier.inside.under(*self.complement_of_noun(part, child))
                scope = self.push(child, context)
                if child.start < quantifier.matches[0].start:
                    quantifier.add(*scope)
            elif child.children and child not in self.operators.quantifiers:
                self.contexts.setdefault(child, quantifier.inside)
                self.restrict(child, quantifier)
            else:
                self.places.setdefault(match.start, quantifier.inside)
                self.tokens[child.start] = quantifier.word(child.start)

    def complement_of_noun(self, part: Part, child: Part) -> Scope:
        """The sign of a phrase after a noun that signs its complement (a *lack* of water)."""
        is_after = len(part.children) == 2 and child is part.functor and child.is_modifier
        if not is_after or child.start < part.argument.node.head:
            return ()
        return self.predicate_steps(part.argument.node.head, child)

    def coordination(self, part: Part, context: Context) -> Scope:
        """Mark conjuncts alike; a right conjunct without a determiner shares the left one's."""
        left, right = part.argument, part.functor
        right_context = context
        if left in self.operators.quantifiers:
            quantifier = self.quantified(left, context)
            self.contexts.setdefault(left, context)
            first = quantifier.scope
            if self.shares_determiner(right):
                right_context = quantifier.inside
        else:
            first = self.push(left, context)
        second = self.push(right, right_context)
        for child in part.children:
            if child is not left and child is not right:
                second = self.push(child, right_context) or second
        return self.joint_scope(part, first, second, right_context is not context)

    def shares_determiner(self, conjunct: Part) -> bool:
        noun = self.tree.tokens[conjunct.node.head]
        has_own = any(part in self.operators.quantifiers for part in conjunct.walk())
        return not has_own and noun.tag in ("NN", "NNS")

    def joint_scope(self, part: Part, first: Scope, second: Scope, shared: bool) -> Scope:
        """Conjoined quantifiers act on the clause where they agree; where they don't, nothing is safe."""
        if shared or Context().under(*first).sign == Context().under(*second).sign:
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
        shared = spine.core if awaits_object(spine.core) else None
        for satellite in self.scope_order(spine):
            if shared is not None and satellite.start > shared.start:
                # Conjoined subjects and verbs that share an object: their quantifiers stand before it
                effects.append((shared, self.push(shared, inside)))
                inside = inside.under(*effects[-1][1])
                shared = None
            place = self.argument_context(spine.core, satellite, inside, spine.satellites)
            scope = self.push(satellite, place) + self.main_effect(satellite)
            effects.append((satellite, scope))
            inside = inside.under(*scope)
        for passed in spine.passed:
            steps = [step for other, scope in effects if not _within(other, passed) for step in scope]
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
        core = spine.core
        is_auxiliary = not core.children and self.tree.tokens[core.start].pos == "AUX"
        steps = tuple(
            step
            for satellite, scope in effects
            for step in scope
            if not is_auxiliary
            or self.negates_auxiliary
            or satellite.start < core.start
            or step.argument not in ("scope",)
        )
        for verb in (core, *spine.composed):
            self.push(verb, context.under(*steps))

    def subordinator(self, satellite: Part) -> Match | None:
        """The subordinator that makes a satellite a conditional clause, if one does."""
        word = lexical_functor(satellite)
        for index in {satellite.start, word.start}:
            match = self.operators.at.get(index)
            if match is not None and match.operator.kind == "subordinator":
                clause = next((p for p in satellite.walk() if p.start >= match.end and p.is_clausal), None)
                return match if clause is not None and self.holds(match, clause) else None
        return None

    def holds(self, match: Match, clause: Part) -> bool:
        """Whether a subordinator is an operator here: *when* isn't where it tells of a single past event."""
        verb = lexical_functor(clause)
        return match.operator.scope != "episodic" or self.tree.tokens[verb.start].tag != "VBD"

    def main_effect(self, satellite: Part) -> Scope:
        match = self.subordinator(satellite)
        return self.steps(match, "main") if match is not None else ()

    # Other phrases

    def phrase(self, part: Part, context: Context) -> Scope:
        """Mark a phrase that isn't a clause: its function in the context, its argument in the function's."""
        scope: Scope = ()
        if part.rule in (Rule.PUNCTUATION, Rule.CONJUNCT) or len(part.children) == 1:
            for child in part.children:
                scope += self.push(child, context)
            return scope
        functor, argument = part.functor, part.argument
        scope = self.push(functor, context.under(*self.complement_of_noun(part, functor)))
        inner = self.argument_context(functor, argument, context)
        opaque = inner is not context
        if functor.is_modifier:
            inner, scope = inner.under(*scope), ()
        scope += self.push(argument, inner)
        for child in part.children:
            if child is not functor and child is not argument:
                self.push(child, context)
        passes = part.is_clausal or is_atom(part.category, "PP")
        return scope if passes and not opaque else ()

    def argument_context(
        self, functor: Part, argument: Part, context: Context, beside: tuple[Part, ...] = ()
    ) -> Context:
        """The context that a function's word makes for one of its arguments.

        ``beside`` are the other satellites of the function (a *too* beside *tired* signs the infinitive).
        """
        word = lexical_functor(functor)
        if word.start in self.operators.than and argument.is_nominal:
            match = self.operators.than[word.start]
            return self.places.get(match.start, context).under(*self.steps(match, "than"))
        if self.operators.question is not None and embeds_question(word) and argument.is_clausal:
            match = Match(self.operators.question, word.start, word.end, (), ())
            return context.under(*self.steps(match, "argument"))
        match_here = self.operators.at.get(word.start)
        if match_here is not None and match_here.end == word.end:
            kind = match_here.operator.kind
            if kind == "preposition" and (argument.is_nominal or argument.is_clausal):
                outer = match_here.operator.scope == "outer" and self.enclosing
                base = self.enclosing[-1] if outer else context
                return base.under(*self.steps(match_here, "argument"))
            if kind == "subordinator" and argument.is_clausal and self.holds(match_here, argument):
                return context.under(*self.steps(match_here, "argument"))
        if "to" in complement_names(underlying(argument)):
            for other in (functor, *beside):
                degree = self.operators.at.get(lexical_functor(other).start)
                if degree is not None and degree.operator.kind == "degree":
                    return context.under(*self.steps(degree, "to"))
        if word.start in self.prepositions:
            return context.under(*self.prepositions[word.start])
        is_complement = not argument.is_modifier or preposition_of(argument, self.tree)
        if not is_complement or argument.start < word.start:
            return context
        steps = self.predicate_steps(word.start, argument)
        if steps and steps[-1].argument == "prep" and word.is_clausal:
            # A verb's preposition only leads to what the verb signs (refrain from eating)
            self.prepositions[argument.start] = steps
            return context
        return context.under(*steps)

    def predicate_steps(self, index: int, complement: Part) -> Scope:
        """The step from a verb, noun or adjective into a complement that it signs."""
        for operator in self.operators.predicates.get(index, ()):
            for name in self.names(operator, complement):
                if name in operator.signs:
                    match = Match(operator, index, index + 1, (), ())
                    return self.steps(match, name)
        return ()

    def names(self, operator: Operator, complement: Part) -> tuple[str, ...]:
        preposition = preposition_of(complement, self.tree)
        if preposition:
            return ("prep",) if preposition in operator.prepositions else ()
        return complement_names(underlying(complement))


def _within(inner: Part, outer: Part) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
