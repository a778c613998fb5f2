"""A small grammar of what MED is about: quantifiers, relative clauses on both sides of a coordination,
coordination at each level, complement clauses and fronting, crossed with one another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

DEPTHS = (0, 1, 1, 1, 2, 2, 3)
"""How far a sentence may branch (clauses inside one another, coordinations in coordinations), by lot."""

_SINGULAR = (
    "every",
    "no",
    "a",
    "some",
    "the",
    "each",
    "not every",
    "neither",
    "any",
    "more than one",
    "this",
)
_PLURAL = (
    "all the",
    "no",
    "some",
    "most",
    "few",
    "many",
    "at most three",
    "at least two",
    "exactly four",
    "fewer than five",
    "more than ten",
    "none of the",
    "each of the",
    "only",
    "not all",
    "a lot of",
    "half of the",
    "",
    "the",
)
_NOUNS = (
    "boy",
    "girl",
    "teacher",
    "student",
    "dog",
    "cat",
    "guest",
    "nurse",
    "friend",
    "neighbour",
    "singer",
)
_THINGS = ("book", "key", "car", "song", "letter", "apple", "picture", "garden", "bill", "prize")
_PRONOUNS = ("nobody", "everybody", "everyone", "somebody", "anyone", "nothing", "he", "she", "Mary", "John")
_ADJECTIVES = ("old", "small", "happy", "young", "red", "tallest", "few", "only")
_PLACES = (
    "in the house",
    "with a key",
    "without a ticket",
    "from every town",
    "near no river",
    "of the king",
)
_INTRANSITIVE = (("sang", "sing"), ("left", "leave"), ("slept", "sleep"), ("danced", "dance"), ("won", "win"))
_TRANSITIVE = (("saw", "see"), ("likes", "like"), ("read", "read"), ("bought", "buy"), ("kissed", "kiss"))
_REPORTS = (("thinks", "think"), ("said", "say"), ("doubts", "doubt"), ("knew", "know"), ("denied", "deny"))
_CONTROL = (("refused", "refuse"), ("wanted", "want"), ("failed", "fail"), ("managed", "manage"))
_UNLIKELY = ("unlikely", "true", "possible", "false", "impossible", "clear")
_OPENERS = ("if", "unless", "when", "before", "because", "although", "whenever", "even if")
_FRONTED = ("in every town", "without a ticket", "with no money", "at most twice", "on Monday", "in no case")
_LINKERS = ("and", "or", "but")
_NEGATIONS = ("did not", "didn't", "never", "will not", "cannot", "hardly", "neither")


def sentences(count: int, seed: int = 0) -> Iterator[str]:
    """So many different sentences; the same for the same seed."""
    draw, met = random.Random(seed), set[str]()
    while len(met) < count:
        text = _Sentence(draw).text()
        if text not in met:
            met.add(text)
            yield text


class _Sentence:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw

    def text(self) -> str:
        words = " ".join(self.sentence(self.draw.choice(DEPTHS)).split()).replace(" ,", ",")
        return words[0].upper() + words[1:] + "."

    def one(self, *choices: str) -> str:
        return self.draw.choice(choices)

    def chance(self, share: float) -> bool:
        return self.draw.random() < share

    def sentence(self, left: int) -> str:
        """A clause, fronted, conditioned, coordinated or embedded."""
        kind = self.draw.randrange(8)
        clause = self.clause(left)
        if kind == 0:
            return f"{self.one(*_FRONTED)} , {clause}"
        if kind == 1:
            return f"{self.one(*_OPENERS)} {self.clause(left - 1)} , {self.one('', 'then ')}{clause}"
        if kind == 2:
            return f"{clause} {self.one(*_LINKERS, ', and', ', but')} {self.clause(left - 1)}"
        if kind == 3:
            return f"it is {self.one(*_UNLIKELY)} that {clause} {self.one(*_LINKERS)} {self.clause(left - 1)}"
        if kind == 4:
            return f"{clause} {self.one(*_OPENERS)} {self.clause(left - 1)}"
        if kind == 5:
            return f"{self.phrase(left)} {self.one('', 'of the house', ',')} {clause}"  # a fronted object
        if kind == 6:
            return (
                f"{self.one('whoever', 'whatever', 'he who')} {self.predicate(left)} {self.predicate(left)}"
            )
        return clause

    def clause(self, left: int) -> str:
        return f"{self.phrase(left)} {self.predicate(left)}"

    def phrase(self, left: int) -> str:
        """A noun phrase, coordinated with another or not."""
        first = self.noun(left)
        if left > 0 and self.chance(0.3):
            linker = self.one("and", "or", "but not", ", and", "and not", "nor", "but no")
            return f"{self.one('', '', 'both ', 'either ', 'neither ')}{first} {linker} {self.noun(left - 1)}"
        return first

    def noun(self, left: int) -> str:
        if self.chance(0.15):
            core = self.one(*_PRONOUNS)
        elif self.chance(0.5):
            core = f"{self.one(*_SINGULAR)} {self.core('')}"
        else:
            core = f"{self.one(*_PLURAL)} {self.core('s')}"
        if left > 0 and self.chance(0.45):
            core += f" {self.relative(left - 1)}"
        elif self.chance(0.15):
            core += f" {self.one(*_PLACES)}"
        return core + (f" except {self.one('John', 'the cat', 'two')}" if self.chance(0.04) else "")

    def core(self, ending: str) -> str:
        noun = self.one(*_NOUNS, *_THINGS) + ending
        if self.chance(0.15):
            noun += f" {self.one('and', 'or')} {self.one(*_NOUNS, *_THINGS)}{ending}"
        return f"{self.one(*_ADJECTIVES)} {noun}" if self.chance(0.25) else noun

    def relative(self, left: int) -> str:
        kind = self.draw.randrange(6)
        if kind < 2:
            return f"{self.one('who', 'that', 'which')} {self.predicate(left)}"
        if kind == 2:
            return f"whose {self.one(*_NOUNS)} {self.predicate(left)}"
        if kind == 3:
            return f"who {self.predicate(left)} and who {self.predicate(left)}"
        subject = self.phrase(left)
        if kind == 4:
            return f"with whom {subject} {self.draw.choice(_INTRANSITIVE)[0]}"
        return f"{self.one('', 'that', 'whom')} {subject} {self.draw.choice(_TRANSITIVE)[0]}"

    def predicate(self, left: int) -> str:
        """A verb phrase, coordinated with another or not."""
        first = self.verb(left)
        if left > 0 and self.chance(0.25):
            return f"{first} {self.one(*_LINKERS, 'and then', 'but never')} {self.verb(left - 1)}"
        return first

    def verb(self, left: int) -> str:
        negated = self.chance(0.25)
        form = 1 if negated else 0
        before = f"{self.one(*_NEGATIONS)} " if negated else ""
        kind = self.draw.randrange(5) if left > 0 else self.draw.randrange(2)
        if kind == 0:
            return before + self.draw.choice(_INTRANSITIVE)[form]
        if kind == 1:
            return f"{before}{self.draw.choice(_TRANSITIVE)[form]} {self.phrase(left - 1)}"
        if kind == 2:
            return f"{before}{self.draw.choice(_REPORTS)[form]} that {self.clause(left - 1)}"
        if kind == 3:
            control = self.draw.choice(_CONTROL)[form]
            return f"{before}{control} to {self.draw.choice(_TRANSITIVE)[1]} {self.phrase(left - 1)}"
        return (
            f"{before}{self.draw.choice(_INTRANSITIVE)[form]} {self.one(*_OPENERS)} {self.clause(left - 1)}"
        )
