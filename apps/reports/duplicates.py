"""Near-duplicates: pairs of one split that stand, all but letter by letter, in another one too.

Two pairs are near-duplicates where the Jaccard similarity of their shingles is 0.8 or more. Shingles are
the sets of five characters in a row of the pair's words (:func:`natlog.tokens.words_of`), premises and
hypothesis with a bar between. Candidates come from MinHash (Broder 1997) with 64 hashes in 16 bands of 4;
those that are likely by their hashes are then compared exactly. So none is reported wrongly, and one of
similarity 0.8 is missed once in 2,900 times, of 0.9 never in practice. What is the same letter by letter is
found apart from that. Where many pairs share a bucket, each is compared with ten others of it, those that
stand nearest in order; the report says how many pairs met that limit and have no near-duplicate that was
found.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from natlog.tokens import words_of

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

SHINGLE = 5
LIKE = 0.8
BANDS, ROWS_A_BAND = 16, 4
# In a bucket, each pair is compared with so many on either side.
NEIGHBOURS = 5
# Compared at a time, for the memory.
SLICE = 50_000
# An estimate from 64 hashes stays that far below 0.8 about once in 8,000 times.
WORTH_COMPARING = 0.6
EXAMPLES = 10
BEAT_EVERY = 5000
_SEED = 20190801


@dataclass(frozen=True, slots=True)
class Text:
    """A pair's texts and the part that it belongs to."""

    premise: str
    hypothesis: str
    part: str


@dataclass
class Found:
    """How many pairs of part ``one`` have a near-duplicate in part ``two`` (``exact`` ones among them)."""

    one: str
    two: str
    pairs: int
    near: set[int] = field(default_factory=set)
    exact: set[int] = field(default_factory=set)
    unlike: set[tuple[int, int]] = field(default_factory=set)
    examples: list[list[str]] = field(default_factory=list)

    def add(self, one: int, two: int, texts: Sequence[Text]) -> None:
        self.near.add(one)
        if len(self.examples) < EXAMPLES and one not in self.exact:
            self.examples.append(
                [
                    texts[at].premise if side == 0 else texts[at].hypothesis
                    for at in (one, two)
                    for side in (0, 1)
                ]
            )


def normal(text: Text) -> str:
    """What is compared of a pair."""
    return f"{' '.join(words_of(text.premise))} | {' '.join(words_of(text.hypothesis))}"


def shingles(text: str) -> set[str]:
    """The runs of five characters; the whole text where it is shorter."""
    return {text[at : at + SHINGLE] for at in range(max(1, len(text) - SHINGLE + 1))}


def similarity(one: str, two: str) -> float:
    """Jaccard's: how many of all shingles both have.

    >>> similarity("abcdef", "abcdeg")
    0.3333333333333333
    """
    first, second = shingles(one), shingles(two)
    return len(first & second) / len(first | second)


def near_duplicates(
    texts: Sequence[Text], parts: Sequence[tuple[str, str]], beat: Callable[[], None]
) -> dict[str, Any]:
    """For each (one, two) of ``parts``: the pairs of part *one* that have a near-duplicate in part *two*
    (in the same part: another pair of it)."""
    normals = [normal(text) for text in texts]
    sizes: dict[str, int] = {}
    for text in texts:
        sizes[text.part] = sizes.get(text.part, 0) + 1
    found = [Found(one, two, sizes.get(one, 0)) for one, two in parts]
    for item in found:
        _find_exact(item, texts, normals)
    limited: set[int] = set()
    hashed = signatures(normals, beat)
    names = [text.part for text in texts]
    for keys in _bands(hashed):
        for item in found:
            _compare(keys, item, names, texts, normals, hashed, limited, beat)
    for item in found:
        limited -= item.near
    return {
        "like": LIKE,
        "limited": len(limited),
        "between": [
            {
                "one": item.one,
                "two": item.two,
                "pairs": item.pairs,
                "near": len(item.near),
                "exact": len(item.exact),
                "examples": item.examples,
            }
            for item in found
        ],
    }


