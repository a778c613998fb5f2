"""The value types that the whole of natlog speaks: tokens, parses, trees, polarity, markings.

All are immutable, printable and free of any parser library. A parse, whatever made it
(spaCy, a CCG parser), ends in a :class:`Tree`; polarity marking turns a ``Tree`` into a
:class:`Marking`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from natlog.apostrophes import straightened
from natlog.heads import Heads


class Polarity(enum.Enum):
    """Whether a more general (↑), a more specific (↓) or neither (=) replacement keeps the truth.

    >>> Polarity.DOWN * Polarity.DOWN
    Polarity.UP
    >>> Polarity.UP * Polarity.FLAT
    Polarity.FLAT
    >>> str(Polarity.DOWN)
    '↓'
    """

    UP = "↑"
    DOWN = "↓"
    FLAT = "="

    def __mul__(self, other: Polarity) -> Polarity:
        """Compose the sign of a context with the sign of a context inside it."""
        if Polarity.FLAT in (self, other):
            return Polarity.FLAT
        return Polarity.UP if self is other else Polarity.DOWN

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Polarity.{self.name}"

    @property
    def direction(self) -> str:
        """The field's word for inferences at such a place: upward, downward or non-monotone."""
        return _DIRECTIONS[self]


_DIRECTIONS = {
    Polarity.UP: "upward",
    Polarity.DOWN: "downward",
    Polarity.FLAT: "non-monotone",
}


class SentenceKind(enum.Enum):
    """What a text is used for; only declaratives are premises (MED, section 3.1.1)."""

    DECLARATIVE = "declarative"
    QUESTION = "question"
    IMPERATIVE = "imperative"
    FRAGMENT = "fragment"


@dataclass(frozen=True, slots=True)
class Token:
    """One token. ``start`` and ``end`` are code-point offsets into the parse's text.

    ``head`` is the index of the governor (the root is its own head); ``pos`` a universal
    part of speech, ``tag`` a Penn Treebank tag, ``dep`` the parser's relation name.
    A CCG parse keeps the word's category in ``category``.
    """

    index: int
    text: str
    start: int
    end: int
    lemma: str = ""
    pos: str = ""
    tag: str = ""
    dep: str = ""
    head: int = -1
    category: str = ""

    @property
    def word(self) -> str:
        """The token in lower case as it is read: straight apostrophes, ``n 't`` put together.

        >>> Token(1, "N ’t", 3, 7).word
        "n't"
        """
        return straightened(self.text.lower()).replace(" ", "")


@dataclass(frozen=True, slots=True)
class Node:
    """A constituent: the contiguous tokens ``start`` (inclusive) to ``end`` (exclusive).

    ``label`` is a phrase category (S, NP, VP, PP, AP, ADVP, SBAR, …) or, on the CCG route, a
    CCG category. ``head`` is the index of the head token. Leaves have no children and span
    one token.
    """

    label: str
    start: int
    end: int
    head: int
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Every node of the subtree, parents before children, left to right."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


@dataclass(frozen=True)
class Tree:
    """A parsed sentence: its tokens and its constituents.

    ``parser`` names the parser with its version (``spacy:en_core_web_sm-3.8.0``, ``candc``);
    ``confidence`` is in [0, 1]; ``repairs`` says in words what was mended in the parse.
    """

    text: str
    tokens: tuple[Token, ...]
    root: Node
    parser: str
    kind: SentenceKind = SentenceKind.DECLARATIVE
    confidence: float = 1.0
    repairs: tuple[str, ...] = ()

    @cached_property
    def heads(self) -> Heads:
        """The arcs between the tokens: a forest, whatever the tokens of a stored parse say."""
        return Heads([token.head for token in self.tokens]).kept()

    def span_text(self, start: int, end: int) -> str:
        """The text of tokens ``start`` to ``end`` (exclusive), as written."""
        if start >= end:
            return ""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]


@dataclass(frozen=True, slots=True)
class Step:
    """One operator in the chain that set a place's polarity.

    ``operator`` is the entry's id in ``operators.toml``, ``surface`` its words in this sentence,
    ``tokens`` their indices, ``argument`` which argument the place stands in (``first``,
    ``second``, ``scope``, …), ``effect`` that argument's sign.
    """

    operator: str
    surface: str
    tokens: tuple[int, ...]
    argument: str
    effect: Polarity


@dataclass(frozen=True, slots=True)
class Constituent:
    """A marked constituent: its node's span, category, sign and the steps that made the sign.

    The sign is the product of the effects of ``why`` (outermost operator first); without any
    operator it is ↑.
    """

    start: int
    end: int
    label: str
    head: int
    polarity: Polarity
    why: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Marking:
    """The polarity of every token and constituent of a tree, under one convention."""

    tree: Tree
    convention: str
    signs: tuple[Polarity, ...]
    constituents: tuple[Constituent, ...]
    token_why: tuple[tuple[Step, ...], ...] = field(default=())

    def __str__(self) -> str:
        return " ".join(f"{t.text}{s}" for t, s in zip(self.tree.tokens, self.signs, strict=True))

    def constituent(self, start: int, end: int) -> Constituent | None:
        """The largest constituent with exactly this token span, or None."""
        for item in self.constituents:
            if (item.start, item.end) == (start, end):
                return item
        return None


def to_dict(value: Any) -> Any:
    """A JSON-able form of any value type above (enums become their value)."""
    if isinstance(value, Node):
        return _node_to_dict(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [to_dict(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: to_dict(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def _node_to_dict(root: Node) -> dict[str, Any]:
    """A node's form, made from the leaves up: a derivation may be as deep as the interpreter's stack."""
    made: dict[int, dict[str, Any]] = {}
    for node in reversed([*root.walk()]):
        made[id(node)] = {
            "label": node.label,
            "start": node.start,
            "end": node.end,
            "head": node.head,
            "children": [made[id(child)] for child in node.children],
        }
    return made[id(root)]


def node_from_dict(data: dict[str, Any]) -> Node:
    """The inverse of :func:`to_dict` for a node."""
    return Node(
        data["label"],
        data["start"],
        data["end"],
        data["head"],
        tuple(node_from_dict(child) for child in data["children"]),
    )


def tree_from_dict(data: dict[str, Any]) -> Tree:
    """The inverse of :func:`to_dict` for a tree, so that a stored parse can be marked again."""
    return Tree(
        text=data["text"],
        tokens=tuple(Token(**token) for token in data["tokens"]),
        root=node_from_dict(data["root"]),
        parser=data["parser"],
        kind=SentenceKind(data["kind"]),
        confidence=data["confidence"],
        repairs=tuple(data["repairs"]),
    )
