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

from itertools import chain

from natlog.lexicon.conventions import load_convention
from natlog.lexicon.operators import Match
from natlog.parsing.ccg.categories import Functor, is_atom, is_punctuation
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part, Spine, parts_of, spine_of
from natlog.polarity.ccg_clauses import CcgClauses
from natlog.polarity.ccg_complements import CcgComplements
from natlog.polarity.ccg_operators import place_operators
from natlog.polarity.ccg_quantifier import Quantifier, Scope, effects, own_context, within
from natlog.polarity.ccg_words import (
    EXCEPTABLE,
    awaits_object,
    complement_names,
    embeds_question,
    is_phrase,
    lexical_functor,
    preposition_of,
    underlying,
)
from natlog.polarity.context import OUTSIDE, POLARITY, TOP, Context, part_of
from natlog.tree import Constituent, Marking, Tree


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
        self.clauses = CcgClauses(tree, self.operators)
        self.complements = CcgComplements(tree, self.operators)
        self.inner_auxiliaries = load_convention(convention).values["auxiliary"] == "inside"
        self.tokens: list[Context | None] = [None] * len(tree.tokens)
        self.contexts: dict[Part, Context] = {}
        self.places: dict[int, Context] = {}
        self.enclosing: list[Context] = []

    def marking(self) -> Marking:
        self.push(self.root, TOP)
        tokens = [context or TOP for context in self.tokens]
        constituents = []
        for part in self.root.walk():
            if part.children:
                node, context = part.node, self.contexts.get(part) or tokens[part.node.head]
                sign = POLARITY[context.sign]
                constituents.append(
                    Constituent(node.start, node.end, node.label, node.head, sign, context.why)
                )
        return Marking(
            tree=self.tree,
            convention=self.convention,
            signs=tuple(POLARITY[context.sign] for context in tokens),
            constituents=tuple(constituents),
            token_why=tuple(context.why for context in tokens),
        )

    def push(self, part: Part, context: Context) -> Scope:
        """Mark a constituent in its context; what it does to the clause around it comes back."""
        compared = self.operators.than.get(part.start)
        if compared is not None and "than" in compared.operator.signs:
            # The compared set stands beside the set that the determiner counts, not inside it
            context = self.places.get(compared.start, context)
        self.contexts.setdefault(part, context)
        if part in self.operators.quantifiers:
            return self.quantified(part, context).scope
        if part is self.operators.predication:
            scope = self.push(part.argument, context)
            self.push(part.functor, within(context, scope))
            return ()
        if not part.children:
            return self.word(part, context)
        if part.is_coordination:
            return self.coordination(part, context)
        if part.is_clausal and not is_phrase(part):
            return self.clause(part, context)
        return self.phrase(part, context)

    def word(self, part: Part, context: Context) -> Scope:
        is_conjunction = is_atom(part.category, "conj")
        if is_conjunction and part.start in self.operators.than:
            context = self.places.get(self.operators.than[part.start].start, context)
        match = self.operators.at.get(part.start)
        if self.tokens[part.start] is None:
            own = context if match is None else own_context(self.tree, match, part.start, context)
            self.tokens[part.start] = own
        if match is None or is_conjunction or part.end != match.end:
            return ()
        return effects(self.tree, match, "scope") if match.operator.kind in ("negation", "focus") else ()

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
                context = within(quantifier.inside, self.complements.of_noun(part, child))
                scope = self.push(child, context)
                if child.start < quantifier.matches[0].start:
                    quantifier.add(scope)
            elif child.children:
                self.contexts.setdefault(child, quantifier.inside)
                self.restrict(child, quantifier)
            else:
                self.places.setdefault(match.start, quantifier.inside)
                self.tokens[child.start] = quantifier.word(child.start)

    # Coordination

    def coordination(self, part: Part, context: Context) -> Scope:
        """Mark conjuncts alike, but for a shared determiner (*all* cats and dogs) and for *but*."""
        left, right = part.argument, part.functor
        right_context: Context = context
        first: Scope = ()
        if left in self.operators.quantifiers:
            quantifier = self.quantified(left, context)
            self.contexts.setdefault(left, context)
            first = quantifier.scope
            if not self.has_determiner(right):
                right_context = self.shared_context(left, right, quantifier)
        else:
            first = self.push(left, context)
        if right_context is context and self.tree.tokens[right.start].word == "but":
            right_context = context.without_negation()
        second = self.push(right, right_context)
        for child in part.children:
            if child is not left and child is not right:
                second = self.push(child, right_context) or second
        if right_context is not context or _sign(first) == _sign(second):
            return first
        clash = (second or first)[0]
        match = Match(self.operators.by_id[clash.step.operator], clash.start, clash.end, (), ())
        return (part_of(self.tree, match, clash.step.argument, 0),)

    def has_determiner(self, conjunct: Part) -> bool:
        noun = self.tree.tokens[conjunct.node.head]
        return noun.tag == "PRP" or any(part in self.operators.quantifiers for part in conjunct.walk())

    def shared_context(self, left: Part, right: Part, quantifier: Quantifier) -> Context:
        """The context of a conjunct without a determiner: the left one's noun's, or an exception's."""
        word = self.tree.tokens[right.start].word
        if word == "but" and quantifier.matches[0].operator.id in EXCEPTABLE:
            match = Match(self.operators.by_id["but"], right.start, right.start + 1, (), ())
            self.tokens[right.start] = quantifier.inside
            return within(quantifier.inside, effects(self.tree, match, "argument"))
        shares = self.tree.tokens[right.node.head].tag in ("NN", "NNS")
        return quantifier.inside if shares else self.contexts[left]

    # Clauses

    def clause(self, part: Part, context: Context) -> Scope:
        """Mark a clause or predicate: its satellites in the order of scope, then its verb under them."""
        spine = spine_of(part)
        if not spine.passed:
            return self.phrase(part, context)
        done: list[tuple[Part, Scope]] = []
        inside = context
        shared = spine.core if awaits_object(spine.core) else None
        for satellite in self.clauses.scope_order(spine):
            if shared is not None and satellite.start > shared.start:
                # Conjoined subjects and verbs that share an object: their quantifiers stand before it
                done.append((shared, self.push(shared, inside)))
                inside = within(inside, done[-1][1])
                shared = None
            if is_punctuation(satellite.category):
                self.push(satellite, context)
                continue
            scope = self.satellite(spine, satellite, inside)
            done.append((satellite, scope))
            inside = within(inside, scope)
        for passed in spine.passed:
            outside = [scope for other, scope in done if not _contains(passed, other)]
            self.contexts[passed] = within(context, tuple(chain.from_iterable(outside)))
        if all(satellite is not spine.core for satellite, _ in done):
            self.core(spine, context, done)
        waits = isinstance(part.category, Functor) and part.category.slash == "/"
        return tuple(effect for _, scope in done for effect in scope) if waits else ()

    def satellite(self, spine: Spine, satellite: Part, inside: Context) -> Scope:
        place = self.argument_context(spine.core, satellite, inside, spine.satellites)
        if self.clauses.is_generic(satellite, spine):
            match = Match(self.operators.by_id["bare-plural"], OUTSIDE, OUTSIDE, (), ())
            self.push(satellite, within(place, effects(self.tree, match, "first")))
            return effects(self.tree, match, "second")
        scope = self.push(satellite, place)
        subordinator = self.clauses.subordinator(satellite)
        return scope + (effects(self.tree, subordinator, "main") if subordinator is not None else ())

    def core(self, spine: Spine, context: Context, done: list[tuple[Part, Scope]]) -> None:
        """Mark the verb under everything; an auxiliary outside the negation after it (*does* not)."""
        core = spine.core
        is_auxiliary = not core.children and self.tree.tokens[core.start].pos == "AUX"
        outside = is_auxiliary and not self.inner_auxiliaries
        scope = tuple(
            effect
            for satellite, scope in done
            for effect in scope
            if not (outside and effect.step.argument == "scope" and satellite.start > core.start)
        )
        for verb in (core, *spine.composed):
            self.push(verb, within(context, scope))

    # Other phrases

    def phrase(self, part: Part, context: Context) -> Scope:
        """Mark a phrase that isn't a clause: its function in the context, its argument in the function's."""
        if part.rule in (Rule.PUNCTUATION, Rule.CONJUNCT) or len(part.children) == 1:
            return tuple(effect for child in part.children for effect in self.push(child, context))
        functor, argument = part.functor, part.argument
        scope = self.push(functor, within(context, self.complements.of_noun(part, functor)))
        inner = self.argument_context(functor, argument, context)
        opaque = inner is not context
        if functor.is_modifier:
            inner, scope = within(inner, scope), ()
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
        compared = self.operators.than.get(word.start)
        if compared is not None and argument.is_nominal:
            return within(self.places.get(compared.start, context), effects(self.tree, compared, "than"))
        if embeds_question(word) and argument.is_clausal:
            match = Match(self.operators.by_id["question"], word.start, word.end, (), ())
            return within(context, effects(self.tree, match, "argument"))
        here = self.operators.at.get(word.start)
        if here is not None and here.end == word.end and (argument.is_nominal or argument.is_clausal):
            outer = here.operator.scope == "outer" and self.enclosing
            if here.operator.kind == "preposition":
                base = self.enclosing[-1] if outer else context
                return within(base, effects(self.tree, here, "argument"))
            if (
                here.operator.kind == "subordinator"
                and argument.is_clausal
                and self.clauses.holds(here, argument)
            ):
                return within(context, effects(self.tree, here, "argument"))
        if "to" in complement_names(underlying(argument)):
            for other in (functor, *beside):
                degree = self.operators.at.get(lexical_functor(other).start)
                if degree is not None and degree.operator.kind == "degree":
                    return within(context, effects(self.tree, degree, "to"))
        is_complement = not argument.is_modifier or preposition_of(argument, self.tree)
        if not is_complement or argument.start < word.start:
            return context
        return within(context, self.complements.effect(word.start, argument))


def _contains(outer: Part, inner: Part) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _sign(scope: Scope) -> int:
    return within(TOP, scope).sign
