"""Token alignment of a premise with its hypothesis, and the stretches in which they differ.

A weighted edit distance in which the same word is free, a word of the same lemma almost free, a related
word of the same part of speech cheaper than a deletion with an insertion. Runs of unaligned tokens are
the raw material of edits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from natlog.lexicon.word_lists import listed_under, word_list
from natlog.lexicon.words import SAME_WORD, Relation, Words
from natlog.tree import Token, Tree

MATCH = 0.5
"""Two tokens that cost less than this to pair are the same word, perhaps inflected."""

LOOSE = frozenset({"punct", "cc", "conj"})
"""Relations that may cross the edge of a phrase."""

PREMODIFIERS = frozenset({"compound", "amod", "nmod"})
"""Relations of words before a noun: of *oak chair* and *chair of oak* the chairs are the same first."""

MOST_CELLS = 400 * 400
"""Pairs of words that are weighed at most, of two texts."""

OTHER = 2.5
"""What it costs to pair words that do other work (*not* of a noun phrase with *not* of a clause)."""

OPEN = 0.15
"""What a gap costs beyond its tokens, so that what was added or dropped hangs together."""

_SPELLINGS = listed_under("spellings")
_UNIVERSAL = word_list("universals")
CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "PRON"})
_WORDNET_POS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


@dataclass(frozen=True, slots=True)
class Hunk:
    """Premise tokens ``start``–``end`` stand where hypothesis tokens ``other_start``–``other_end`` do."""

    start: int
    end: int
    other_start: int
    other_end: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """``links`` maps premise tokens to hypothesis tokens, ``back`` the other way; ``hunks`` are the rest.

    ``replaced`` pairs, inside hunks, the words that stand in each other's place.
    """

    links: dict[int, int]
    back: dict[int, int]
    hunks: tuple[Hunk, ...]
    replaced: dict[int, int]


def spelling(token: Token) -> str:
    """A token's word as the alignment compares it: lower case, contractions opened."""
    word = token.word
    return _SPELLINGS.get(word, word)


def wordnet_pos(token: Token) -> str:
    """WordNet's letter for the token's part of speech, "" where it has none."""
    return _WORDNET_POS.get(token.pos, "")


def align(premise: Tree, hypothesis: Tree, words: Words) -> Alignment:
    """Align two parsed sentences. Quadratic in their length, after the common start and end are set aside;
    beyond :data:`MOST_CELLS` (texts that no parser takes) nothing in between is aligned."""
    ones, twos = premise.tokens, hypothesis.tokens
    left = 0
    while left < min(len(ones), len(twos)) and spelling(ones[left]) == spelling(twos[left]):
        left += 1
    right = 0
    while (
        right < min(len(ones), len(twos)) - left
        and spelling(ones[-1 - right]) == spelling(twos[-1 - right])
    ):  # fmt: skip
        right += 1
    links = {index: index for index in range(left)}
    links |= {len(ones) - 1 - k: len(twos) - 1 - k for k in range(right)}
    found, replaced = _middle(
        premise, hypothesis, (left, len(ones) - right), (left, len(twos) - right), words
    )
    links |= found
    hunks = tuple(_slide(hunk, premise, hypothesis, links) for hunk in _hunks(links, len(ones), len(twos)))
    back = {two: one for one, two in links.items()}
    return Alignment(links, back, hunks, replaced)


def _middle(
    premise: Tree, hypothesis: Tree, rows: tuple[int, int], columns: tuple[int, int], words: Words
) -> tuple[dict[int, int], dict[int, int]]:
    ones, twos = premise.tokens[rows[0] : rows[1]], hypothesis.tokens[columns[0] : columns[1]]
    if not ones or not twos or len(ones) * len(twos) > MOST_CELLS:
        return {}, {}
    links: dict[int, int] = {}
    replaced: dict[int, int] = {}
    for i, j, price in _path(ones, twos, words):
        table = links if price < MATCH else replaced
        table[rows[0] + i] = columns[0] + j
    return links, replaced


def _path(ones: tuple[Token, ...], twos: tuple[Token, ...], words: Words) -> Iterator[tuple[int, int, float]]:
    """The paired tokens of the cheapest alignment, last first (Gotoh 1982: opening a gap costs extra)."""
    size, infinite = len(twos) + 1, float("inf")
    # One table for each last step: both tokens, a premise token alone, a hypothesis token alone.
    cost = [[[infinite, infinite, infinite] for _ in range(size)] for _ in range(len(ones) + 1)]
    came = [[[0, 0, 0] for _ in range(size)] for _ in range(len(ones) + 1)]
    price = [[_price(one, two, words) for two in twos] for one in ones]
    left, right = _constituent_negations(ones), _constituent_negations(twos)
    for i, j in (*product(left[0], right[1]), *product(left[1], right[0])):
        price[i][j] = OTHER
    deleting, inserting = [_gap(one) for one in ones], [_gap(two) for two in twos]
    cost[0][0][0] = 0.0
    for i in range(len(ones) + 1):
        for j in range(size):
            if i and j:
                _step(cost[i - 1][j - 1], cost[i][j], came[i][j], 0, price[i - 1][j - 1], 0.0)
            if i:
                _step(cost[i - 1][j], cost[i][j], came[i][j], 1, deleting[i - 1], OPEN)
            if j:
                _step(cost[i][j - 1], cost[i][j], came[i][j], 2, inserting[j - 1], OPEN)
    i, j = len(ones), len(twos)
    step = min(range(3), key=lambda k: cost[i][j][k])
    for _ in range(i + j):
        if not i and not j:
            return
        last = came[i][j][step]
        if step == 0:
            yield i - 1, j - 1, price[i - 1][j - 1]
        i, j = i - (step != 2), j - (step != 1)
        step = last


