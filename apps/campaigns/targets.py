"""How many answers an item wants, and which of its answers count.

Pure functions; ``services/settling.py`` applies them to rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def wanted(answers: Sequence[str], target: int, maximum: int | None) -> int:
    """How many counted answers an item should have, given those it has.

    The first ``target`` answers are always asked. Where they all agree, or there is no ``maximum``, that
    is all. Where they disagree, one more is asked at a time, until the leading answer can't be reached
    by any other within ``maximum``, or ``maximum`` is there.

    >>> wanted(["yes", "yes", "yes"], 3, 5), wanted(["yes", "yes", "no"], 3, 5)
    (3, 4)
    >>> wanted(["yes", "yes", "no", "yes"], 3, 5), wanted(["yes", "yes", "no", "no"], 3, 5)
    (4, 5)
    >>> wanted(["yes", "no"], 2, 3), wanted(["yes", "no", "no"], 2, 3), wanted(["yes", "no"], 2, None)
    (3, 3, 2)
    """
    if maximum is None or maximum <= target or len(answers) < target:
        return target
    if len(answers) >= maximum or len(set(answers)) == 1:
        return max(target, min(len(answers), maximum))
    first, second = [*(n for _answer, n in Counter(answers).most_common(2)), 0][:2]
    is_decided = first - second > maximum - len(answers)
    return len(answers) if is_decided else len(answers) + 1
