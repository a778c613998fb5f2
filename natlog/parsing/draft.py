"""A parse while it is still being mended: parallel lists that repairs may change in place.

Everything outside :mod:`natlog.parsing` sees only the frozen :class:`natlog.tree.Tree` that
:meth:`Draft.freeze` makes of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from natlog.apostrophes import straightened
from natlog.heads import Heads, flat
from natlog.parsing.constituents import MOST_LEVELS, build_root, levels
from natlog.parsing.sentence_kind import sentence_kind
from natlog.tree import Node, Token, Tree


@dataclass(slots=True)
class Draft:
    """A dependency parse as parallel lists, one item a token; arcs are changed by :meth:`move` alone.

    ``words`` are as they are read (:func:`natlog.apostrophes.as_read`), ``starts`` their places in ``text``.
    """

    text: str
    words: list[str]
    starts: list[int]
    lemmas: list[str]
    pos: list[str]
    tags: list[str]
    deps: list[str]
    heads: Heads
    repairs: list[str] = field(default_factory=list)
    confidence: float = 1.0
    flat: bool = False

    def move(self, token: int, head: int) -> bool:
        """Hang a token on another head, unless that would close a circle; whether it was done."""
        moved = self.heads.moved(token, head)
        if moved is None:
            return False
        self.heads = moved
        return True

    def flatten(self) -> None:
        """Hang everything on the first word, with no confidence."""
        size = len(self.words)
        self.flat = True
        self.heads = flat(size)
        self.deps = ["ROOT", *["dep"] * (size - 1)][:size]
        self.confidence = 0.0
        self.repairs.append("no sentence: left unparsed")

    def _root(self) -> Node:
        return build_root(self.heads, self.deps, ["XX"] * len(self.tags) if self.flat else self.tags)

    def freeze(self, parser: str) -> Tree:
        """The finished tree: tokens, constituents and the kind of sentence.

        A parse that is deeper than any sentence's is flattened.
        """
        root = self._root()
        long = len(self.words) > MOST_LEVELS // 4  # a shorter one is not so deep: a word opens three levels
        if self.heads.is_too_deep or (long and levels(root) > MOST_LEVELS):
            self.flatten()
            root = self._root()
        tokens = tuple(
            Token(index, *_written(self.text, start, word), lemma, pos, tag, dep, head)
            for index, (word, start, lemma, pos, tag, dep, head) in enumerate(
                zip(
                    self.words,
                    self.starts,
                    self.lemmas,
                    self.pos,
                    self.tags,
                    self.deps,
                    self.heads,
                    strict=True,
                )
            )
        )
        tree = Tree(
            text=self.text,
            tokens=tokens,
            root=root,
            parser=parser,
            kind=sentence_kind(self.words, self.tags, self.deps, self.heads, mended=bool(self.repairs)),
            confidence=self.confidence,
            repairs=tuple(self.repairs),
        )
        vars(tree)["heads"] = self.heads  # known already; else worked out of the tokens
        return tree


def _written(text: str, start: int, word: str) -> tuple[str, int, int]:
    """A word as it is written in the text, with its start and end there.

    It is as long as the word that was read, or longer by the space of ``didn 't``.
    """
    end = start + len(word)
    found, longer = text[start:end], text[start : end + 1]
    if found == word or straightened(found) == word:
        return found, start, end
    if straightened(longer).replace(" ", "") == word:
        return longer, start, end + 1
    return word, start, end
