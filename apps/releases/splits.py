"""Training, validation and test parts, drawn from a seed so that related pairs stay together.

Two pairs are related where they share a premise, and a pair and its twin are; so are pairs that are
related through others. Such a *group* is in one split as a whole: no sentence that a model is trained on
as a premise is a premise of the test.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

# Equal premises that are worked through between two signs of life.
EDGES_A_TURN = 100_000
_SPLITMIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def premise_key(text: str) -> int:
    """64 bits of a premise (NFC is the digest's business; here the spelling is enough)."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Drawn:
    """For each pair in the order of its publication: the number of its split, and the place of its
    group's first pair."""

    split: Numbers
    group: Numbers


def groups(files: Iterable[Path], pairs: int, beat: Callable[[], None]) -> Numbers:
    """The place of the first pair of each pair's group (int32, one a pair).

    ``files`` hold records of (key as uint64, place as uint32). Some 40 bytes of memory a record.
    """
    import numpy as np

    record = np.dtype([("key", "<u8"), ("place", "<u4")])
    parts = [np.fromfile(path, dtype=record) for path in files]
    keys = np.concatenate([part["key"] for part in parts]) if parts else np.empty(0, "<u8")
    places = np.concatenate([part["place"] for part in parts]) if parts else np.empty(0, "<u4")
    del parts
    return joined(keys, places, pairs, beat)


def joined(keys: Numbers, places: Numbers, pairs: int, beat: Callable[[], None]) -> Numbers:
    """As :func:`groups`, of the premises' keys and the places of the pairs that have them."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    same = np.flatnonzero(keys[1:] == keys[:-1])
    ones, twos = places[same], places[same + 1]
    del keys, places, order, same
    first = array("i", range(pairs))
    for start in range(0, len(ones), EDGES_A_TURN):
        turn = slice(start, start + EDGES_A_TURN)
        for one, two in zip(ones[turn].tolist(), twos[turn].tolist(), strict=True):
            one, two = _root(first, one), _root(first, two)
            first[max(one, two)] = min(one, two)
        beat()
    for place in range(pairs):
        first[place] = _root(first, place)
    found: Numbers = np.array(first, dtype="<i4")
    return found


def _root(first: array[int], place: int) -> int:
    while first[place] != place:
        first[place] = first[first[place]]
        place = first[place]
    return place


def draw(group: Numbers, digests: Numbers, rows: Numbers, shares: Mapping[str, int], seed: int) -> Drawn:
    """Draw a split for each group, by the seed and the pairs' texts alone.

    ``digests`` are the first 64 bits of the pairs' digests, ``rows`` how many rows each pair is published
    as (two with a twin); ``shares`` are in percent of the rows. The largest groups come first, so that the
    small ones can make good what is left. Each goes by chance to a split that has room for it, the more
    room the likelier, and where none has, to the one that lacks most: so the shares are met up to what the
    last groups leave, and no split gets all of the large ones where another could take some.
    """
    import numpy as np

    pairs = len(group)
    smallest: Numbers = np.full(pairs, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, group, digests)
    sizes = np.bincount(group, weights=rows, minlength=pairs).astype(np.int64)
    roots = np.flatnonzero(sizes)
    chance = _mixed(smallest[roots], seed)
    order = np.lexsort((chance, -sizes[roots]))
    dice = (_mixed(chance, seed) >> np.uint64(11)).astype(np.float64) / 2**53
    roots, dice = roots[order], dice[order]
    lacking = [int(rows.sum()) * share / 100 for share in shares.values()]
    of_root: Numbers = np.zeros(pairs, dtype=np.uint8)
    for start in range(0, len(roots), EDGES_A_TURN):  # Python's own numbers take four times the memory
        turn = slice(start, start + EDGES_A_TURN)
        one_by_one = zip(roots[turn].tolist(), sizes[roots[turn]].tolist(), dice[turn].tolist(), strict=True)
        for root, size, thrown in one_by_one:
            chosen = _chosen(lacking, size, thrown)
            of_root[root] = chosen
            lacking[chosen] -= size
    return Drawn(of_root[group], group)


def _chosen(lacking: list[float], size: int, thrown: float) -> int:
    """The split for a group: ``thrown``, between 0 and 1, falls on one of those with room for it."""
    places = range(len(lacking))
    room = [lack if lack >= size else 0.0 for lack in lacking]
    left = thrown * sum(room)
    for place in places:
        if room[place] and left < room[place]:
            return place
        left -= room[place]
    return max(places, key=lacking.__getitem__)


def _mixed(values: Numbers, seed: int) -> Numbers:
    """Pseudo-random 64 bits for each value and the seed (SplitMix64, Steele et al. 2014)."""
    import numpy as np

    step, first, second = (np.uint64(constant) for constant in _SPLITMIX)
    salt = np.uint64(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "little"))
    with np.errstate(over="ignore"):
        mixed: Numbers = (values ^ salt) + step
        mixed = (mixed ^ (mixed >> np.uint64(30))) * first
        mixed = (mixed ^ (mixed >> np.uint64(27))) * second
        mixed ^= mixed >> np.uint64(31)
    return mixed