def _find_exact(item: Found, texts: Sequence[Text], normals: Sequence[str]) -> None:
    """The pairs whose text stands in the other part letter by letter."""
    there: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        if text.part == item.two:
            there.setdefault(normals[at], []).append(at)
    for at, text in enumerate(texts):
        if text.part == item.one:
            same = there.get(normals[at], [])
            other = next((two for two in same[:2] if two != at), None)
            if other is not None:
                item.exact.add(at)
                item.add(at, other, texts)


def _compare(
    keys: Numbers,
    item: Found,
    names: Sequence[str],
    texts: Sequence[Text],
    normals: Sequence[str],
    hashed: Numbers,
    limited: set[int],
    beat: Callable[[], None],
) -> None:
    """Compare the pairs of part one with those of part two that share their bucket of one band."""
    import numpy as np

    parts = np.array(names, dtype=object)
    ones, twos = (np.flatnonzero(parts == name) for name in (item.one, item.two))
    if not len(ones) or not len(twos):
        return
    ones, twos = (those[np.argsort(keys[those], kind="stable")] for those in (ones, twos))
    first, last = (np.searchsorted(keys[twos], keys[ones], side) for side in ("left", "right"))
    # Each pair's place in its bucket: within a part its own, between parts the one that corresponds to it.
    begin, end = (np.searchsorted(keys[ones], keys[ones], side) for side in ("left", "right"))
    place = (np.arange(len(ones)) - begin) * (last - first) // (end - begin)
    limited.update(ones[last - first > 2 * NEIGHBOURS + 1].tolist())
    for step in range(-NEIGHBOURS, NEIGHBOURS + 1):
        at = first + place + step
        inside = np.flatnonzero((at >= first) & (at < last))
        for start in range(0, len(inside), SLICE):
            some = inside[start : start + SLICE]
            _compare_each(ones[some], twos[at[some]], item, texts, normals, hashed, beat)


def _compare_each(
    ones: Numbers,
    twos: Numbers,
    item: Found,
    texts: Sequence[Text],
    normals: Sequence[str],
    hashed: Numbers,
    beat: Callable[[], None],
) -> None:
    """The share of equal hashes estimates the similarity, at a hundredth of the cost."""
    likely = ((hashed[ones] == hashed[twos]).mean(axis=1) >= WORTH_COMPARING) & (ones != twos)
    for one, two in zip(ones[likely].tolist(), twos[likely].tolist(), strict=True):
        beat()
        if one not in item.near and (one, two) not in item.unlike:
            if similarity(normals[one], normals[two]) >= LIKE:
                item.add(one, two, texts)
            else:
                item.unlike.add((one, two))


def signatures(normals: Sequence[str], beat: Callable[[], None]) -> Numbers:
    """The MinHash of each text: a row of 64 numbers."""
    import numpy as np

    draw = np.random.default_rng(_SEED)
    hashes = BANDS * ROWS_A_BAND
    factors = draw.integers(1, 2**63, hashes, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    found: Numbers = np.empty((len(normals), hashes), dtype=np.uint32)
    for at, text in enumerate(normals):
        codes = np.fromiter((zlib.crc32(part.encode()) for part in shingles(text)), dtype=np.uint64)
        # Multiply and shift (Dietzfelbinger et al. 1997); the product wraps around at 2⁶⁴, as it should.
        with np.errstate(over="ignore"):
            found[at] = ((codes[:, None] * factors[None, :]) >> np.uint64(32)).min(axis=0)
        if at % BEAT_EVERY == 0:
            beat()
    return found


def _bands(found: Numbers) -> Iterator[Numbers]:
    """For each band, a number for each text: equal where all four hashes are."""
    import numpy as np

    factors = np.random.default_rng(_SEED + 1).integers(1, 2**63, ROWS_A_BAND, dtype=np.uint64)
    factors = factors * np.uint64(2) + np.uint64(1)
    for band in range(BANDS):
        part: Numbers = found[:, band * ROWS_A_BAND : (band + 1) * ROWS_A_BAND].astype(np.uint64)
        keys: Numbers = np.zeros(len(part), dtype=np.uint64)
        with np.errstate(over="ignore"):
            for column, factor in zip(part.T, factors, strict=True):
                keys = (keys ^ column) * factor
                keys ^= keys >> np.uint64(29)
        yield keys
