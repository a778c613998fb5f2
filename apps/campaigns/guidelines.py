"""A campaign's instructions: the texts to start from, and how plain text becomes a page.

A body is plain text. A blank line ends a paragraph, ``# `` begins a heading, ``- `` an item of a
list, and [square brackets] underline a part as the blank is underlined.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "guideline_texts"
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True)
class Segment:
    """A stretch of text, underlined or not."""

    text: str
    underlined: bool = False


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph or a list; a list has several lines, the others one."""

    kind: str
    lines: tuple[tuple[Segment, ...], ...]


@cache
def starting_body(task: str) -> str:
    """The instructions that a new campaign of this task begins with."""
    return (_FOLDER / f"{task}.txt").read_text(encoding="utf-8").strip()


def blocks_of(body: str) -> list[Block]:
    """The body's blocks in order.

    >>> [block.kind for block in blocks_of("# One\\nwords\\nmore words\\n- a [b]\\n- c")]
    ['heading', 'paragraph', 'list']
    >>> blocks_of("- a [b]")[0].lines
    ((Segment(text='a ', underlined=False), Segment(text='b', underlined=True)),)
    """
    blocks: list[Block] = []
    open_kind = ""
    for raw in body.splitlines():
        line = raw.strip()
        kind = _kind(line)
        text = line[2:].strip() if kind in ("heading", "list") else line
        if kind == open_kind == "list":
            blocks[-1] = Block("list", (*blocks[-1].lines, _segments(text)))
        elif kind == open_kind == "paragraph":
            blocks[-1] = Block("paragraph", ((*blocks[-1].lines[0], Segment(" "), *_segments(text)),))
        elif kind:
            blocks.append(Block(kind, (_segments(text),)))
        open_kind = kind
    return blocks


def _kind(line: str) -> str:
    if not line:
        return ""
    return {"# ": "heading", "- ": "list"}.get(line[:2], "paragraph")


def _segments(text: str) -> tuple[Segment, ...]:
    parts = _BRACKETS.split(text)
    return tuple(Segment(part, bool(index % 2)) for index, part in enumerate(parts) if part)
