"""What the hypothesis alone gives away of the label (Poliak et al. 2018; Gururangan et al. 2018).

A logistic regression on the TF-IDF weights of the hypothesis' words and pairs of neighbouring words, in
five-fold cross-validation: pairs that share a sentence, premise or hypothesis, directly or through other
pairs, are in one *group* and so in one fold, and each pair is predicted by a model that saw none of its
fold. (By the premise alone, a swapped twin could be learnt from: the same sentences with the other label.)
Beside it, the share of the most frequent label. The 95 % interval comes from drawing groups anew, a thousand
times, since the pairs of one group are not independent of each other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from apps.jobs.wording import Wording, wording
from apps.reports.rows import Row
from apps.reports.shares import share
from measures.intervals import cluster_bootstrap
from measures.undefined import Undefined
from natlog.tokens import words_of

FOLDS = 5
# More are drawn from, by the seed.
MOST_PAIRS = 20_000
LEAST_PAIRS = 50
DRAWS = 1000
SETUP = gettext_noop("TF-IDF of words and pairs of words, logistic regression")


def probe(rows: Sequence[Row], *, seed: int, beat: Callable[[], None]) -> dict[str, Any]:
    """``accuracy`` with its ``interval``, beside ``majority``; or ``undefined``, the reason why not
    (in English; ``why`` has it for every language)."""
    labelled = [row for row in rows if row.label]
    if len(labelled) > MOST_PAIRS:
        labelled = random.Random(seed).sample(labelled, MOST_PAIRS)
    if why := _undefined(labelled):
        told = {"text": why.text, "values": why.values}
        return {"undefined": why.in_english, "why": told, "pairs": len(labelled)}
    groups = groups_of(labelled)
    right = _right(labelled, groups, seed, beat)
    beat()
    labels = Counter(row.label for row in labelled)
    accuracy = sum(right) / len(right)
    interval = cluster_bootstrap(right, groups, seed=seed, draws=DRAWS)
    assert not isinstance(interval, Undefined), "there are pairs"
    low, high = interval
    majority = max(labels.values()) / len(labelled)
    return {
        "undefined": "",
        "pairs": len(labelled),
        "groups": len(set(groups)),
        "accuracy": round(accuracy, 4),
        "interval": [round(low, 4), round(high, 4)],
        "majority": round(majority, 4),
        "above": low > majority,
        "by_label": {
            label: share(
                sum(hit for hit, row in zip(right, labelled, strict=True) if row.label == label),
                labels[label],
            )
            for label in sorted(labels)
        },
        "seed": seed,
        "library": _library(),
    }


def _undefined(rows: Sequence[Row]) -> Wording | None:
    if len(rows) < LEAST_PAIRS:
        text = gettext_noop("pairs with a label: %(n)d, at least %(least)d are wanted")
        return wording(text, n=len(rows), least=LEAST_PAIRS)
    labels = Counter(row.label for row in rows)
    if len(labels) < 2:
        return wording(gettext_noop("no variation: every pair has the same label"))
    if min(labels.values()) < FOLDS:
        rare = min(labels, key=lambda label: (labels[label], label))
        text = gettext_noop("pairs with the label %(label)s: %(n)d, at least %(least)d are wanted")
        return wording(text, label=rare, n=labels[rare], least=FOLDS)
    if len(set(groups_of(rows))) < FOLDS:
        return wording(
            gettext_noop("fewer than %(least)d groups of pairs that share no sentence"), least=FOLDS
        )
    return None


def groups_of(rows: Sequence[Row]) -> list[int]:
    """The number of each pair's group, from 0."""
    above: dict[str, str] = {}

    def root(text: str) -> str:
        above.setdefault(text, text)
        while above[text] != text:
            above[text] = above[above[text]]
            text = above[text]
        return text

    for row in rows:
        above[root(row.premise)] = root(row.hypothesis)
    numbers: dict[str, int] = {}
    return [numbers.setdefault(root(row.premise), len(numbers)) for row in rows]


def _right(rows: Sequence[Row], groups: Sequence[int], seed: int, beat: Callable[[], None]) -> list[bool]:
    """For each row, whether the model that did not see its fold says its label."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold
    from sklearn.pipeline import make_pipeline

    texts = [row.hypothesis for row in rows]
    labels = [row.label for row in rows]
    right = [False] * len(rows)
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    for seen, unseen in folds.split(texts, labels, groups):
        model = make_pipeline(
            TfidfVectorizer(tokenizer=words_of, token_pattern=None, lowercase=False, ngram_range=(1, 2)),
            LogisticRegression(max_iter=1000),
        )
        if len({labels[at] for at in seen}) < 2:
            continue  # nothing to learn in this fold: its pairs count as wrong
        model.fit([texts[at] for at in seen], [labels[at] for at in seen])
        for at, said in zip(unseen, model.predict([texts[at] for at in unseen]), strict=True):
            right[at] = bool(said == labels[at])
        beat()
    return right


def _library() -> str:
    from sklearn import __version__

    return f"scikit-learn {__version__}"
