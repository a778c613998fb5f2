"""Scores of labels against a pair file's own: accuracy in all and by group, confusion, baselines, tags."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from natlog.calculus.tags import TAGS
from natlog.calculus.verdict import Verdict
from natlog.calibration import THRESHOLDS, Bin, Reach, bins, calibration_error, reach
from natlog.pairs import Pair

DIRECTIONS = {
    "upward_monotone": "upward",
    "downward_monotone": "downward",
    "non_monotone": "non-monotone",
}
"""How MED's genre column names the directions."""


@dataclass(frozen=True, slots=True)
class Share:
    """``right`` of ``n``."""

    right: int
    n: int

    @property
    def accuracy(self) -> float | None:
        """The fraction, or None of nothing."""
        return self.right / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class PairScores:
    """Accuracy of one labelling; ``directions``, ``genres``, ``tags`` split it by the file's genre column.

    ``confusion`` counts (gold, given); ``majority`` and ``downward`` are the baselines that always give the
    commonest label, and that take every place for ↓ (an added word entails, a dropped one doesn't).
    ``tagging`` holds (precision, recall) of each MED tag, None where undefined. ``read`` is the
    accuracy of the verdicts that were read; elsewhere one that was not counts as non-entailment.
    """

    all: Share
    directions: dict[str, Share]
    genres: dict[str, Share]
    tags: dict[str, Share]
    confusion: dict[tuple[str, str], int]
    majority: Share
    downward: Share
    direction_agreement: Share
    tagging: dict[str, tuple[float | None, float | None]]
    read: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """Whether the confidence of the verdicts that were read comes true: the expected calibration error (None
    of nothing), its bins, and what thresholds leave."""

    error: float | None
    bins: list[Bin]
    reaches: list[Reach]


def calibration(pairs: Sequence[Pair], verdicts: Sequence[Verdict], labels: int = 2) -> Calibration:
    """The calibration of verdicts on pairs that all carry a label."""
    read = [(pair, verdict) for pair, verdict in zip(pairs, verdicts, strict=True) if verdict.read]
    values = [verdict.confidence for _, verdict in read]
    right = [fold(pair.label, labels) == fold(verdict.label, labels) for pair, verdict in read]
    reaches = [reach(values, right, threshold) for threshold in THRESHOLDS]
    return Calibration(calibration_error(values, right), bins(values, right), reaches)


def fold(label: str, labels: int) -> str:
    """A label as one of two (entailment or not) or of three."""
    if labels == 2:
        return "entailment" if label == "entailment" else "non-entailment"
    return "neutral" if label == "non-entailment" else label


def direction_of(genre: str) -> str:
    """The direction that a genre in MED's manner names, or ""."""
    return next((DIRECTIONS[part] for part in genre.split(":") if part in DIRECTIONS), "")


def score(pairs: Sequence[Pair], verdicts: Sequence[Verdict], labels: int = 2) -> PairScores:
    """Score verdicts against pairs that all carry a label."""
    golds = [fold(pair.label, labels) for pair in pairs]
    given = [fold(verdict.label, labels) for verdict in verdicts]
    right = [gold == label for gold, label in zip(golds, given, strict=True)]
    by: dict[str, dict[str, list[bool]]] = {name: defaultdict(list) for name in ("direction", "genre", "tag")}
    for pair, hit in zip(pairs, right, strict=True):
        by["direction"][direction_of(pair.genre)].append(hit)
        by["genre"][pair.genre].append(hit)
        for tag in TAGS:
            if tag in pair.genre.split(":"):
                by["tag"][tag].append(hit)
    commonest = Counter(golds).most_common(1)[0][1]
    downward = [_downward(verdict) for verdict in verdicts]
    directed = [(direction_of(p.genre), v.direction) for p, v in zip(pairs, verdicts, strict=True)]
    directed = [item for item in directed if item[0]]
    return PairScores(
        all=_share(right),
        directions={name: _share(hits) for name, hits in sorted(by["direction"].items()) if name},
        genres={name: _share(hits) for name, hits in sorted(by["genre"].items()) if name},
        tags={name: _share(by["tag"][name]) for name in TAGS if name in by["tag"]},
        confusion=dict(Counter(zip(golds, given, strict=True))),
        majority=Share(commonest, len(golds)),
        downward=_share([gold == label for gold, label in zip(golds, downward, strict=True)]),
        direction_agreement=_share([gold == label for gold, label in directed]),
        tagging={tag: _precision_recall(pairs, verdicts, tag) for tag in TAGS if tag in by["tag"]},
        read=_share([hit for hit, verdict in zip(right, verdicts, strict=True) if verdict.read]),
    )


def _share(hits: Sequence[bool]) -> Share:
    return Share(sum(hits), len(hits))


def _downward(verdict: Verdict) -> str:
    """What the baseline says that takes every place for downward."""
    specific = all(edit.relation in ("⊐", "≡") for edit in verdict.edits)
    return "entailment" if specific else "non-entailment"


def _precision_recall(
    pairs: Sequence[Pair], verdicts: Sequence[Verdict], tag: str
) -> tuple[float | None, float | None]:
    gold = [tag in pair.genre.split(":") for pair in pairs]
    given = [tag in verdict.tags for verdict in verdicts]
    both = sum(one and two for one, two in zip(gold, given, strict=True))
    return (both / sum(given) if any(given) else None, both / sum(gold) if any(gold) else None)


def half(pairs: Sequence[Pair], which: str) -> list[Pair]:
    """The even or odd half of a file; pairs of the same two sentences, either way round, stay together."""
    groups: dict[frozenset[str], int] = {}
    wanted = {"even": 0, "odd": 1}[which]
    return [
        pair
        for pair in pairs
        if groups.setdefault(frozenset((pair.premise, pair.hypothesis)), len(groups)) % 2 == wanted
    ]
