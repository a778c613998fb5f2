"""Choosing a release's pairs batch by batch, what bars a pair's twin, and the counts beforehand.

Swapping is MED's (section 3.1.3): premise and hypothesis of a pair are exchanged where the label turns
over with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import CharField, Exists, F, OuterRef, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from apps.datasets.comparison import NO_LABEL, ComparedPairs, compared
from apps.datasets.decisions import answers_changed
from apps.datasets.digests import pair_digest
from apps.datasets.judges import Judges, judges_of
from apps.datasets.models import (
    CONTRADICTION,
    ENTAILMENT,
    NON_ENTAILMENT,
    UNNATURAL,
    Dataset,
    Direction,
    Pair,
    Premise,
    Tag,
)
from apps.datasets.releasing.posterior import gold_set, tables_of
from apps.datasets.releasing.rules import (
    ADJUDICATED,
    ALL_MATCH,
    AT_LEAST,
    FROM_FILE,
    NO_GOLD,
    PROBABLE,
    Options,
    golden,
)
from apps.datasets.services import BY_HAND, NO_SWAP

# Pairs read at a time; a query over so many is done in a fraction of a second.
BATCH = 500
# More pairs than this are not looked at before a release is made: a page must not take minutes.
PREVIEWED = 20_000

REVERSED = {ENTAILMENT: NON_ENTAILMENT, NON_ENTAILMENT: ENTAILMENT}


def candidates(dataset: Dataset, judges: Judges) -> ComparedPairs:
    """The dataset's pairs that a rule may choose: all but twins, with everything said of them."""
    by_hand = Tag.objects.filter(pair=OuterRef("pk"), name=NO_SWAP, source=BY_HAND)
    pairs: ComparedPairs = compared(dataset.pairs.exclude(origin=Pair.Origin.SWAP), judges).annotate(
        swap_excluded=Exists(by_hand), is_outdated=answers_changed("by_hand__pk")
    )
    return pairs


def chosen(dataset: Dataset, options: Options) -> ComparedPairs:
    """The pairs that the rule gives a label, as ``gold``, in the order of their numbers."""
    judges = judges_of(dataset, options.campaigns)
    return golden(candidates(dataset, judges), options).exclude(gold=NO_GOLD)


class Bar(NamedTuple):
    """Why a chosen pair gets no twin: of a kind that can be counted, and in particular."""

    kind: str
    reason: str


@dataclass(frozen=True)
class Decided:
    """A pair that is published, and what bars its twin (None where it gets one)."""

    pair: Any
    bar: Bar | None


@dataclass
class Offer:
    """What the dataset has to offer to a rule, chosen or not."""

    considered: int = 0
    judged: int = 0
    labelled: int = 0
    unnatural: int = 0
    # Pairs on which a researcher decided; of these, on answers that changed since, and where the rule gives
    # another label than the decision.
    decided: int = 0
    outdated: int = 0
    otherwise: int = 0

    def add(self, pair: Any) -> None:
        self.considered += 1
        self.judged += pair.enough
        self.labelled += pair.enough and pair.calculus != NO_LABEL
        self.unnatural += pair.enough and pair.human == UNNATURAL
        if pair.adjudicated != NO_LABEL:
            two_way = NON_ENTAILMENT if pair.gold == CONTRADICTION else pair.gold
            self.decided += 1
            self.outdated += pair.is_outdated
            self.otherwise += two_way not in (NO_GOLD, pair.adjudicated)

    def why_nothing(self, options: Options) -> str:
        """In plain words, why the rule takes no pair of this offer."""
        if not self.considered:
            return _("The dataset has no pairs yet.")
        if not self.judged:
            return ngettext(
                "No pair has %(n)d judgement that counts yet.",
                "No pair has %(n)d judgements that count yet.",
                options.judgements,
            ) % {"n": options.judgements}
        if options.rule in (ALL_MATCH, AT_LEAST) and not self.labelled:
            return _("No pair has a calculus label yet.")
        if options.rule == ADJUDICATED:
            return _("No pair has been decided on by a researcher yet.")
        if options.rule in PROBABLE:
            return _("No label is probable enough, or nobody's reliability has been estimated yet.")
        if options.rule == FROM_FILE:
            return _("No pair came with a label.")
        return _("No pair meets the rule.")


@dataclass
class Batch:
    """So many pairs in the order of their numbers, up to number ``last``."""

    last: int
    considered: int
    rows: list[Decided]


def batch_after(
    dataset: Dataset, options: Options, after: int, offer: Offer, size: int = BATCH
) -> Batch | None:
    """The next ``size`` pairs above number ``after``, those that are published among them; ``offer``
    counts all. None where there are no more. Six queries."""
    numbers = list(
        dataset.pairs.exclude(origin=Pair.Origin.SWAP)
        .filter(pk__gt=after)
        .order_by("pk")
        .values_list("pk", flat=True)[:size]
    )
    if not numbers:
        return None
    # A range and no LIMIT: the database then adds up the judgements of these pairs alone.
    judges = judges_of(dataset, options.campaigns)
    pairs = golden(candidates(dataset, judges), options).filter(pk__gt=after, pk__lte=numbers[-1])
    pairs = pairs.annotate(
        label_detail=F("current__detail"),
        raw_file_label=Coalesce(F("of_file__label"), Value(""), output_field=CharField()),
    )
    rows = texts_load(list(pairs))
    if options.rule in PROBABLE:
        gold_set(rows, judges, tables_of(judges, options.rule), options, dataset.labels)
    for pair in rows:
        offer.add(pair)
    published = [pair for pair in rows if pair.gold or options.keep_unlabelled]
    taken = _taken_by_others(dataset, published) if options.swaps else set()
    return Batch(numbers[-1], len(numbers), [Decided(pair, bar_of(pair, taken)) for pair in published])