def _constituent_negations(tokens: tuple[Token, ...]) -> tuple[list[int], list[int]]:
    """The places of each *not* before a determiner or pronoun ("not everyone"), and of every other one."""
    found: tuple[list[int], list[int]] = [], []
    for place, token in enumerate(tokens):
        if spelling(token) in ("not", "never"):
            after = tokens[place + 1] if place + 1 < len(tokens) else None
            found[0 if after is not None and after.word in _UNIVERSAL else 1].append(place)
    return found


def _step(
    before: list[float], here: list[float], came: list[int], step: int, price: float, opening: float
) -> None:
    """Enter one cell by one step; ``opening`` is added unless the step before was of the same kind."""
    both, one, two = before[0] + opening, before[1] + opening, before[2] + opening
    if step == 1:
        one -= opening
    elif step == 2:
        two -= opening
    if both <= one and both <= two:
        here[step], came[step] = both + price, 0
    elif one <= two:
        here[step], came[step] = one + price, 1
    else:
        here[step], came[step] = two + price, 2


def _gap(token: Token) -> float:
    return 0.3 if token.pos == "PUNCT" else 1.0


def _price(one: Token, two: Token, words: Words) -> float:
    first, second = spelling(one), spelling(two)
    if first == second:
        headed = (one.dep in PREMODIFIERS) == (two.dep in PREMODIFIERS)
        return (0.0 if one.pos == two.pos else 0.05) + (0.0 if headed else 0.1)
    if one.pos == "PUNCT" or two.pos == "PUNCT":
        return 1.4 if one.pos != two.pos else 0.4
    if one.lemma.lower() == two.lemma.lower() and one.lemma:
        return 0.2 if one.pos == two.pos else 0.45
    if one.pos == two.pos:
        pos = wordnet_pos(one)
        if pos:
            related = words.relation(one.text, two.text, pos)
            if related.source == SAME_WORD:
                return 0.25
            return 1.2 if related.relation is Relation.UNKNOWN else 0.8
        return 1.0
    if {one.pos, two.pos} <= {"NOUN", "PROPN", "PRON"} or {one.pos, two.pos} <= {"DET", "NUM", "PRON", "ADJ"}:
        return 1.3
    return 1.9


def _hunks(links: dict[int, int], rows: int, columns: int) -> tuple[Hunk, ...]:
    hunks = []
    i = j = 0
    for one, two in [*sorted(links.items()), (rows, columns)]:
        if one > i or two > j:
            hunks.append(Hunk(i, one, j, two))
        i, j = one + 1, two + 1
    return tuple(hunks)


def _slide(hunk: Hunk, premise: Tree, hypothesis: Tree, links: dict[int, int]) -> Hunk:
    """Where an inserted or deleted stretch could as well begin earlier, choose its most phrase-like place.

    "a dog and a [bird and a] cat" is the same change as "a dog [and a bird] and a cat", which hangs
    together. The links of the words in between are moved with it.
    """
    if (hunk.end > hunk.start) == (hunk.other_end > hunk.other_start):
        return hunk
    inserted = hunk.other_end > hunk.other_start
    tokens = (hypothesis if inserted else premise).tokens
    start, end = (hunk.other_start, hunk.other_end) if inserted else (hunk.start, hunk.end)
    fixed = hunk.start if inserted else hunk.other_start
    best, shift = _looseness(tokens, start, end), 0
    step = 1
    while (
        start >= step
        and fixed >= step
        and spelling(tokens[start - step]) == spelling(tokens[end - step])
        and links.get(fixed - step if inserted else start - step)
        == (start - step if inserted else fixed - step)
    ):
        found = _looseness(tokens, start - step, end - step)
        if found < best:
            best, shift = found, step
        step += 1
    for back in range(1, shift + 1):
        if inserted:
            links[fixed - back] = end - back
        else:
            del links[start - back]
            links[end - back] = fixed - back
    moved, fixed = (start - shift, end - shift), fixed - shift
    return Hunk(fixed, fixed, *moved) if inserted else Hunk(*moved, fixed, fixed)


def _looseness(tokens: tuple[Token, ...], start: int, end: int) -> float:
    """Loose ends; of two stretches with as many, one that begins with its coordinator is better."""
    return loose_ends(tokens, start, end) - (0.5 if tokens[start].dep == "cc" else 0.0)


def loose_ends(tokens: tuple[Token, ...], start: int, end: int, strict: bool = True) -> int:
    """How many arcs beyond one leave a stretch, coordination apart; or, if ``strict``, enter it.

    A stretch with none is a phrase, or (not strict) the head of one with some of its dependents.
    """
    leaving = 0
    for token in tokens[start:end]:
        if not start <= token.head < end or token.head == token.index:
            leaving += token.dep not in ("punct", "cc")
    if not strict:
        return max(leaving - 1, 0)
    entering = sum(
        1
        for token in tokens
        if not start <= token.index < end and start <= token.head < end and token.dep not in LOOSE
    )
    return max(leaving - 1, 0) + entering
