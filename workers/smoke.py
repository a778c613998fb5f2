"""The smoke test of a model that is being registered: five plain pairs (``smoke_pairs.toml``).

The classic error is a wrong map from outputs to labels: everything runs, and every figure is wrong. A model
that is any good knows these pairs; one whose map is wrong is right on them under another order of its labels.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from apps.datasets.labels import ENTAILMENT
from apps.inference.labels import LabelError, fitted
from measures.label_orders import best_order
from workers.runtimes.runtime import Output, Runtime

_FILE = Path(__file__).with_name("smoke_pairs.toml")

#: Another order must be right on so many of the five, and on so many more than the one that stands.
LEAST_RIGHT, LEAST_MORE = 4, 2


@lru_cache(maxsize=1)
def _pairs() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["pairs"]
    return found


def smoke_pairs(labels: Sequence[str]) -> list[tuple[str, str, str]]:
    """Premise, hypothesis and the one of a model's ``labels`` that is right, five of them.

    >>> [label for _premise, _hypothesis, label in smoke_pairs(["entailment", "non-entailment"])]
    ['entailment', 'entailment', 'entailment', 'non-entailment', 'non-entailment']
    """
    chosen = "two" if len(labels) == 2 else "three"
    return [
        (pair["premise"], pair["hypothesis"], _wanted(pair["label"], labels))
        for pair in _pairs()
        if chosen in pair["sets"]
    ]


def smoke_sentences() -> list[str]:
    """Every sentence of the pairs, once."""
    return list(dict.fromkeys(pair[which] for pair in _pairs() for which in ("premise", "hypothesis")))


def _wanted(label: str, labels: Sequence[str]) -> str:
    try:
        return fitted(label, labels)
    except LabelError:  # of two labels, the other; of more, what doesn't entail
        return next(other for other in labels if other != ENTAILMENT)


def smoke_test(runtime: Runtime, labels: Sequence[str]) -> dict[str, Any]:
    """What the model says of the five pairs, as it is stored: ``pairs`` with ``wanted``, ``said`` and
    ``scores``; how many are ``right``; and ``meant``, what each label would have to mean for clearly more of
    them to be right (None where nothing looks turned round)."""
    pairs = smoke_pairs(labels)
    outputs = runtime.predict([(premise, hypothesis) for premise, hypothesis, _wanted in pairs])
    told: list[dict[str, Any]] = []
    counts: Counter[tuple[str, str]] = Counter()
    for (premise, hypothesis, wanted), output in zip(pairs, outputs, strict=True):
        said = output if isinstance(output, Output) else Output("", {})
        scores = {label: round(score, 6) for label, score in said.scores.items()}
        told.append({"premise": premise, "hypothesis": hypothesis, "wanted": wanted, "said": said.label})
        told[-1]["scores"] = scores
        counts[said.label, wanted] += 1
    order = best_order(counts, labels)
    is_turned = order.best >= LEAST_RIGHT and order.best - order.right >= LEAST_MORE
    return {"pairs": told, "right": order.right, "meant": order.meant if is_turned else None}
