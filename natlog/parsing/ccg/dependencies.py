"""The relations of a derivation's words, in the scheme that a dependency parser gives.

A word is a function from its arguments, so every constituent says which of two words governs the other: the
functor's, unless it modifies, specifies or is raised, or is an auxiliary, a complementizer or a relative
pronoun, which hang on the verb of what they take. Which relation it is follows from the category of the
argument and the tag of the word. The labels are ClearNLP's (:mod:`natlog.parsing.label_schemes`).
"""

from __future__ import annotations

from dataclasses import replace

from natlog.lexicon.operators import load_operators
from natlog.parsing.ccg.categories import Functor, is_atom, is_verb_phrase, target
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part, parts_of
from natlog.tree import Node, Token, Tree

_NOMINAL = ("N", "NP")
_AUXILIARY = {"do": ("b",), "have": ("pt",), "be": ("ng", "pss")}
_MODIFIERS = {"DT": "det", "PDT": "predet", "PRP$": "poss", "WP$": "poss", "CD": "nummod", "CC": "cc"}
_RELATIVE_TAGS = frozenset({"WDT", "WP", "WRB", "WP$"})
_TAKEN = frozenset({"pobj", "pcomp", "acl", "relcl", "ccomp"})
"""What hangs on the last word of a complex operator and is its argument."""


def with_relations(tree: Tree) -> Tree:
    """The tree with the governor and relation of every token, and the same heads in its constituents."""
    arcs = _Arcs(tree)
    whole = parts_of(tree)
    arcs.head(whole)
    arcs.predicate(whole)
    arcs.settle()
    arcs.join_operators()
    arcs.except_some()
    tokens = tuple(
        replace(token, head=head, dep=dep)
        for token, head, dep in zip(tree.tokens, arcs.heads, arcs.deps, strict=True)
    )
    return replace(tree, tokens=tokens, root=_headed(tree.root, arcs.heads))


def _headed(node: Node, heads: list[int]) -> Node:
    """The node with the word that governs the others in it as its head."""
    inside = range(node.start, node.end)
    tops = [index for index in inside if heads[index] not in inside or heads[index] == index]
    children = tuple(_headed(child, heads) for child in node.children)
    return replace(node, head=node.head if node.head in tops else tops[0], children=children)


