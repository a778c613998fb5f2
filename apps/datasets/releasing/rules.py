"""Which pairs a release takes, under which gold label, and which of them get a swapped twin.

MED (section 3.1.3) published the pairs on which all three annotators gave the label that the calculus
had determined, and swapped premise and hypothesis of those whose label turns over with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db.models import Case, CharField, Exists, F, OuterRef, When
from django.utils.translation import gettext_lazy as _

from apps.datasets.comparison import NO_LABEL, NO_MAJORITY, NOT_JUDGED, TIE, ComparedPairs, compared
from apps.datasets.digests import pair_digest
from apps.datasets.models import ENTAILMENT, NON_ENTAILMENT, UNNATURAL, Dataset, Direction, Pair, Tag
from apps.datasets.services import BY_HAND, NO_SWAP

ALL_MATCH = "all"
AT_LEAST = "at-least"
MAJORITY = "majority"
RULE_NAMES = {
    ALL_MATCH: _("Every judgement matches the calculus label"),
    AT_LEAST: _("At least so many judgements match the calculus label"),
    MAJORITY: _("The label that most people gave"),
}

# Pairs read at a time while twins are decided on.
BATCH = 500

REVERSED = {ENTAILMENT: NON_ENTAILMENT, NON_ENTAILMENT: ENTAILMENT}


@dataclass(frozen=True)
class Options:
    """A release's rule. ``judgements`` is how many a pair needs at least; ``matches`` is for
    ``at-least``; with ``drop_unnatural`` one *unnatural* answer is enough to leave a pair out
    (a majority of them always is); ``swaps`` adds the twins."""

    rule: str = ALL_MATCH
    judgements: int = 3
    matches: int = 2
    drop_unnatural: bool = False
    swaps: bool = True

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Options:
        return cls(**{name: stored[name] for name in cls.__dataclass_fields__ if name in stored})

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def candidates(dataset: Dataset) -> ComparedPairs:
    """The dataset's pairs that a rule may choose: all but twins, with everything said of them."""
    by_hand = Tag.objects.filter(pair=OuterRef("pk"), name=NO_SWAP, source=BY_HAND)
    pairs: ComparedPairs = compared(dataset.pairs.exclude(origin=Pair.Origin.SWAP)).annotate(
        swap_excluded=Exists(by_hand)
    )
    return pairs


def chosen(dataset: Dataset, options: Options) -> ComparedPairs:
    """The pairs that the rule takes, with their label as ``gold``, in the order of their numbers."""
    pairs: ComparedPairs = (
        candidates(dataset).filter(judgements__gte=options.judgements).exclude(human=UNNATURAL)
    )
    if options.drop_unnatural:
        pairs = pairs.filter(unnatural=0)
    if options.rule == MAJORITY:
        settled = Case(
            When(human__in=[TIE, NO_MAJORITY], then=F("adjudicated")),
            default=F("human"),
            output_field=CharField(),
        )
        pairs = pairs.annotate(gold=settled).exclude(gold__in=[NO_LABEL, NOT_JUDGED])
    else:
        pairs = pairs.exclude(calculus=NO_LABEL).annotate(gold=F("calculus"))
        least = F("judgements") if options.rule == ALL_MATCH else options.matches
        pairs = pairs.filter(matches__gte=least)
    return pairs


@dataclass
class Preview:
    """What a rule would take and leave, before anything is written."""

    considered: int = 0
    judged: int = 0
    labelled: int = 0
    unnatural: int = 0
    chosen: Counter[tuple[str, str]] = field(default_factory=Counter)
    twins: int = 0
    not_swapped: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.chosen.total()

    @property
    def entailments(self) -> int:
        return sum(n for (_place, label), n in self.chosen.items() if label == ENTAILMENT)

    @property
    def non_entailments(self) -> int:
        return self.total - self.entailments

    @property
    def table(self) -> list[tuple[str, int, int, int]]:
        """A row for each direction: its name, entailments, non-entailments, both (MED, Table 5)."""
        rows = []
        for place in (*Direction.values, ""):
            e, n = self.chosen[place, ENTAILMENT], self.chosen[place, NON_ENTAILMENT]
            if place or e + n:
                rows.append((place, e, n, e + n))
        return rows

    @property
    def bars(self) -> list[tuple[str, int]]:
        """Why pairs get no twin, with their numbers, the most frequent first."""
        return self.not_swapped.most_common()

    def why_empty(self, options: Options) -> str:
        """In plain words, why the rule takes nothing; "" where it takes something."""
        if self.total:
            return ""
        if not self.considered:
            return "The dataset has no pairs yet."
        if not self.judged:
            return f"No pair has {options.judgements} judgements that count yet."
        if options.rule != MAJORITY and not self.labelled:
            return "No pair has a calculus label yet."
        return "No pair meets the rule."


