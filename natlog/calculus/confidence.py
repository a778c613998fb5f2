"""How sure a verdict is: the evidence for it, weighed as it came true on labelled pairs.

A verdict's confidence is the probability that its label is the pair's own: of three labels where people gave
three, of entailment and the rest where they gave two. The weights are three logistic regressions, one for
each label, in ``confidence.json``; ``bench/confidence.py`` fits them again. Signs of trouble
(:data:`TROUBLE`) never raise a confidence: the fit holds their weights at 0 or below.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path

from natlog.calculus.evidence import Evidence

MODEL = Path(__file__).parent / "confidence.json"

UNREAD_CONFIDENCE = 0.1
"""The confidence of a verdict that was not read. It gives no label, so there is nothing to come true; it is
low, so that no threshold lets it through. (Taken for non-entailment it would be right more often.)"""

VOTED_CONFIDENCE = 0.25
"""The most confidence in what rests on an embedding's vote: weights were fitted without one, and
encoders differ."""

LOWEST, HIGHEST = 0.11, 0.995
"""Bounds of what is read: above what is not, and short of a certainty that no file can show."""

USUAL_LENGTH = 8
"""Words of a sentence that is neither short nor long, in tokens."""

LOUD = 0.3
"""Log-odds that a sign must cost to be named as a doubt."""

_BOTH = frozenset({"unknown", "assumed", "weak", "doubtful", "repaired", "long", "broken", "reworded"})
TROUBLE: dict[str, frozenset[str]] = {
    "entailment": _BOTH | {"several unknown", "share", "changes"},
    "contradiction": _BOTH | {"several unknown", "share", "changes"},
    "non-entailment": _BOTH,
}
"""Signs that can only lower a confidence. (The more differs, the surer it is that nothing follows.)"""

_WORDS = {
    "unknown": "an unknown word relation",
    "assumed": "an unknown word is taken to be more specific",
    "several unknown": "several unknown words",
    "weak": "a word relation of rare senses",
    "doubtful": "a doubtful parse",
    "repaired": "a repaired parse",
    "long": "a long sentence",
    "broken": "what changed is not one phrase",
    "reworded": "read in other words",
    "share": "much of the sentence differs",
    "changes": "several changes at once",
    "both ways": "words were dropped and others added",
    "inserted": "words were added",
    "deleted": "words were dropped",
    "coordinated": "an added *and* or *or*",
    "synonymous": "words taken to say the same",
    "quantifier": "a changed quantifier",
    "negation": "a changed negation",
    "under": "a place that is not ↑",
    "replaced": "a word was replaced",
    "excluding": "words that exclude each other",
    "crossing": "words of which neither is the more general",
    "veridical, unknown": "an unknown word in an embedded clause",
    "veridical, known": "a clause let out of its predicate",
}


def signs(evidence: Evidence) -> dict[str, float]:
    """The evidence as numbers for the model, by name; all but ``long`` are 0 where nothing is to be said."""
    unknown = evidence.unknown > 0
    return {
        "unknown": float(unknown and not evidence.assumed),
        "assumed": float(unknown and evidence.assumed),
        "several unknown": float(evidence.unknown > 1),
        "share": evidence.share,
        "weak": 1 - evidence.weakest,
        "synonymous": float(evidence.synonymous),
        "doubtful": float(evidence.parse < 0.7),
        "repaired": float(evidence.repaired),
        "changes": float(max(0, min(evidence.changes, 6) - 1)),
        "long": math.log(min(max(evidence.length, 4), 60) / USUAL_LENGTH),
        "under": float(evidence.under),
        "veridical, known": float(evidence.veridical and not unknown),
        "veridical, unknown": float(evidence.veridical and unknown),
        "reworded": float(evidence.reworded),
        "quantifier": float(evidence.quantifier),
        "negation": float(evidence.negation),
        "inserted": float(evidence.inserted),
        "deleted": float(evidence.deleted),
        "both ways": float(evidence.inserted and evidence.deleted),
        "broken": float(evidence.broken),
        "coordinated": float(evidence.coordinated),
        "excluding": float(evidence.excluding),
        "replaced": float(evidence.replaced),
        "crossing": float(evidence.crossing),
    }


@lru_cache(maxsize=1)
def weights() -> dict[str, dict[str, float]]:
    """The fitted weights in log-odds, by label and sign; "base" is the label's own."""
    model: dict[str, dict[str, float]] = json.loads(MODEL.read_text(encoding="utf-8"))["weights"]
    return model


def confidence(evidence: Evidence) -> float:
    """The probability in [0, 1] that the label is right, to three places."""
    if not evidence.read:
        return UNREAD_CONFIDENCE
    by_label = weights()[evidence.label]
    odds = by_label["base"] + sum(by_label[name] * value for name, value in signs(evidence).items())
    highest = VOTED_CONFIDENCE if evidence.voted else HIGHEST
    return round(min(max(1 / (1 + math.exp(-odds)), LOWEST), highest), 3)


def doubts(evidence: Evidence) -> tuple[str, ...]:
    """What made the confidence lower than it could be, in words, the weightiest first."""
    if not evidence.read:
        return ("not read",)
    by_label = weights()[evidence.label]
    costs = {name: by_label[name] * value for name, value in signs(evidence).items()}
    named = sorted((cost, name) for name, cost in costs.items() if cost <= -LOUD)
    vote = ("an embedding's vote",) if evidence.voted else ()
    return vote + tuple(_WORDS[name] for _, name in named)
