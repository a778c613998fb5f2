"""Which pairs a network reads together, and how many at a time.

A batch is padded to its longest sequence, and padding costs what words cost. So a chunk's pairs are put in
the order of their lengths first, and outputs back in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# What a chunk is to take: short enough that a cancel, or somebody more urgent, waits for moments only.
SECONDS_A_CHUNK = 4.0
# The quickest model takes so many pairs in a chunk; the slowest, and each until it is known how quick it is,
# so many that they make batches of like lengths. Signs of life are given batch by batch.
MOST_PAIRS = 1000
FEWEST_PAIRS = 64


def by_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """The places of sequences of these ``lengths`` (in tokens), the longest first, in batches that hold at
    most ``tokens`` once they are padded; a longer sequence is a batch of its own. Attention of a batch takes
    heads × ``tokens`` × its length numbers, so ``tokens`` bounds the memory.

    >>> list(by_length([3, 9, 4, 3], 9))
    [[1], [2, 0], [3]]
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    begin = 0
    while begin < len(order):
        size = max(1, tokens // max(1, lengths[order[begin]]))
        yield order[begin : begin + size]
        begin += size


class Pace:
    """How many pairs a model reads in ``SECONDS_A_CHUNK``, by how long the last ones took.

    >>> pace = Pace()
    >>> pace.took(64, 1.0); pace.chunk
    256
    >>> pace.took(256, 10.0); pace.chunk
    102
    >>> pace.took(1, 3.0); pace.chunk
    102
    >>> pace.took(102, 60.0); pace.chunk
    64
    """

    def __init__(self) -> None:
        self.chunk = FEWEST_PAIRS

    def took(self, pairs: int, seconds: float) -> None:
        if 2 * pairs < self.chunk:  # the rest of a dataset, or one item at a time: no measure
            return
        fit = int(pairs * SECONDS_A_CHUNK / max(seconds, 1e-3))
        self.chunk = max(FEWEST_PAIRS, min(fit, 4 * self.chunk, MOST_PAIRS))