class _Arcs:
    def __init__(self, tree: Tree) -> None:
        self.tokens = tree.tokens
        self.heads = list(range(len(tree.tokens)))
        self.deps = ["ROOT"] * len(tree.tokens)
        self.leaves: dict[int, Part] = {}
        self.light: set[int] = set()

    def arc(self, child: int, head: int, dep: str) -> None:
        if child != head:
            self.heads[child], self.deps[child] = head, dep

    # Which word governs ---------------------------------------------------------------------------

    def head(self, part: Part) -> int:
        """The word of a part that governs the others in it; notes the arcs between these."""
        if not part.children:
            self.leaves[part.start] = part
            return part.start
        words = {id(child): self.head(child) for child in part.children}
        if len(part.children) == 1:
            return words[id(part.children[0])]
        functor, argument = words[id(part.functor)], words[id(part.argument)]
        if part.rule is Rule.COORDINATION:
            return self.coordinate(words[id(part.children[0])], functor, words[id(part.children[2])])
        for child in part.children:
            if child not in (part.functor, part.argument):
                self.arc(words[id(child)], argument, "dep")
        if part.rule in (Rule.PUNCTUATION, Rule.CONJUNCT):
            self.arc(functor, argument, "cc" if self.tokens[functor].pos == "CCONJ" else "punct")
            return argument
        if part.is_coordination:
            linkers = [i for i in range(part.functor.start, functor) if self.heads[i] == functor]
            linker = next((i for i in linkers if self.deps[i] in ("cc", "punct")), -1)
            return self.coordinate(argument, linker, functor)
        return self.combine(part.functor, part.argument, functor, argument)

    def coordinate(self, first: int, linker: int, second: int) -> int:
        if linker >= 0:
            self.arc(linker, first, "cc" if self.tokens[linker].pos == "CCONJ" else "punct")
        self.arc(second, first, "conj")
        return first

    def combine(self, functor: Part, argument: Part, word: int, other: int) -> int:
        """A function and its argument; ``word`` and ``other`` are the words that head them."""
        category = functor.category
        if not isinstance(category, Functor):
            self.arc(word, other, self.modifier(functor, word, other))
            return other
        if functor.is_raised and isinstance(category.argument, Functor):
            self.arc(word, other, self.complement(other, category.argument, word))
            return other
        if functor.is_modifier or self.specifies(category):
            self.arc(word, other, self.modifier(functor, word, other))
            return other
        if dep := self.transparent(word, category):
            self.light.add(word)
            self.arc(word, other, dep)
            return other
        if self.tokens[word].tag == "POS":
            self.arc(word, other, "case")
            return other
        self.arc(other, word, self.complement(word, category, other))
        return word

    @staticmethod
    def specifies(category: Functor) -> bool:
        return is_atom(category.result, *_NOMINAL) and target(category.argument).name in _NOMINAL

    def transparent(self, word: int, category: Functor) -> str:
        """The relation of a word to the verb of the clause it takes, where that governs it; "" otherwise."""
        token, taken = self.tokens[word], category.argument
        if target(taken).name != "S" or self.has_object(word):
            return ""
        if is_verb_phrase(taken) and target(category.result).name == "S":
            feature = target(taken).feature
            if feature == "adj" and token.tag == "RB":
                return "advmod"  # too (tired), with the infinitive that it takes
            if token.tag in ("MD", "TO"):
                return "aux"
            if feature in _AUXILIARY.get(token.lemma.lower(), ()):
                return "auxpass" if feature == "pss" else "aux"
        if token.tag in _RELATIVE_TAGS or self.relativizes(word):
            if token.tag == "WRB" or is_atom(taken, "S"):
                return "advmod" if token.tag == "WRB" else "mark"
            return "nsubj" if isinstance(taken, Functor) and taken.slash == "\\" else "dobj"
        return "mark" if is_atom(taken, "S") and token.tag in ("IN", "RB", "DT") else ""

    def relativizes(self, word: int) -> bool:
        r"""Whether a word's category makes a relative clause, ``(NP\NP)/(S\NP)``."""
        category = self.leaves[word].category
        return (
            isinstance(category, Functor)
            and isinstance(category.result, Functor)
            and category.result.is_modifier
            and target(category).name in _NOMINAL
            and target(category.argument).name == "S"
            and isinstance(category.argument, Functor)
            and self.tokens[word].tag == "IN"
            and target(category.argument).feature == "dcl"
        )

    def has_object(self, word: int) -> bool:
        return any(
            head == word and self.deps[index] in ("dobj", "pobj", "attr")
            for index, head in enumerate(self.heads)
        )

    # Which relation it is -------------------------------------------------------------------------

    def modifier(self, functor: Part, word: int, other: int) -> str:
        tag, modified = self.tokens[word].tag, self.tokens[other].tag
        nominal = target(functor.category).name in _NOMINAL
        if any(self.heads[i] == word and self.deps[i] == "case" for i in range(len(self.heads))):
            return "poss"
        if self.tokens[word].word in ("not", "n't", "never"):
            return "neg"
        if tag in _MODIFIERS:
            return _MODIFIERS[tag] if nominal or tag == "CC" else "advmod"
        if tag in ("IN", "TO"):
            below = [self.deps[i] for i, head in enumerate(self.heads) if head == word and i != word]
            return "prep" if "pobj" in below or "pcomp" in below or nominal else "advmod"
        if tag.startswith("VB") or tag == "MD":
            return self.clausal(functor, word, nominal)
        if tag.startswith("JJ"):
            return "advmod" if modified in ("CD", "JJ", "RB") else ("amod" if nominal else "advmod")
        if tag.startswith("NN"):
            if not nominal:
                return "advcl" if self.opens(word) else "npadvmod"
            return "compound" if word < other else ("relcl" if self.opens(word) else "appos")
        if tag in ("WDT", "WP"):
            return "det"
        return "advmod"

    def clausal(self, functor: Part, word: int, nominal: bool) -> str:
        if not nominal:
            return "advcl"
        leaf = self.leaves[word]
        if is_atom(target(leaf.category), *_NOMINAL) and functor.start == leaf.start:
            return "amod"
        return "relcl" if self.opens(word) else "acl"

    def opens(self, verb: int) -> bool:
        """Whether a relative pronoun or a subject hangs on the verb."""
        return any(
            head == verb and self.deps[index] in ("nsubj", "nsubjpass", "dobj", "advmod", "mark")
            and (self.deps[index] == "nsubj" or self.tokens[index].tag in _RELATIVE_TAGS)
            and index < verb
            for index, head in enumerate(self.heads)
        )  # fmt: skip

    def complement(self, head: int, category: Functor, child: int) -> str:
        """The relation of an argument of this category to the word that takes it."""
        taken, governor, token = category.argument, self.tokens[head], self.tokens[child]
        verbal = governor.tag.startswith(("VB", "MD", "JJ"))
        if is_atom(taken, *_NOMINAL):
            return self.nominal(head, category, token)
        if is_atom(taken, "PP"):
            return "agent" if token.word == "by" and governor.tag == "VBN" else "prep"
        if is_atom(taken, "PR"):
            return "prt"
        if is_verb_phrase(taken):
            feature = target(taken).feature
            if feature == "adj":
                return "acomp"
            return "xcomp" if verbal else ("pcomp" if governor.tag == "IN" else "acl")
        if target(taken).name == "S" and is_atom(taken, "S"):
            return "ccomp" if verbal else ("pcomp" if governor.tag == "IN" else "acl")
        return "advmod" if isinstance(taken, Functor) and taken.is_modifier else "dep"

    def nominal(self, head: int, category: Functor, token: Token) -> str:
        governor = self.tokens[head]
        clause = target(category).name == "S"
        if token.tag == "EX":
            return "expl"
        verb = token.tag.startswith("VB")
        if clause and category.slash == "\\" and is_atom(category.result, "S"):
            return "csubj" if verb else "nsubj"
        if governor.tag in ("IN", "TO", "RB", "RP") or not clause:
            return "pcomp" if verb else "pobj"
        if governor.lemma.lower() == "be":
            return "attr"
        result = category.result
        if isinstance(result, Functor) and result.slash == "/" and is_atom(result.argument, *_NOMINAL):
            return "dative"
        return "xcomp" if verb else "dobj"

    # What is known only at the end ----------------------------------------------------------------

    def predicate(self, whole: Part) -> None:
        r"""Read the noun phrase of a full-stopped text as the clause it should be.

        A parser that takes the verb for a participle or a preposition gives ``NP → NP NP\NP``, as C&C does
        of *An Irishman won a prize.*; the lowest such pair with a verb in it is subject and predicate.
        """
        if not whole.is_nominal or self.tokens[-1].text not in (".", "!"):
            return
        pairs = [
            part
            for part in whole.descend(lambda part: part.argument)
            if part.rule is Rule.APPLICATION and part.functor.is_modifier and part.functor.start > part.start
        ]
        verbal = [pair for pair in pairs if any(inner.is_clausal for inner in pair.functor.children)]
        for pair in (verbal or pairs)[-1:]:
            verb, subject = self.top(pair.functor), self.top(pair.argument)
            for index, head in enumerate(self.heads):
                if head == subject and index >= pair.functor.end:
                    self.heads[index] = verb
            self.arc(verb, self.heads[subject], self.deps[subject])
            if self.heads[subject] == subject:
                self.heads[verb], self.deps[verb] = verb, "ROOT"
            self.arc(subject, verb, "nsubj")

    def top(self, part: Part) -> int:
        """The word of a part that hangs on one outside it."""
        inside = range(part.start, part.end)
        return next(i for i in inside if self.heads[i] not in inside or self.heads[i] == i)

    def settle(self) -> None:
        """What hangs on an auxiliary or complementizer hangs on its verb; subjects of passives are told."""
        for index in range(len(self.heads)):
            head = self.heads[index]
            for _ in self.heads:
                if head not in self.light or self.heads[head] == head:
                    break
                head = self.heads[head]
            if head != index:
                self.heads[index] = head
        passive = {self.heads[index] for index, dep in enumerate(self.deps) if dep == "auxpass"}
        for index, dep in enumerate(self.deps):
            if dep == "nsubj" and self.heads[index] in passive:
                self.deps[index] = "nsubjpass"

    def except_some(self) -> None:
        """*but* after a quantifier is a coordinator, as parsers have it: *everyone but John*."""
        for index, dep in enumerate(self.deps):
            governor = self.heads[index]
            if dep == "pobj" and self.tokens[governor].word == "but" and self.deps[governor] == "prep":
                self.arc(index, self.heads[governor], "conj")
                self.deps[governor] = "cc"

    def join_operators(self) -> None:
        """The words of a complex operator hang on what follows them, as where they are parsed in a simple
        word's place (:mod:`natlog.parsing.reduction`): *out of five doctors*, *in case it rains*."""
        words = [token.word for token in self.tokens]
        for match in load_operators().find(words):
            inside = range(match.start, match.end)
            following = [
                index
                for index, head in enumerate(self.heads)
                if head in inside and index >= match.end and self.deps[index] in _TAKEN
            ]
            tops = [i for i in inside if self.heads[i] not in inside and self.heads[i] not in following]
            if match.operator.parse_as.get(match.form) and len(tops) == 1 and following:
                self.replace(tops[0], following[0], inside)

    def replace(self, top: int, word: int, inside: range) -> None:
        """Put ``word`` in the place of the operator word ``top``, and the operator's words below it."""
        clausal = self.tokens[word].tag.startswith("VB") or self.tokens[word].tag == "MD"
        head, dep = self.heads[top], self.deps[top]
        for index, governor in enumerate(self.heads):
            if governor in inside and index not in inside:
                self.heads[index] = word
                if clausal and self.deps[index] == "conj":
                    self.arc(index, head, dep)  # it was coordinated with the operator's noun
        self.heads[word] = word if head == top else head
        self.deps[word] = "advcl" if clausal and head != top else dep
        for index in inside:
            self.arc(index, inside[-1], "advmod")
        self.arc(inside[-1], word, "mark" if clausal else "det")
