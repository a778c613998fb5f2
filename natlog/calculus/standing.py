"""Where an addition stands that is beside a noun phrase, and not inside it."""

from __future__ import annotations

from natlog.tree import Marking, Token


def stands_beside(marking: Marking, start: int, root: Token) -> int | None:
    """The word whose place an addition takes that stands beside a noun phrase and not inside it; else None.

    A second noun phrase with a determiner of its own stands where the first one's determiner does ("the flute
    or the harp"); a clause or name set off by a comma stands where it is marked ("Mary, who owns a car").
    """
    tokens = marking.tree.tokens
    if root.dep == "conj":
        ours, theirs = _determiner(tokens, root.index), _determiner(tokens, root.head)
        return theirs if ours is not None else None
    if root.dep in ("relcl", "appos") and start and tokens[start].text == ",":
        outer, own = marking.token_why[root.head], marking.token_why[root.index]
        return root.index if own[: len(outer)] != outer else None
    return None


def tells_of_name(marking: Marking, start: int, root: Token) -> bool:
    """Whether a relative clause follows a name: it restricts nothing, and stands outside the operators.

    Not after *Europeans*, who are several.
    """
    tokens = marking.tree.tokens
    return (
        bool(start) and root.dep == "relcl" and tokens[start].tag == "WP" and tokens[start - 1].tag == "NNP"
    )


def _determiner(tokens: tuple[Token, ...], noun: int) -> int | None:
    """The first determiner or possessor of a noun, where it stands before it."""
    return next(
        (t.index for t in tokens[:noun] if t.head == noun and t.dep in ("det", "poss", "nummod")), None
    )
