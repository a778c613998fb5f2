"""What a prover says of a testbed's claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from natlog.fragments.claims import Claim
from natlog.fragments.testbeds import Item

if TYPE_CHECKING:
    from natlog.logic.prover import Prover

AS_CLAIMED, OTHERWISE, UNKNOWN = "as claimed", "otherwise", "unknown"
# One proof of a page, at most: whoever waits has its worker to themselves.
SECONDS_ON_A_PAGE = 2.0


@cache
def _prover(seconds: float | None = None) -> Prover:
    from natlog.logic.prover import SECONDS, Prover

    return Prover(seconds=seconds or SECONDS)


def counted(items: Iterable[Item]) -> dict[str, int]:
    """How many claims of the items the prover finds as they are claimed, otherwise, or can't decide."""
    return dict(Counter(found(claim) for item in items for claim in item.claims()))


def found(claim: Claim) -> str:
    """What the prover says of one claim."""
    answer = _prover().prove(claim.premise, claim.hypothesis).answer
    if answer == "unknown":
        return UNKNOWN
    return AS_CLAIMED if (answer == "yes") is claim.follows else OTHERWISE


@dataclass(frozen=True)
class Shown:
    """A proof as a page shows it; ``picture`` is an SVG of a model in which the premise is true and the
    conclusion is not ("" for none)."""

    answer: str
    engine: str
    picture: str


def of_sentences(fragment: str, premise: str, hypothesis: str) -> list[Shown]:
    """Whether the second of two sentences of a fragment follows from the first, and the other way round.
    Raises :class:`natlog.fragments.parsing.OutsideFragment`."""
    from natlog.fragments.grammar import load
    from natlog.fragments.parsing import parse
    from natlog.logic.model_pictures import to_svg

    grammar = load(fragment)
    one, other = (parse(grammar, sentence).meaning() for sentence in (premise, hypothesis))
    return [
        Shown(proof.answer, proof.engine, to_svg(proof.countermodel) if proof.countermodel else "")
        for proof in _prover(SECONDS_ON_A_PAGE).both_ways(one, other)
    ]
