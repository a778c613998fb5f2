"""Writing a part of a sentence as a sentence of its own: its clause finite, affirmed or denied.

A clause is written and parsed anew, rather than cut out of its sentence's parse: what a parser attaches
outside of the clause, or what the markers mend, then comes out as it does for any sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from natlog.calculus.alignment import spelling
from natlog.lexicon.inflection import inflect
from natlog.lexicon.word_lists import word_list
from natlog.tree import Token, Tree

NEGATIVE = frozenset({"not", "never"})
_PLURAL = word_list("plural_pronouns")
_BE = {("past", False): "was", ("past", True): "were", ("present", False): "is", ("present", True): "are"}
_FINITE = {"VBD": "past", "VBZ": "present", "VBP": "present", "MD": "present"}


@dataclass(slots=True)
class Clauses:
    """The arcs of one parse, and the pieces of text that its clauses are written from."""

    tree: Tree
    children: Sequence[Sequence[int]]

    @classmethod
    def of(cls, tree: Tree) -> Clauses:
        """The clauses of a parse, whatever its governors are."""
        return cls(tree, tree.heads.children)

    @property
    def main(self) -> Token | None:
        """The word on which the sentence hangs, if it is a verb and the only such word."""
        roots = [self.tree.tokens[root] for root in self.tree.heads.roots]
        return roots[0] if len(roots) == 1 and roots[0].pos in ("VERB", "AUX") else None

    def below(self, index: int) -> list[int]:
        """The indices of a word and all below it, in the order of the sentence."""
        return sorted(self.tree.heads.subtree(index))

    def child(self, index: int, *deps: str) -> Token | None:
        """The first dependent with one of these relations."""
        tokens = self.tree.tokens
        return next((tokens[i] for i in self.children[index] if tokens[i].dep in deps), None)

    def denied(self, verb: Token) -> Token | None:
        """The negation of a verb, if it has one of its own."""
        tokens = self.tree.tokens
        return next(
            (
                tokens[i]
                for i in self.children[verb.index]
                if tokens[i].dep == "neg" and spelling(tokens[i]) in NEGATIVE
            ),
            None,
        )

    def auxiliaries(self, verb: Token) -> list[Token]:
        """The auxiliaries of a verb, *to* apart."""
        tokens = self.tree.tokens
        return [
            tokens[i]
            for i in self.children[verb.index]
            if tokens[i].dep in ("aux", "auxpass") and tokens[i].tag != "TO"
        ]

    def tense(self, verb: Token) -> str:
        """Past or present, by the finite word of a verb's group."""
        first = next((t for t in [*self.auxiliaries(verb), verb] if t.tag in _FINITE), None)
        return _FINITE[first.tag] if first is not None else "present"

    def text_of(self, indices: Iterable[int]) -> list[str]:
        """The words at these places, clitics apart."""
        return [self.tree.tokens[i].text for i in indices]

    def plural(self, subject: Sequence[int]) -> bool:
        """Whether a subject with these words takes the plural."""
        tokens = self.tree.tokens
        inside = set(subject)
        tops = [tokens[i] for i in subject if tokens[i].head not in inside or tokens[i].head == i]
        top = tops[0] if tops else None
        if top is None:
            return False
        joined = any(tokens[i].dep == "conj" for i in self.children[top.index]) and any(
            spelling(tokens[i]) == "and" for i in self.children[top.index]
        )
        return joined or top.tag in ("NNS", "NNPS") or spelling(top) in _PLURAL


def finite(group: Sequence[Token], tense: str, plural: bool, denied: bool) -> list[str]:
    """A verb group in base form (*have*, *left*; *close*) as a finite one, negated where ``denied``.

    >>> finite([Token(0, "close", 0, 5, "close", "VERB", "VB")], "past", False, True)
    ['did', 'not', 'close']
    """
    first, rest = group[0], [token.text for token in group[1:]]
    lemma = first.lemma.lower() or first.word
    if lemma == "be":
        return [_BE[tense, plural], *(["not"] if denied else []), *rest]
    auxiliary = first.dep in ("aux", "auxpass")
    if lemma == "have" and auxiliary:
        have = "had" if tense == "past" else "have" if plural else "has"
        return [have, *(["not"] if denied else []), *rest]
    if denied:
        return ["did" if tense == "past" else "do" if plural else "does", "not", inflect(lemma, "VB"), *rest]
    return [inflect(lemma, "VBD" if tense == "past" else "VBP" if plural else "VBZ"), *rest]


def sentence(words: Iterable[str], tree: Tree) -> str:
    """Words as a sentence: spaced, with a capital, and a full stop where ``tree`` has one."""
    text = ""
    for word in words:
        close = word in (",", "'s", "’s", "'", ".", ";", ":", "n't", "n’t", "-", "%") or text.endswith("-")
        text += word if close or not text else f" {word}"
    text = text.strip(" .,;")
    stop = "." if tree.text.rstrip().endswith((".", "!", "?", '"', "”")) else ""
    return f"{text[:1].upper()}{text[1:]}{stop}" if text else ""
