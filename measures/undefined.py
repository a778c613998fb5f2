"""Why a figure is undefined."""

from __future__ import annotations

from enum import StrEnum


class Undefined(StrEnum):
    """A reason in place of a number; comparing it with a number raises ``TypeError``.

    >>> from measures.association import pmi
    >>> pmi(0, 3, 4, 10)
    <Undefined.ZERO_COUNT: 'zero-count'>
    """

    NO_OVERLAP = "no-overlap"  # no item has the answers of two
    NO_VARIATION = "no-variation"  # everybody gave one and the same label
    ZERO_COUNT = "zero-count"  # what a logarithm or a ratio would be taken of never happened
    NOTHING_OBSERVED = "nothing-observed"  # there are no observations at all
    UNEQUAL_RATERS = "unequal-raters"  # items have different numbers of answers
