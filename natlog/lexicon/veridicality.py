"""What predicates, modals and subordinators say of their clause, from ``veridicality.toml``."""

from __future__ import annotations

import enum
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).with_name("veridicality.toml")


class Claim(enum.Enum):
    """Whether a clause is said to be so (+), not to be so (-), or neither (o)."""

    SO = "+"
    NOT_SO = "-"
    OPEN = "o"

    @property
    def opposite(self) -> Claim:
        """What is said of the clause's negation."""
        return {Claim.SO: Claim.NOT_SO, Claim.NOT_SO: Claim.SO}.get(self, self)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a predicate says of its clause where it is affirmed and where it is denied.

    >>> signature("manage", "to").denied
    <Claim.NOT_SO: '-'>
    """

    affirmed: Claim
    denied: Claim
    kind: str
    source: str

    @property
    def two_way(self) -> bool:
        """Whether it says of its clause just as much as it says at all (manage to, fail to)."""
        return self.affirmed is self.denied.opposite and self.affirmed is not Claim.OPEN

    def under(self, claim: Claim) -> Claim:
        """What follows of its clause, where this is claimed of the predicate."""
        return {Claim.SO: self.affirmed, Claim.NOT_SO: self.denied}.get(claim, Claim.OPEN)

    def __str__(self) -> str:
        return f"{self.affirmed.value}/{self.denied.value}"


@lru_cache(maxsize=1)
def _entries() -> dict[tuple[str, str], Signature]:
    found: dict[tuple[str, str], Signature] = {}
    for entry in tomllib.loads(DATA.read_text("utf-8"))["entry"]:
        affirmed, _, denied = entry["signature"].partition("/")
        signature = Signature(Claim(affirmed), Claim(denied), entry["class"], entry["source"])
        for complement in entry["complement"]:
            for word in entry["words"]:
                found.setdefault((word, complement), signature)
    return found


def signature(word: str, complement: str) -> Signature | None:
    """The signature of a lemma with a kind of complement; None where the lexicon has none."""
    return _entries().get((word, complement))


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset(word for word, _ in _entries())


def known(word: str) -> bool:
    """Whether the lexicon has a lemma, with whatever complement."""
    return word in _words()
