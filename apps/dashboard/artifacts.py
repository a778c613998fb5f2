"""What gives the label away without reading both sentences: words and lengths of hypotheses, the overlap of
their words with the premise's, a negating word; in the labels, in those that people and calculus agree on
(before and after filtering), and in what each model says.

A model that leans on a cue shows it by a larger score than the labels that it is measured against.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.comparison.judges import Judges
from apps.comparison.pairs import labelled, predicted
from apps.comparison.tallied import each
from apps.dashboard.selectors import comparable
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset, Premise
from apps.inference.models import Run
from measures.association import pmi, z_score
from measures.undefined import Undefined
from natlog.tokens import NEGATIONS, words_of

LABELS = (ENTAILMENT, NON_ENTAILMENT)
ALL, AGREED = "all", "agreed"
#: Fewer hypotheses than these with a word say nothing of it.
LEAST = 5
#: As many words are told, those with the largest scores.
MOST = 30
# What Gururangan and others (2018) add to each count, for corpora of half a million; here a pair's weight.
ADDED = 1
_COLUMNS = {"file": "file_label"}


@dataclass(frozen=True)
class Cue:
    """A word of the hypothesis: ``label`` is the one that comes with it more often than in all ("" in a
    source without both), ``share`` that label's share among the ``pairs`` with the word, ``pmi`` in bits
    (smoothed), ``z`` its z-score (Gardner et al. 2021, section 3.1), positive towards entailment."""

    pairs: int
    label: str
    share: float | None
    pmi: float | None
    z: float | None


@dataclass(frozen=True)
class Source:
    """One giver of labels, over ``pairs``: how often a rule of thumb gives its label. ``common`` is always
    saying its commoner label; ``longer`` are mean words of the hypothesis less those of the premise."""

    key: str
    pairs: int
    common: float | None
    overlap: float | None
    negation: float | None
    longer: dict[str, float]
    cues: dict[str, Cue] = field(default_factory=dict)


@dataclass(frozen=True)
class Artifacts:
    """``words`` in the order of how far they give the reference's label away, at most ``MOST``."""

    reference: str
    sources: list[Source]
    words: list[str]


def artifacts(dataset: Dataset, reference: str, judges: Judges, runs: Sequence[Run]) -> Artifacts:
    """``reference`` is one of ``REFERENCES`` (apps/dashboard/hard_pairs.py); two-way. Two queries; the pairs
    are read row by row."""
    premises: dict[int, list[str]] = defaultdict(list)
    rows = Premise.objects.filter(pair__dataset=dataset).order_by("pair_id", "position")
    for pair, text in rows.values_list("pair_id", "text").iterator(chunk_size=5000):
        premises[pair].append(text)
    names = [predicted(run) for run in runs]
    stored = dict.fromkeys(["pk", "hypothesis", "calculus", _COLUMNS.get(reference, reference), *names])
    columns = [name for name in stored if name != "human"]
    alike: dict[tuple[str, ...], _Alike] = defaultdict(_Alike)
    for row, answers in each(labelled(comparable(dataset), runs), judges, columns):
        of_pair = dict(zip(columns, row, strict=True), human=answers.human)
        label = of_pair[_COLUMNS.get(reference, reference)]
        agreed = label if answers.human == of_pair["calculus"] else ""
        said = (label, agreed, *(of_pair[name] for name in names))
        alike[said].add(premises.get(of_pair["pk"], []), of_pair["hypothesis"])
    tallies = {key: _Tally() for key in (ALL, AGREED, *names)}
    for said, facts in alike.items():
        for tally, label in zip(tallies.values(), said, strict=True):
            tally.add(facts, label)
    words = tallies[ALL].telling()
    sources = [tally.source(key, words) for key, tally in tallies.items() if tally.pairs]
    return Artifacts(reference, sources, words)


@dataclass
class _Alike:
    """What is counted of pairs of which every source says the same: how many have all their hypothesis' words
    in the premise, a negating word, each word; ``longer`` are the hypotheses' words less the premises'."""

    pairs: int = 0
    overlap: int = 0
    negation: int = 0
    longer: int = 0
    words: Counter[str] = field(default_factory=Counter)

    def add(self, premises: list[str], hypothesis: str) -> None:
        before = [word for text in premises for word in words_of(text)]
        after = words_of(hypothesis)
        words = set(after)
        self.pairs += 1
        self.overlap += words <= set(before)
        self.negation += bool(NEGATIONS & words)
        self.longer += len(after) - len(before)
        self.words.update(words)


@dataclass
class _Tally:
    """Counts over the pairs that have a label, by label."""

    labels: Counter[str] = field(default_factory=Counter)
    words: Counter[tuple[str, str]] = field(default_factory=Counter)
    overlap: int = 0
    negation: int = 0
    longer: Counter[str] = field(default_factory=Counter)

    @property
    def pairs(self) -> int:
        return self.labels.total()

    def add(self, facts: _Alike, label: str) -> None:
        if label not in LABELS:
            return
        self.labels[label] += facts.pairs
        self.longer[label] += facts.longer
        # McCoy et al. 2019: what has all its words in the premise follows; whatever negates does not.
        entails = label == ENTAILMENT
        self.overlap += facts.overlap if entails else facts.pairs - facts.overlap
        self.negation += facts.pairs - facts.negation if entails else facts.negation
        for word, number in facts.words.items():
            self.words[word, label] += number

    def telling(self) -> list[str]:
        scored = []
        for word in {word for word, _label in self.words}:
            cue = self.cue(word)
            if cue.pairs >= LEAST and cue.z is not None:
                scored.append((-abs(cue.z), word))
        return [word for _score, word in sorted(scored)[:MOST]]

    def cue(self, word: str) -> Cue:
        both, other = self.words[word, ENTAILMENT], self.words[word, NON_ENTAILMENT]
        having, total = both + other, self.pairs
        prior = self.labels[ENTAILMENT] / total if total else 0.0
        z = z_score(both, having, prior)
        if isinstance(z, Undefined):
            return Cue(having, "", None, None, None)
        label = ENTAILMENT if z >= 0 else NON_ENTAILMENT
        with_label = both if z >= 0 else other
        bits = pmi(with_label, having, self.labels[label], total, added=ADDED)
        return Cue(having, label, with_label / having, None if isinstance(bits, Undefined) else bits, z)

    def source(self, key: str, words: Sequence[str]) -> Source:
        total = self.pairs
        return Source(
            key,
            total,
            max(self.labels.values()) / total,
            self.overlap / total,
            self.negation / total,
            {label: self.longer[label] / self.labels[label] for label in LABELS if self.labels[label]},
            {word: self.cue(word) for word in words},
        )


def probe_of(dataset: Dataset) -> Any:
    """The newest finished report on the whole dataset that has the hypothesis alone tried; None without one.
    One query."""
    reports = dataset.balance_reports.filter(release=None).exclude(finished_at=None).order_by("-pk")
    return next((one for one in reports[:5] if "probe" in one.facts), None)
