r"""AUTO, CCGbank's bracketed format (Hockenmaier and Steedman 2007), as depccg and EasyCCG print it.

A constituent is ``(<T category head count> part … )`` and a word
``(<L category tag tag word category>)``. The extended form, ``(<T category rule head count> …)`` and
``(<L category word lemma tag entity chunk category>)``, is read as well. A line that starts
with ``ID=`` introduces a derivation; where several have the same ID, the first and best is taken.
Derivations may run over several lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from natlog.parsing.ccg.derivation import MAX_DEPTH, Branch, Derivation, Leaf
from natlog.parsing.ccg.errors import DerivationError

_PIECE = re.compile(
    r"\(<L\s+(?P<leaf>.*?)\s*>\)|\(<T\s+(?P<branch>.*?)>(?=\s|\(|$)|(?P<close>\))|(?P<bad>\S+)"
)
_ID = re.compile(r"ID\s*=\s*([^\s,]+)")


@dataclass(frozen=True, slots=True)
class Block:
    """One derivation's text with its first line's number."""

    text: str
    line: int


def derivation_blocks(text: str) -> list[Block]:
    """The text of each sentence's first derivation.

    A derivation begins after an ``ID=`` line, or else at each bracket in the first column, so that
    one derivation a line and indented ones are both read.
    """
    blocks: list[Block] = []
    seen: set[str] = set()
    skipping = False
    for number, line in enumerate(text.split("\n"), 1):
        header = _ID.match(line)
        if header:
            skipping = header[1] in seen
            seen.add(header[1])
            if not skipping:
                blocks.append(Block("", number))
        elif line.startswith("(") and not skipping:
            if blocks and not blocks[-1].text:
                blocks[-1] = Block(line, number)
            else:
                blocks.append(Block(line, number))
        elif line.strip() and not skipping:
            if not blocks:
                blocks.append(Block("", number))
            last = blocks[-1]
            blocks[-1] = Block(f"{last.text}\n{line}", last.line)
    return blocks


def read_derivation(block: Block, source: str) -> Derivation:
    """The derivation of a block. Raises DerivationError."""
    if not block.text.strip():
        raise DerivationError(source, block.line, "ID", "no derivation (the parser failed)")
    return _Reader(block, source).read()


class _Reader:
    """Reads a block piece by piece; open constituents wait on a stack."""

    def __init__(self, block: Block, source: str) -> None:
        self.block = block
        self.source = source
        self.words = 0

    def error(self, at: int, element: str, problem: str) -> DerivationError:
        line = self.block.line + self.block.text.count("\n", 0, at)
        return DerivationError(self.source, line, element, problem)

    def read(self) -> Derivation:
        open_branches: list[tuple[str, list[Derivation], int]] = []
        whole: Derivation | None = None
        for piece in _PIECE.finditer(self.block.text):
            at = piece.start()
            if whole is not None:
                raise self.error(at, f"{piece[0][:30]!r}", "text after the end of the derivation")
            done: Derivation | None = None
            if piece["bad"] is not None:
                raise self.error(at, f"{piece['bad'][:30]!r}", "expected (<T …>, (<L …>) or )")
            if piece["branch"] is not None:
                if len(open_branches) >= MAX_DEPTH:
                    raise self.error(at, "constituent", f"more than {MAX_DEPTH} levels")
                open_branches.append((self.branch_category(piece["branch"], at), [], at))
            elif piece["leaf"] is not None:
                done = self.leaf(piece["leaf"], at)
            elif not open_branches:
                raise self.error(at, "')'", "a bracket closes that wasn't opened")
            else:
                category, children, opened = open_branches.pop()
                if not children:
                    raise self.error(opened, f"constituent {category}", "no parts")
                line = self.block.line + self.block.text.count("\n", 0, opened)
                done = Branch(category, tuple(children), line)
            if done is not None:
                if open_branches:
                    open_branches[-1][1].append(done)
                else:
                    whole = done
        if open_branches:
            category, _, opened = open_branches[-1]
            raise self.error(opened, f"constituent {category}", "its bracket isn't closed")
        if whole is None:
            raise self.error(0, "derivation", "empty")
        return whole

    def branch_category(self, content: str, at: int) -> str:
        fields = content.split()
        if len(fields) not in (3, 4) or not fields[-1].isdigit():
            raise self.error(at, f"(<T {content[:40]}>", "expected (<T category head count>")
        return fields[0]

    def leaf(self, content: str, at: int) -> Leaf:
        self.words += 1
        line = self.block.line + self.block.text.count("\n", 0, at)
        match content.split():
            case [category, tag, _, word, _]:
                return Leaf(word, category, line, tag=tag)
            case [category, word, lemma, tag, _, _, _]:
                return Leaf(word, category, line, lemma="" if lemma == "XX" else lemma, tag=tag)
        problem = "expected (<L category tag tag word category>)"
        raise self.error(at, f"leaf {self.words}, (<L {content[:40]}>)", problem)
