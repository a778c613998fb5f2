"""Constituents out of a dependency parse: binary-branching phrases that an annotator can be asked to rewrite.

A phrase is a head with the dependents that stand next to it. Verb phrases are peeled from the right
(``[[[ate fish] in Rome] yesterday]``), noun phrases have a determiner-free core (``NBAR``) peeled the
same way, so that "small dog", "small dog in the park" and "the small dog in the park" are all constituents.

Labels: S, SBAR (with a subordinator or relative word), VP, NP, NBAR, PP, AP, ADVP, QP (a number with
its modifiers), POSS, FRAG, TEXT (several sentences in one text) and X (anything else); leaves carry their
Penn tag.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from natlog.heads import Heads
from natlog.tree import Node

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
DETERMINERS = frozenset({"det", "predet", "poss", "nummod", "quantmod", "neg", "preconj"})
_RELATIVE_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "WP", "EX", "DT", "WDT", "PDT"})
_VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
_PHRASES = {
    **dict.fromkeys(_NOUN_TAGS, "NP"),
    **dict.fromkeys(_VERB_TAGS, "VP"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "AP"),
    **dict.fromkeys(("RB", "RBR", "RBS", "WRB"), "ADVP"),
    "IN": "PP",
    "TO": "PP",
    "RP": "PP",
    "CD": "QP",
    "POS": "POSS",
}


MOST_LEVELS = 100
"""Constituents inside one another, at most, in a tree that is kept; storing and drawing recurse."""


def build_root(heads: Heads, deps: Sequence[str], tags: Sequence[str]) -> Node:
    """The constituents of a whole text; its leaves are exactly the tokens, in order.

    An empty text is an empty FRAG.
    """
    if not heads:
        return Node("FRAG", 0, 0, 0)
    return _Builder(heads, deps, tags).text()


def levels(root: Node) -> int:
    """How many constituents stand inside one another at most."""
    found = {id(root): 1}
    for node in root.walk():
        found.update((id(child), found[id(node)] + 1) for child in node.children)
    return max(found.values())


class _Builder:
    def __init__(self, heads: Heads, deps: Sequence[str], tags: Sequence[str]) -> None:
        self.heads, self.deps, self.tags = heads, deps, tags
        self.runs, self.children = heads.spans(), heads.children

    def text(self) -> Node:
        items = self.fill(0, len(self.heads), self.heads.roots)
        return items[0] if len(items) == 1 else _phrase("TEXT", items, items[0].head)

    def fill(self, start: int, end: int, owners: Sequence[int]) -> list[Node]:
        """Nodes that cover ``start``–``end``: each owner's phrase, and bare leaves in the gaps."""
        items: list[Node] = []
        position = start
        for owner in sorted(owners, key=lambda index: self.runs[index][0]):
            low, high = self.runs[owner]
            if low < position or high > end:
                continue
            items.extend(self.leaf(index) for index in range(position, low))
            items.append(self.phrase(owner))
            position = high
        items.extend(self.leaf(index) for index in range(position, end))
        return items

    def leaf(self, index: int) -> Node:
        return Node(self.tags[index] or "X", index, index + 1, index)

    def phrase(self, head: int) -> Node:
        start, end = self.runs[head]
        leaf = self.leaf(head)
        tag, dep = self.tags[head], self.deps[head]
        if end - start == 1:
            label = _PHRASES.get(tag, "")
            if label in ("", "PP", "POSS") or dep in _WORD_DEPS:
                return leaf
            return Node(label, start, end, head, (leaf,))
        left = self.fill(start, head, [c for c in self.children[head] if c < head])
        right = self.fill(head + 1, end, [c for c in self.children[head] if c > head])
        if tag in _VERB_TAGS or any(self.deps[node.head] in SUBJECTS for node in left):
            return self.clause(left, leaf, right)
        label = _PHRASES.get(tag, "X")
        if label == "NP":
            return self.noun_phrase(left, leaf, right)
        if label == "PP":
            return _phrase("PP", [*left, leaf, *right], head)
        return _peel(label, left, leaf, right)

    def noun_phrase(self, left: list[Node], leaf: Node, right: list[Node]) -> Node:
        """[determiners [NBAR]]; a conjunct with its own determiner, and final punctuation, stay outside."""
        head = leaf.head
        cut = self._run_of(DETERMINERS, left)
        wide = self._conjunct_start(right, self._has_determiner)
        core = _peel("NBAR", left[cut:], leaf, right[:wide])
        inner = _phrase("NP", [*left[:cut], core], head)
        if inner.label == "NBAR":
            inner = replace(inner, label="NP")
        return _phrase("NP", [inner, *right[wide:]], head) if wide < len(right) else inner

    def _run_of(self, deps: Container[str], nodes: Iterable[Node]) -> int:
        """How many of the nodes, from the first on, hang by one of these relations."""
        return sum(1 for _ in takewhile(lambda node: self.deps[node.head] in deps, nodes))

    def _conjunct_start(self, right: Sequence[Node], is_whole: Callable[[int], bool]) -> int:
        """Where the first conjunct that is a phrase of its own begins, with its linkers; the end for none."""
        for index, node in enumerate(right):
            if self.deps[node.head] == "conj" and is_whole(node.head):
                return index - self._run_of(("cc", "punct", "preconj"), reversed(right[:index]))
        return len(right)

    def _has_determiner(self, head: int) -> bool:
        return any(self.deps[child] in DETERMINERS for child in self.children[head])

    def _has_subject(self, head: int) -> bool:
        return any(self.deps[child] in SUBJECTS for child in self.children[head])

    def clause(self, left: list[Node], leaf: Node, right: list[Node]) -> Node:
        """[SBAR subordinator [S preposed subject [VP]]], each layer only where it is filled."""
        head = leaf.head
        end = len(right) - self._run_of(("punct",), reversed(right))
        right, tail = right[:end], right[end:]
        opener = next((index for index, node in enumerate(left) if not self._opens(node)), len(left))
        subject = max(
            (index for index, node in enumerate(left) if self.deps[node.head] in SUBJECTS), default=-1
        )
        before = left[opener : subject + 1]
        inside = left[max(subject + 1, opener) :]
        wide = self._conjunct_start(right, self._has_subject)
        node = _peel("VP", inside, leaf, right[:wide])
        if before:
            node = _phrase("S", [*before, node], head)
        if right[wide:] or tail:
            node = _phrase("S" if subject >= 0 else "VP", [node, *right[wide:], *tail], head)
        return _phrase("SBAR", [*left[:opener], node], head) if opener else node

    def _opens(self, node: Node) -> bool:
        """A subordinator, or a relative word before its clause."""
        if self.deps[node.head] == "mark":
            return True
        return node.end - node.start == 1 and self.tags[node.head] in _RELATIVE_TAGS


_WORD_DEPS = frozenset(
    {"det", "predet", "aux", "auxpass", "cc", "mark", "punct", "case", "prt", "neg", "compound"}
)


def _phrase(label: str, items: Sequence[Node], head: int) -> Node:
    """A node over ``items``; a single item that already is a phrase is not wrapped again."""
    if len(items) == 1 and items[0].children:
        return items[0]
    return Node(label, items[0].start, items[-1].end, head, tuple(items))


def _peel(label: str, left: Sequence[Node], leaf: Node, right: Sequence[Node]) -> Node:
    """The head with its right dependents nearest first, then its left ones; coordination stays one layer."""
    head = leaf.head
    node = Node(label, leaf.start, leaf.end, head, (leaf,))
    pending: list[Node] = []
    for item in right:
        pending.append(item)
        if item.children or item.end - item.start > 1 or item is right[-1]:
            node = Node(label, node.start, item.end, head, (node, *pending))
            pending = []
    for item in reversed(left):
        node = Node(label, item.start, node.end, head, (item, node))
    return node
