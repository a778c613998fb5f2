"""What a prover says of a testbed's claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from natlog.fragments.claims import Claim
from natlog.fragments.testbeds import Item

AS_CLAIMED, OTHERWISE, UNKNOWN = "as claimed", "otherwise", "unknown"


def counted(items: Iterable[Item]) -> dict[str, int]:
    """How many claims of the items the prover finds as they are claimed, otherwise, or can't decide."""
    return dict(Counter(found(claim) for item in items for claim in item.claims()))


def found(claim: Claim) -> str:
    from natlog.logic.prover import prove

    answer = prove(claim.premise, claim.hypothesis)
    if answer == "unknown":
        return UNKNOWN
    return AS_CLAIMED if (answer == "yes") is claim.follows else OTHERWISE


def of_sentences(fragment: str, premise: str, hypothesis: str) -> tuple[str, str]:
    """Whether the second of two sentences of a fragment follows from the first, and the first from the second:
    each yes, no or unknown."""
    from natlog.fragments.grammar import load
    from natlog.fragments.parsing import parse
    from natlog.logic.prover import prove

    grammar = load(fragment)
    one, other = (parse(grammar, sentence).meaning() for sentence in (premise, hypothesis))
    return str(prove(one, other)), str(prove(other, one))