def survey(dataset: Dataset, options: Options) -> Preview:
    """What the dataset has to offer to a rule, before any pair is chosen. One query."""
    found = Preview()
    rows = candidates(dataset).values_list("judgements", "calculus", "human")
    for judgements, calculus, human in rows.iterator():
        enough = judgements >= options.judgements
        found.considered += 1
        found.judged += enough
        found.labelled += enough and calculus != NO_LABEL
        found.unnatural += enough and human == UNNATURAL
    return found


def preview(dataset: Dataset, options: Options) -> Preview:
    """Counts for a rule. Two queries, and three for each batch of chosen pairs."""
    found = survey(dataset, options)
    for row in decided(dataset, options):
        found.chosen[row.pair.place, row.pair.gold] += 1
        if options.swaps:
            found.twins += row.bar is None
            if row.bar:
                found.not_swapped[row.bar.kind] += 1
    return found


class Bar(NamedTuple):
    """Why a chosen pair gets no twin: of a kind that can be counted, and in particular."""

    kind: str
    reason: str


@dataclass(frozen=True)
class Decided:
    """A chosen pair, and what bars its twin (None where it gets one)."""

    pair: Any
    bar: Bar | None


def decided(dataset: Dataset, options: Options, *, after: int = 0) -> Iterator[Decided]:
    """The chosen pairs above number ``after``, each with the decision on its twin.

    One query for all of the numbers, then three for each batch of pairs.
    """
    pairs = chosen(dataset, options).annotate(label_detail=F("current__detail"))
    numbers = list(pairs.filter(pk__gt=after).values_list("pk", flat=True))
    for start in range(0, len(numbers), BATCH):
        batch = pairs.filter(pk__in=numbers[start : start + BATCH]).prefetch_related("premises")
        rows = list(batch)
        taken = _taken_by_others(dataset, rows)
        for pair in rows:
            yield Decided(pair, bar_of(pair, taken))


def exchanged_digest(pair: Pair) -> str:
    """The digest of the pair with premise and hypothesis exchanged."""
    return pair_digest([pair.hypothesis], pair.premise)


def bar_of(pair: Any, taken: set[str]) -> Bar | None:
    """Why premise and hypothesis of a chosen pair are not exchanged; None where they are.

    ``taken`` holds the digests of exchanged pairs that stand in the dataset in their own right.
    """
    if pair.swap_excluded:
        return Bar("excluded by hand", "a researcher excluded the pair")
    if len(pair.premises.all()) != 1:
        return Bar("several premises", "there is no one premise to exchange")
    if pair.place not in (Direction.UPWARD, Direction.DOWNWARD):
        return Bar("not at an upward or downward place", "there the label does not turn over")
    detail = pair.label_detail or {}
    if not detail.get("swappable"):
        kind = detail.get("swap_bar") or "no calculus label that allows it"
        return Bar(kind, detail.get("swap_reason") or "the calculus has not said that it may be swapped")
    if exchanged_digest(pair) in taken:
        return Bar("the exchanged pair is in the dataset already", "somebody wrote or imported it")
    return None


def _taken_by_others(dataset: Dataset, pairs: Sequence[Pair]) -> set[str]:
    """Of the pairs' exchanged digests, those that belong to a pair that is not the twin. One query."""
    digests = [exchanged_digest(pair) for pair in pairs]
    there = Pair.objects.filter(dataset=dataset, digest__in=digests).exclude(origin=Pair.Origin.SWAP)
    return set(there.values_list("digest", flat=True))