def decided(dataset: Dataset, options: Options, offer: Offer, most: int | None = None) -> Iterator[Decided]:
    """The published pairs, each with the decision on its twin; of the first ``most`` if told."""
    last = 0
    while most is None or offer.considered < most:
        batch = batch_after(dataset, options, last, offer)
        if batch is None:
            return
        yield from batch.rows
        last = batch.last


def texts_load(pairs: list[Any]) -> list[Any]:
    """Give each pair its premises' ``texts`` in order. One query, of plain columns: a prefetch makes an
    object for each premise and a query set for each pair, which takes a third of reading."""
    texts: dict[int, list[str]] = {pair.pk: [] for pair in pairs}
    found = Premise.objects.filter(pair__in=list(texts)).order_by("pair_id", "position")
    for pk, text in found.values_list("pair_id", "text"):
        texts[pk].append(text)
    for pair in pairs:
        pair.texts = texts[pair.pk]
    return pairs


def exchanged_digest(pair: Any) -> str:
    """The digest of a pair (with its ``texts``) with premise and hypothesis exchanged."""
    return pair_digest([pair.hypothesis], " ".join(pair.texts))


def bar_of(pair: Any, taken: set[str]) -> Bar | None:
    """Why premise and hypothesis of a chosen pair are not exchanged; None where they are.

    ``taken`` holds the digests of exchanged pairs that stand in the dataset in their own right.
    """
    if pair.swap_excluded:
        return Bar(gettext_noop("excluded by hand"), "a researcher excluded the pair")
    if len(pair.texts) != 1:
        return Bar(gettext_noop("several premises"), "there is no one premise to exchange")
    if pair.gold not in REVERSED:
        return Bar(
            gettext_noop("no label to turn over"), "the pair is published without one of the two labels"
        )
    if pair.place not in (Direction.UPWARD, Direction.DOWNWARD):
        return Bar(gettext_noop("not at an upward or downward place"), "there the label does not turn over")
    if pair.gold != pair.calculus:
        return Bar(
            gettext_noop("the label is not the calculus' own"),
            "only the calculus says what follows the other way; people's label says nothing of it",
        )
    detail = pair.label_detail or {}
    if not detail.get("swappable"):
        kind = detail.get("swap_bar") or "no calculus label that allows it"
        return Bar(kind, detail.get("swap_reason") or "the calculus has not said that it may be swapped")
    if exchanged_digest(pair) in taken:
        return Bar(
            gettext_noop("the exchanged pair is in the dataset already"), "somebody wrote or imported it"
        )
    return None


def _taken_by_others(dataset: Dataset, pairs: Sequence[Any]) -> set[str]:
    """Of the pairs' exchanged digests, those that belong to a pair that is not the twin. One query."""
    digests = [exchanged_digest(pair) for pair in pairs]
    there = Pair.objects.filter(dataset=dataset, digest__in=digests).exclude(origin=Pair.Origin.SWAP)
    return set(there.values_list("digest", flat=True))


# ---- Before anything is written ---------------------------------------------------------------


@dataclass
class Preview:
    """What a rule would take and leave of the first ``offer.considered`` of ``there`` pairs."""

    there: int = 0
    offer: Offer = field(default_factory=Offer)
    chosen: Counter[tuple[str, str]] = field(default_factory=Counter)
    twins: int = 0
    not_swapped: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.chosen.total()

    @property
    def is_partial(self) -> bool:
        return self.offer.considered < self.there

    @property
    def labels(self) -> list[str]:
        """The labels that occur, the two usual ones first and always."""
        rest = sorted({label for _place, label in self.chosen} - REVERSED.keys())
        return [*REVERSED, *rest]

    @property
    def table(self) -> list[tuple[str, list[int], int]]:
        """A row for each direction: its name, pairs by label, pairs in all (MED, Table 5)."""
        rows = []
        for place in (*Direction.values, ""):
            counts = [self.chosen[place, label] for label in self.labels]
            if place or any(counts):
                rows.append((place, counts, sum(counts)))
        return rows

    @property
    def totals(self) -> list[int]:
        return [sum(counts[at] for _p, counts, _n in self.table) for at in range(len(self.labels))]

    @property
    def bars(self) -> list[tuple[str, int]]:
        """Why pairs get no twin, with their numbers, the most frequent first."""
        return self.not_swapped.most_common()

    def why_empty(self, options: Options) -> str:
        """In plain words, why the rule takes nothing; "" where it takes something."""
        return "" if self.total else self.offer.why_nothing(options)


def why_empty(dataset: Dataset, options: Options) -> str:
    """Why a release would have no pair, in plain words; "" where it has one, or where none of the first
    20,000 is (the job goes on looking). Six queries a batch, up to the first pair."""
    offer = Offer()
    for _row in decided(dataset, options, offer, PREVIEWED):
        return ""
    return offer.why_nothing(options) if offer.considered < PREVIEWED else ""


def preview(dataset: Dataset, options: Options) -> Preview:
    """Counts for a rule, over the first 20,000 pairs. One query, and six for each batch."""
    found = Preview(there=dataset.pairs.exclude(origin=Pair.Origin.SWAP).count())
    for row in decided(dataset, options, found.offer, PREVIEWED):
        found.chosen[row.pair.place, row.pair.gold] += 1
        if options.swaps:
            found.twins += row.bar is None
            if row.bar:
                found.not_swapped[row.bar.kind] += 1
    return found
