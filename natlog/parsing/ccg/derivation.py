"""A derivation as read from a file, and how it becomes a :class:`natlog.tree.Tree`.

The readers (C&C, Jigg, AUTO) all make :class:`Leaf` and :class:`Branch`; everything after that, from the
heads to the dependency arcs and the text, is the same for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from natlog.parsing.ccg.categories import (
    CategoryError,
    Functor,
    is_atom,
    is_verb_phrase,
    parse_category,
    target,
)
from natlog.parsing.ccg.combinators import Rule, combine
from natlog.parsing.ccg.dependencies import with_relations
from natlog.parsing.ccg.errors import DerivationError
from natlog.parsing.ccg.words import lemma_of, part_of_speech, unescape
from natlog.tree import Node, SentenceKind, Token, Tree

MAX_TOKENS = 512
MAX_DEPTH = 250
"""Deepest derivation that is read, in levels: trees are walked recursively."""

_NO_SPACE_BEFORE = frozenset(
    [".", ",", ";", ":", "?", "!", ")", "]", "}", "%", "'", "''", "”", "’", "n't", "n’t"]
)
_NO_SPACE_AFTER = frozenset(["(", "[", "{", "$", "£", "€", "``", "“", "‘"])
_KINDS = {"q": SentenceKind.QUESTION, "wq": SentenceKind.QUESTION, "b": SentenceKind.IMPERATIVE}


@dataclass(frozen=True, slots=True)
class Leaf:
    """A word with its category and what else the file says of it."""

    word: str
    category: str
    line: int = 0
    lemma: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """A constituent: its category and its parts, left to right."""

    category: str
    children: tuple[Derivation, ...]
    line: int = 0


Derivation = Leaf | Branch


def build_tree(derivation: Derivation, *, parser: str, source: str) -> Tree:
    """Turn a derivation into a tree.

    ``Token.category`` and ``Node.label`` hold categories in CCGbank's notation. A constituent's head
    is the head of its functor, or of its argument where the functor modifies it, specifies it (a
    determiner) or marks it (punctuation). ``confidence`` is the share of constituents that a combinator
    explains, halved where the whole isn't a sentence.

    Raises DerivationError for an unreadable category and beyond the bounds.
    """
    builder = _TreeBuilder(source)
    root = builder.node(derivation, 0)
    texts = tuple(unescape(leaf.word) for leaf in builder.leaves)
    text, starts = join_words(texts)
    tokens = []
    for index, leaf in enumerate(builder.leaves):
        category = builder.categories[index]
        tag, pos = part_of_speech(texts[index], leaf.tag, parse_category(category), leaf.lemma)
        lemma = leaf.lemma or lemma_of(texts[index], tag, pos)
        start = starts[index]
        tokens.append(
            Token(
                index=index,
                text=texts[index],
                start=start,
                end=start + len(texts[index]),
                lemma=lemma,
                pos=pos,
                tag=tag,
                category=category,
            )
        )
    kind = sentence_kind(root.label, texts[-1])
    whole = 1.0 if target(parse_category(root.label)).name == "S" else 0.5
    tree = Tree(
        text=text,
        tokens=tuple(tokens),
        root=root,
        parser=parser,
        kind=kind,
        confidence=round(whole * (1 - builder.unexplained / max(1, builder.branches)), 3),
    )
    return with_relations(tree)


class _TreeBuilder:
    def __init__(self, source: str) -> None:
        self.source = source
        self.leaves: list[Leaf] = []
        self.categories: list[str] = []
        self.branches = 0
        self.unexplained = 0

    def node(self, part: Derivation, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise DerivationError(self.source, part.line, "derivation", f"more than {MAX_DEPTH} levels")
        category = self.category(part)
        start = len(self.leaves)
        if isinstance(part, Leaf):
            if not part.word:
                raise DerivationError(self.source, part.line, f"leaf {start + 1}", "no word")
            if start >= MAX_TOKENS:
                raise DerivationError(self.source, part.line, "derivation", f"more than {MAX_TOKENS} words")
            self.leaves.append(part)
            self.categories.append(category)
            return Node(category, start, start + 1, start)
        if not part.children:
            raise DerivationError(self.source, part.line, f"constituent {category}", "no parts")
        children = tuple(self.node(child, depth + 1) for child in part.children)
        return Node(category, start, len(self.leaves), self.head(category, children), children)

    def category(self, part: Derivation) -> str:
        what = f"leaf {part.word!r}" if isinstance(part, Leaf) else "constituent"
        if not part.category:
            raise DerivationError(self.source, part.line, what, "no category")
        try:
            return str(parse_category(part.category))
        except CategoryError as error:
            raise DerivationError(self.source, part.line, what, str(error)) from None

    def head(self, label: str, children: tuple[Node, ...]) -> int:
        combination = combine(parse_category(label), tuple(parse_category(child.label) for child in children))
        self.branches += 1
        self.unexplained += combination.rule is Rule.UNKNOWN
        functor, argument = children[combination.functor], children[combination.argument]
        if combination.rule in (Rule.PUNCTUATION, Rule.CONJUNCT, Rule.UNKNOWN):
            return argument.head
        function = parse_category(functor.label)
        if combination.rule is Rule.COORDINATION or len(children) == 1:
            return argument.head
        modifies = not isinstance(function, Functor) or function.is_modifier
        specifies = is_atom(parse_category(label), "NP") and is_atom(
            parse_category(argument.label), "N", "NP"
        )
        return argument.head if modifies or specifies else functor.head


def sentence_kind(label: str, last_word: str) -> SentenceKind:
    """What the root's category makes of the text: ``S[dcl]`` declares, ``S[q]`` and ``S[wq]`` ask."""
    category = parse_category(label)
    atom = target(category)
    if atom.name != "S":
        return SentenceKind.FRAGMENT
    if last_word == "?":
        return SentenceKind.QUESTION
    if is_verb_phrase(category) and atom.feature != "b":
        return SentenceKind.FRAGMENT
    return _KINDS.get(atom.feature, SentenceKind.DECLARATIVE)


def join_words(words: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
    """The text that the words make, written as English is, and each word's offset in it.

    >>> join_words(("It", "is", "n't", "his", "."))
    ("It isn't his.", (0, 3, 5, 9, 12))
    """
    text = ""
    starts = []
    for index, word in enumerate(words):
        clitic = word.startswith(("'", "’")) and len(word) > 1
        joined = word.lower() in _NO_SPACE_BEFORE or clitic or (index and words[index - 1] in _NO_SPACE_AFTER)
        if index and not joined:
            text += " "
        starts.append(len(text))
        text += word
    return text, tuple(starts)
