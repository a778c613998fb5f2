"""Shares of labels and directions, lengths, negation cues, and how many pairs are downward inferences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from apps.datasets.labels import ENTAILMENT
from apps.datasets.models import Direction
from apps.reports.rows import Row
from measures.association import odds_ratio, pmi
from measures.undefined import Undefined
from natlog.tokens import NEGATIONS, words_of

ANY_NEGATION = "any of them"


def balance(rows: Sequence[Row]) -> dict[str, Any]:
    """Pairs by direction and label, and by split and label; unlabelled ones are counted apart."""
    cells = Counter((row.direction, row.label) for row in rows)
    splits = Counter((row.split, row.label) for row in rows)  # in the order of the splits
    labels = Counter(row.label for row in rows if row.label)
    most = max(labels, key=lambda label: (labels[label], label), default="")
    return {
        "pairs": len(rows),
        "labelled": labels.total(),
        "labels": dict(sorted(labels.items())),
        "directions": dict(sorted(Counter(row.direction for row in rows).items())),
        "cells": [[direction, label, n] for (direction, label), n in sorted(cells.items())],
        "splits": [[split, label, n] for (split, label), n in splits.items()],
        "most": most,
        "most_share": share(labels[most], labels.total()),
    }


def lengths(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each label: mean words of premise and hypothesis, and how often the hypothesis is the longer."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        if row.label:
            sizes = len(words_of(row.premise)), len(words_of(row.hypothesis))
            found.setdefault(row.label, []).append(sizes)
    return [
        {
            "label": label,
            "pairs": len(sizes),
            "premise": round(sum(one for one, _two in sizes) / len(sizes), 2),
            "hypothesis": round(sum(two for _one, two in sizes) / len(sizes), 2),
            "longer": share(sum(two > one for one, two in sizes), len(sizes)),
            "equal": share(sum(two == one for one, two in sizes), len(sizes)),
            "shorter": share(sum(two < one for one, two in sizes), len(sizes)),
        }
        for label, sizes in sorted(found.items())
    ]


def cues(rows: Sequence[Row]) -> dict[str, Any]:
    """What a negating word in the hypothesis says of the label.

    For each word, and for having any: the pairs with it by label, the label's share among them, its
    pointwise mutual information with the cue, and the odds ratio of entailment with the cue against without
    it, with its 95 % interval (``measures.association``). None where a count is 0.
    """
    labels: Counter[str] = Counter()
    having: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if not row.label:
            continue
        labels[row.label] += 1
        found = NEGATIONS & set(words_of(row.hypothesis))
        for word in found:
            having[word, row.label] += 1
        if found:
            having[ANY_NEGATION, row.label] += 1
    words = Counter({word: 0 for word, _label in having})
    for (word, _label), n in having.items():
        words[word] += n
    order = sorted(words, key=lambda word: (word != ANY_NEGATION, -words[word], word))
    return {
        "labels": dict(sorted(labels.items())),
        "cues": [
            _cue(word, {label: having[word, label] for label in sorted(labels)}, labels) for word in order
        ],
    }


def _cue(word: str, counts: dict[str, int], labels: Counter[str]) -> dict[str, Any]:
    n, total = sum(counts.values()), labels.total()
    return {
        "cue": word,
        "pairs": n,
        "counts": counts,
        "shares": {label: share(count, n) for label, count in counts.items()},
        "pmi": {label: _pmi(count, n, labels[label], total) for label, count in counts.items()},
        "odds": _odds(
            counts.get(ENTAILMENT, 0),
            n - counts.get(ENTAILMENT, 0),
            labels[ENTAILMENT] - counts.get(ENTAILMENT, 0),
            total - n - labels[ENTAILMENT] + counts.get(ENTAILMENT, 0),
        ),
    }


def _odds(a: int, b: int, c: int, d: int) -> list[float] | None:
    """The odds ratio, rounded, with its interval; None where it is undefined."""
    found = odds_ratio(a, b, c, d)
    figures = [figure for figure in (found.value, found.low, found.high) if figure is not None]
    return [round(figure, 3) for figure in figures] or None


def _pmi(both: int, one: int, other: int, total: int) -> float | None:
    found = pmi(both, one, other, total)
    return None if isinstance(found, Undefined) else round(found, 3)


def downward(rows: Sequence[Row]) -> dict[str, Any]:
    """Natlog's directions and labels: how many pairs change a downward place, and on how many of these the
    sentence follows, which is a downward inference (MED, section 4.3, looked for them in MultiNLI)."""
    labelled = [row for row in rows if row.calculus]
    cells = Counter((row.place, row.calculus) for row in labelled)
    at_downward = [row for row in labelled if row.place == Direction.DOWNWARD]
    known = [row for row in at_downward if row.monotone is not None]
    return {
        "pairs": len(rows),
        "labelled": len(labelled),
        "cells": [[place, label, n] for (place, label), n in sorted(cells.items())],
        "downward": len(at_downward),
        "entailed": sum(row.calculus == ENTAILMENT for row in at_downward),
        "monotone": sum(row.monotone is True for row in known) if known else None,
        "monotone_entailed": sum(row.monotone is True and row.calculus == ENTAILMENT for row in known)
        if known
        else None,
    }


def share(part: int, whole: int) -> float | None:
    """A share, rounded; None of nothing."""
    return round(part / whole, 6) if whole else None
