"""What is counted while a release is read, for its card and manifest. As large as the number of labels,
tags and genres, however many pairs there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from apps.comparison.agreement import Agreement, agreements
from apps.comparison.judges import Judges
from apps.datasets.models import Dataset
from apps.releases.conflicts import Others
from apps.releases.judgements import Answers
from apps.releases.rows import CORRECTION, Published
from apps.releases.selection import Decided, Offer
from measures.undefined import Undefined

# More genres than this are no genres, but a name for each pair.
MOST_GENRES = 200
# Why there is no coefficient. Files that leave the program are in English.
_REASONS = {
    Undefined.NO_OVERLAP: "no pair has two answers that count",
    Undefined.NO_VARIATION: "every answer is the same",
}


@dataclass
class Tally:
    """Counts over the published pairs and over all judgements."""

    offer: Offer = field(default_factory=Offer)
    pairs: Counter[str] = field(default_factory=Counter)
    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    genres: Counter[str] = field(default_factory=Counter)
    premises: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    not_swapped: Counter[str] = field(default_factory=Counter)
    others: Others = field(default_factory=Others)
    unlabelled_by_calculus: int = 0
    assumed: int = 0
    assumed_not_known: int = 0
    corrected: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    agreement: dict[str, Any] = field(default_factory=dict)
    judgements: int = 0
    surplus: int = 0
    by_campaign: Counter[str] = field(default_factory=Counter)
    annotators: dict[str, set[str]] = field(default_factory=dict)
    simulated: set[str] = field(default_factory=set)

    def add_decision(self, row: Decided, *, swaps: bool) -> None:
        if swaps and row.bar:
            self.not_swapped[row.bar.kind] += 1

    def add_pairs(self, found: Sequence[Published]) -> None:
        self.pairs.update(item.origin for item in found)
        self.labels.update((item.direction, item.gold) for item in found)
        for item in found:
            self.tags.update(item.tags)
        for genre, pairs in Counter(item.genre for item in found).items():
            known = genre in self.genres or len(self.genres) < MOST_GENRES
            self.genres[genre if known else "…"] += pairs
        self.premises.update(len(item.premises) for item in found)
        self.words["premise"] += sum(len(text.split()) for item in found for text in item.premises)
        self.words["hypothesis"] += sum(len(item.hypothesis.split()) for item in found)
        self.corrected += sum(CORRECTION in item.facts for item in found)
        labels = [item.calculus for item in found if item.calculus is not None]
        self.unlabelled_by_calculus += sum(item.calculus is None for item in found if item.origin != "swap")
        self.assumed += sum(label.assumed is True for label in labels)
        self.assumed_not_known += sum(label.assumed is None for label in labels)

    def add_judgements(self, answers: Answers) -> None:
        """The judgements that are published, those that are not read for labels among them."""
        rows = [row for row, _item, _judge in answers.rows]
        self.judgements += len(rows)
        self.surplus += sum(not row.counted for row in rows)
        self.answers.update(row.answer for row in rows if row.answer)
        for judge, given in Counter(judge for _row, _item, judge in answers.rows).items():
            self.by_campaign[judge.campaign] += given
            self.annotators.setdefault(judge.campaign, set()).add(judge.annotator)
            if judge.simulated:
                self.simulated.add(judge.annotator)

    @property
    def people(self) -> set[str]:
        return set().union(*self.annotators.values())

    def agreement_read(self, dataset: Dataset, judges: Judges) -> None:
        """Krippendorff's α over the pairs with two judges or more; None where it is undefined, and then
        ``reason`` says why. On a scale also over its points. Two queries."""
        found = agreements(dataset, judges)
        self.agreement = {
            **_rounded(found.labels, "Krippendorff's alpha, nominal"),
            "ac1": None if found.labels.ac1 is None else round(found.labels.ac1, 6),
            "is_skewed": found.labels.is_skewed,
            "campaigns": [campaign.name for campaign in judges.campaigns],
            "on_halved_answers_of": [campaign.name for campaign in judges.halved],
            "points": found.points and _rounded(found.points, "Krippendorff's alpha, ordinal"),
        }

    def counts(self) -> dict[str, Any]:
        """The manifest's ``counts``."""
        total = self.pairs.total()
        return {
            "pairs": {"total": total, **dict(sorted(self.pairs.items()))},
            "labels": [
                {"direction": direction, "label": label, "pairs": number}
                for (direction, label), number in sorted(self.labels.items())
            ],
            "considered": self.offer.considered,
            "with_enough_judgements": self.offer.judged,
            "of_these_labelled_by_the_calculus": self.offer.labelled,
            "of_these_mostly_unnatural": self.offer.unnatural,
            "left_out_as_the_calculus_is_not_sure": self.offer.unsure,
            "decided_by_a_researcher": self.offer.decided,
            "of_these_on_answers_that_changed": self.offer.outdated,
            "labelled_otherwise": [asdict(count) for count in self.others.found],
            "not_swapped": dict(sorted(self.not_swapped.items())),
            "tags": dict(sorted(self.tags.items())),
            "genres": dict(sorted(self.genres.items())),
            "premises": {str(n): pairs for n, pairs in sorted(self.premises.items())},
            "mean_words": {
                name: round(words / total, 2) for name, words in sorted(self.words.items()) if total
            },
            "without_calculus_label": self.unlabelled_by_calculus,
            "calculus_labels_on_the_assumption": self.assumed,
            "calculus_labels_of_which_that_is_not_known": self.assumed_not_known,
            "corrected_by_hand": self.corrected,
            "judgements": self.judgements,
            "surplus_judgements": self.surplus,
            "answers": dict(sorted(self.answers.items())),
            "annotators": len(self.people),
            "simulated_annotators": len(self.simulated),
            "agreement": self.agreement,
            "campaigns": {
                name: {"judgements": number, "annotators": len(self.annotators[name])}
                for name, number in sorted(self.by_campaign.items())
            },
        }


def _rounded(found: Agreement, coefficient: str) -> dict[str, Any]:
    return {
        "coefficient": coefficient,
        "value": None if found.value is None else round(found.value, 6),
        "equal_answers": None if found.raw is None else round(found.raw, 6),
        "items": found.n,
        "reason": _REASONS[found.undefined] if found.undefined else "",
    }
