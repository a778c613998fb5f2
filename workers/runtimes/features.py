"""What the learnt classifier sees of a pair: overlap, negation, length and edits, as plain numbers.

Words only, no parser: the figures are cheap and mean the same on every machine. The order of
:data:`NAMES` is part of a stored model, so a change here needs a new format number there.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise

from natlog.tokens import NEGATIONS, words_of

NAMES = (
    "share of the hypothesis' words found in the premise",
    "share of the premise's words found in the hypothesis",
    "words in common over all words",
    "neighbouring word pairs in common over the hypothesis' own",
    "premise negated",
    "hypothesis negated",
    "only one of the two negated",
    "premise length",
    "hypothesis length",
    "length difference over the longer",
    "words inserted over hypothesis length",
    "words deleted over premise length",
    "words substituted over hypothesis length",
    "inserted, both negated",
    "deleted, both negated",
    "the same words in another order",
)


def overlap(premise: str, hypothesis: str) -> float:
    """The share of the hypothesis' words (tokens) that the premise has, in [0, 1].

    >>> overlap("A black dog runs.", "A dog runs.")
    1.0
    """
    have = set(words_of(premise))
    wanted = words_of(hypothesis)
    return sum(word in have for word in wanted) / len(wanted) if wanted else 0.0


def features_of(premise: str, hypothesis: str) -> list[float]:
    """The figures of :data:`NAMES` for one pair, all finite, lengths in words."""
    first, second = words_of(premise), words_of(hypothesis)
    types, others = set(first), set(second)
    pairs, other_pairs = set(pairwise(first)), set(pairwise(second))
    negated = any(word in NEGATIONS for word in first)
    other_negated = any(word in NEGATIONS for word in second)
    inserted = deleted = substituted = 0
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "replace":
            substituted += min(b - a, d - c)
        if kind != "equal":
            inserted += max(0, (d - c) - (b - a))
            deleted += max(0, (b - a) - (d - c))
    longer = max(len(first), len(second), 1)
    both = negated and other_negated
    return [
        sum(word in types for word in second) / max(len(second), 1),
        sum(word in others for word in first) / max(len(first), 1),
        len(types & others) / max(len(types | others), 1),
        len(pairs & other_pairs) / max(len(other_pairs), 1),
        float(negated),
        float(other_negated),
        float(negated != other_negated),
        float(len(first)),
        float(len(second)),
        (len(second) - len(first)) / longer,
        inserted / max(len(second), 1),
        deleted / max(len(first), 1),
        substituted / max(len(second), 1),
        inserted / longer if both else 0.0,
        deleted / longer if both else 0.0,
        float(first != second and sorted(first) == sorted(second)),
    ]
