"""What a prover says of a testbed's claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from natlog.fragments.testbeds import Item

if TYPE_CHECKING:
    from natlog.logic.prover import Prover

# One proof of a page, at most: whoever waits has its worker to themselves.
SECONDS_ON_A_PAGE = 2.0


@cache
def prover(seconds: float | None = None) -> Prover:
    """The process' own prover, which remembers what it found; ``seconds`` is its limit for one proof."""
    from natlog.logic.prover import SECONDS, Prover

    return Prover(seconds=seconds or SECONDS)


def counted(items: Iterable[Item]) -> dict[str, int]:
    """How many claims of the items the prover confirms, refutes, or can't decide (unknown), and how many
    ``rows`` claim anything: what follows from under a verb is the verb's class, and nothing to prove."""
    from natlog.fragments.claims import examine

    asked = prover()
    claims = [list(item.claims()) for item in items]
    counts = Counter(examine(claim, asked).value for several in claims for claim in several)
    return {**counts, "rows": sum(map(bool, claims))}


@dataclass(frozen=True)
class Shown:
    """A proof as a page shows it; ``picture`` is an SVG of a model in which the premise is true and the
    conclusion is not ("" for none)."""

    answer: str
    engine: str
    picture: str


def of_sentences(fragment: str, premise: str, hypothesis: str) -> list[Shown]:
    """Whether the second of two sentences of a fragment follows from the first and what is known of their
    words, and the other way round. Raises :class:`natlog.fragments.parsing.OutsideFragment`."""
    from natlog.fragments.grammar import load
    from natlog.fragments.parsing import parse
    from natlog.fragments.taxonomy import axioms
    from natlog.logic.model_pictures import to_svg

    grammar = load(fragment)
    one, other = parse(grammar, premise), parse(grammar, hypothesis)
    known = axioms(one, other)
    return [
        Shown(proof.answer, proof.engine, to_svg(proof.countermodel) if proof.countermodel else "")
        for proof in prover(SECONDS_ON_A_PAGE).both_ways(one.meaning(), other.meaning(), known)
    ]
