"""Files of DRSs in clausal form, as the Parallel Meaning Bank publishes them: clauses a line, an empty line
between DRSs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Clause = tuple[str, ...]

_TOKEN = re.compile(r'"[^"]*"|[^\s"]+')
_BOX = re.compile(r"[bk]\d+")
_REFERENT = re.compile(r"[a-z]\d+")


class ClauseFileError(ValueError):
    """A line is no clause; the message names it."""


@dataclass(frozen=True, slots=True)
class ClauseList:
    """One DRS as its clauses, each a box, a word and one or two more; ``line`` is where it begins, from 1."""

    clauses: tuple[Clause, ...]
    line: int


def is_box(token: str) -> bool:
    """Whether a token is a box: b or k and a number."""
    return _BOX.fullmatch(token) is not None


def is_variable(token: str) -> bool:
    """Whether a token is a box or a referent."""
    return _REFERENT.fullmatch(token) is not None


def parse_clause(text: str, line: int) -> Clause:
    """The parts of one clause. Raises :class:`ClauseFileError`, which names the line and the column."""
    parts = _TOKEN.findall(text)
    # Only a quotation mark without its partner is no part of a token.
    if text.count('"') % 2:
        column = text.rindex('"') + 1
        raise ClauseFileError(f"line {line}, column {column}: a quotation mark that nothing closes")
    if not is_box(parts[0]):
        raise ClauseFileError(f"line {line}, column 1: a box (b1, b2, …) is wanted, not {parts[0]!r}")
    if not 3 <= len(parts) <= 4:
        raise ClauseFileError(f"line {line}: a clause has three or four parts, not {len(parts)}")
    return tuple(parts)


def parse_clause_lists(lines: Iterable[str]) -> list[ClauseList]:
    """The DRSs of a file. ``%`` begins a comment; ``[SEP]`` may stand for a line's end.

    Lines of comments alone belong to the DRS around them. Raises :class:`ClauseFileError` for a line that is
    no clause.
    """
    found: list[ClauseList] = []
    clauses: list[Clause] = []
    start = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            if start:
                found.append(ClauseList(tuple(clauses), start))
            clauses, start = [], 0
            continue
        start = start or number
        for piece in _without_comment(text).split("[SEP]"):
            if piece.strip():
                clauses.append(parse_clause(piece.strip(), number))
    if start:
        found.append(ClauseList(tuple(clauses), start))
    return found


def _without_comment(text: str) -> str:
    inside = False
    for place, letter in enumerate(text):
        inside ^= letter == '"'
        if letter == "%" and not inside:
            return text[:place]
    return text


def counted(clauses: Sequence[Clause], *, keep_references: bool = False) -> list[Clause]:
    """The clauses that COUNTER compares: each once, and no REF clause whose referent another clause of its
    box has.

    ``keep_references`` keeps those.
    """
    distinct = list(dict.fromkeys(clauses))
    if keep_references:
        return distinct
    used = {(clause[0], token) for clause in distinct if clause[1] != "REF" for token in clause[2:]}
    return [clause for clause in distinct if clause[1] != "REF" or (clause[0], clause[2]) not in used]


def faults(clauses: Sequence[Clause]) -> list[str]:
    """What makes a list of clauses no DRS: no clause, a referent without REF, boxes in a circle or without
    tie.

    A box is tied to others by an operator or a discourse relation, or by a referent it shares:
    presuppositions have a box of their own. The check of COUNTER's referee asks for more (accessibility
    along the tree of boxes).
    """
    if not clauses:
        return ["no clause"]
    introduced = {clause[2] for clause in clauses if clause[1] == "REF"}
    result = []
    for clause in clauses:
        result += [
            f"{token} has no REF clause"
            for token in clause[2:]
            if is_variable(token) and not is_box(token) and token not in introduced
        ]
    below = {
        box: {token for clause in clauses if clause[0] == box for token in clause[2:] if is_box(token)}
        for box in {clause[0] for clause in clauses}
    }
    if any(_reaches(box, box, below) for box in below):
        result.append("the boxes are in a circle")
    if not _tied(clauses):
        result.append("a box has no tie to the others")
    return list(dict.fromkeys(result))


def _reaches(start: str, goal: str, below: dict[str, set[str]]) -> bool:
    seen: set[str] = set()
    waiting = list(below.get(start, ()))
    while waiting:
        box = waiting.pop()
        if box == goal:
            return True
        if box not in seen:
            seen.add(box)
            waiting += below.get(box, ())
    return False


def _tied(clauses: Sequence[Clause]) -> bool:
    """Whether everything hangs together: two tokens of a clause are tied, and what they are tied to."""
    groups: list[set[str]] = []
    for clause in clauses:
        tokens = {clause[0], *filter(is_variable, clause[2:])}
        apart = [group for group in groups if not group & tokens]
        groups = [*apart, tokens.union(*(group for group in groups if group & tokens))]
    return len(groups) == 1
