"""Choosing a release's pairs batch by batch, and what bars a pair's twin.

Swapping is MED's (section 3.1.3): premise and hypothesis of a pair are exchanged where the label turns
over with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from apps.comparison.decisions import answers_changed
from apps.comparison.judges import Judges, judges_of
from apps.comparison.pairs import ComparedPairs, compared
from apps.datasets.labelling import UNKNOWN_WORDING
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NON_ENTAILMENT, UNNATURAL
from apps.datasets.models import Dataset, Direction, Pair, Premise, Tag
from apps.datasets.tags import BY_HAND, NO_SWAP
from apps.frame.among import Among
from apps.frame.rows import plain_rows
from apps.frame.texts import pair_digest
from apps.releases.gold_rules import (
    ADJUDICATED,
    ALL_MATCH,
    AT_LEAST,
    FROM_FILE,
    NO_GOLD,
    PROBABLE,
    Options,
    golden,
)
from apps.releases.posterior import gold_set, tables_of

# Pairs read at a time; a query over so many is done in a fraction of a second.
BATCH = 500

REVERSED = {ENTAILMENT: NON_ENTAILMENT, NON_ENTAILMENT: ENTAILMENT}


def candidates(dataset: Dataset, judges: Judges, **where: int) -> ComparedPairs:
    """The dataset's pairs that a rule may choose, ``where`` these conditions hold: all but twins, with
    everything said of them."""
    by_hand = Tag.objects.filter(pair=OuterRef("pk"), name=NO_SWAP, source=BY_HAND)
    pairs: ComparedPairs = compared(
        dataset.pairs.exclude(origin=Pair.Origin.SWAP).filter(**where), judges
    ).annotate(swap_excluded=Exists(by_hand), is_outdated=answers_changed("by_hand__pk"))
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

    pair: Candidate
    bar: Bar | None


@dataclass
class Offer:
    """What the dataset has to offer to a rule, chosen or not."""

    considered: int = 0
    judged: int = 0
    labelled: int = 0
    unnatural: int = 0
    # Pairs that the rule leaves out for this alone, that the calculus is not sure enough.
    unsure: int = 0
    # Pairs on which a researcher decided, and of these, on answers that changed since.
    decided: int = 0
    outdated: int = 0

    def add(self, pair: Any) -> None:
        self.considered += 1
        self.judged += pair.enough
        self.labelled += pair.enough and pair.calculus != NO_LABEL
        self.unnatural += pair.enough and pair.human == UNNATURAL
        self.unsure += pair.unsure
        if pair.adjudicated != NO_LABEL:
            self.decided += 1
            self.outdated += pair.is_outdated

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
        if self.unsure:
            return ngettext(
                "Of the calculus label of %(n)d pair the calculus is less sure than the rule asks for.",
                "Of the calculus labels of %(n)d pairs the calculus is less sure than the rule asks for.",
                self.unsure,
            ) % {"n": self.unsure}
        if options.rule == ADJUDICATED:
            return _("No pair has been decided on by a researcher yet.")
        if options.rule in PROBABLE:
            return _("No label is probable enough, or nobody's reliability has been estimated yet.")
        if options.rule == FROM_FILE:
            return _("No pair came with a label.")
        return _("No pair meets the rule.")


@dataclass
class Batch:
    """So many pairs in the order of their numbers, from number ``first`` to ``last``."""

    first: int
    last: int
    considered: int
    rows: list[Decided]


def batch_after(
    dataset: Dataset,
    options: Options,
    after: int,
    offer: Offer,
    size: int = BATCH,
    *,
    twins_only: bool = False,
) -> Batch | None:
    """The next ``size`` pairs above number ``after``, those that are published among them; ``offer``
    counts all. ``twins_only``: of those alone that may get a twin. None where there are no more. Six
    queries."""
    own = dataset.pairs.exclude(origin=Pair.Origin.SWAP).filter(pk__gt=after).order_by("pk")
    numbers = [pk for (pk,) in plain_rows(own.values_list("pk")[:size])]
    if not numbers:
        return None
    # A range and no LIMIT: the database then adds up the judgements of these pairs alone.
    span = {"pk__gte": numbers[0], "pk__lte": numbers[-1]}
    judges = judges_of(dataset, options.campaigns)
    pairs = candidates(dataset, judges, **span)
    # Before their judgements are added up.
    pairs = golden(pairs.filter(_may_turn_over(options)) if twins_only else pairs, options)
    pairs = pairs.annotate(
        label_detail=F("current__detail"),
        raw_file_label=Coalesce(F("of_file__label"), Value(""), output_field=CharField()),
    )
    # Plain columns: an object of the model for each pair takes as long as the database.
    texts = _texts_of(dataset, numbers)
    rows = [Candidate(texts[row[0]], *row) for row in plain_rows(pairs.values_list(*COLUMNS))]
    if options.rule in PROBABLE:
        gold_set(rows, judges, tables_of(judges, options.rule), options, dataset.labels)
    for pair in rows:
        offer.add(pair)
    published = [pair for pair in rows if pair.gold or options.keep_unlabelled]
    bars = _bars_of(dataset, published, options) if options.swaps else [None] * len(published)
    return Batch(numbers[0], numbers[-1], len(numbers), list(map(Decided, published, bars)))


@dataclass(slots=True)
class Candidate:
    """A pair that a rule may choose, with what decides on it and what is published of it (see
    :func:`apps.comparison.pairs.compared` and :func:`golden`). ``texts`` are its premises in order."""

    texts: list[str]
    pk: int
    digest: str
    hypothesis: str
    origin: str
    genre: str
    source: str
    place: str
    calculus: str
    human: str
    adjudicated: str
    is_outdated: bool
    unnatural: int
    enough: bool
    unsure: bool
    assumed: bool | None
    gold: str
    swap_excluded: bool
    label_detail: str | None
    raw_file_label: str
    probability: float = 0.0


COLUMNS = tuple(name for name in Candidate.__slots__ if name not in ("texts", "probability"))


def pairs_between(dataset: Dataset, first: int, last: int) -> QuerySet[Pair]:
    """The dataset's pairs of these numbers, for conditions on what belongs to them. Beside it should stand
    that the pair's number is between the two: databases don't see that it follows."""
    return Pair.objects.filter(dataset=dataset, pk__gte=first, pk__lte=last).order_by()


def _texts_of(dataset: Dataset, numbers: list[int]) -> dict[int, list[str]]:
    """The premises of the pairs of these numbers, which are all in their range but for twins. One query."""
    first, last = numbers[0], numbers[-1]
    texts: dict[int, list[str]] = {pk: [] for pk in numbers}
    of_pairs = pairs_between(dataset, first, last).values("pk")
    found = Premise.objects.filter(pair__in=of_pairs, pair__gte=first, pair__lte=last)
    for pk, text in plain_rows(found.order_by("pair_id", "position").values_list("pair_id", "text")):
        if pk in texts:
            texts[pk].append(text)
    return texts


def texts_of(pairs: Iterable[int]) -> dict[int, list[str]]:
    """The premises of the pairs of these numbers, in order. One query."""
    texts: dict[int, list[str]] = {pk: [] for pk in pairs}
    found = Premise.objects.filter(Among("pair_id", texts)).order_by("pair_id", "position")
    for pk, text in plain_rows(found.values_list("pair_id", "text")):
        texts[pk].append(text)
    return texts


def exchanged_digest(pair: Any) -> str:
    """The digest of a pair (with its ``texts``) with premise and hypothesis exchanged."""
    return pair_digest([pair.hypothesis], " ".join(pair.texts))


def _bars_of(dataset: Dataset, pairs: list[Candidate], options: Options) -> list[Bar | None]:
    """Why premise and hypothesis of each pair are not exchanged; None where they are. One query."""
    bars = [_bar_of(pair, options) for pair in pairs]
    digests = {
        place: exchanged_digest(pair)
        for place, (pair, bar) in enumerate(zip(pairs, bars, strict=True))
        if bar is None
    }
    taken = _taken_by_others(dataset, digests.values())
    for place, digest in digests.items():
        if digest in taken:
            kind = gettext_noop("the exchanged pair is in the dataset already")
            bars[place] = Bar(kind, "somebody wrote or imported it")
    return bars


def _may_turn_over(options: Options) -> Q:
    """What :func:`_bar_of` asks of a pair before anything of its judgements."""
    swappable = Q(current__detail__swappable=True)
    if options.unknown_twins:
        swappable |= Q(current__detail__swap_bar=UNKNOWN_WORDING)
    return swappable & Q(place__in=[Direction.UPWARD, Direction.DOWNWARD], calculus__in=list(REVERSED))


def _bar_of(pair: Candidate, options: Options) -> Bar | None:
    """What of a pair itself keeps its premise and hypothesis from being exchanged."""
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
    detail = _detail_of(pair.label_detail)
    if options.unknown_twins and is_people_s_twin(pair):
        return None
    if not detail.get("swappable"):
        kind = detail.get("swap_bar") or "no calculus label that allows it"
        return Bar(kind, detail.get("swap_reason") or "the calculus has not said that it may be swapped")
    return None


@lru_cache(maxsize=1000)
def _detail_of(text: str | None) -> dict[str, Any]:
    """The detail of a calculus label, as the database has it."""
    return json.loads(text) if text else {}


def is_people_s_twin(pair: Candidate) -> bool:
    """Whether no source relates the wordings of a pair, its writer was asked for a more specific one, and
    most of its judges say what the calculus says under that assumption."""
    detail = _detail_of(pair.label_detail)
    agreed = pair.origin == Pair.Origin.CROWD and pair.human == pair.calculus
    return agreed and detail.get("swap_bar") == UNKNOWN_WORDING


def _taken_by_others(dataset: Dataset, digests: Iterable[str]) -> set[str]:
    """Of exchanged pairs' digests, those of a pair that stands in the dataset in its own right. One query."""
    there = Pair.objects.filter(dataset=dataset, digest__in=list(digests)).exclude(origin=Pair.Origin.SWAP)
    # In no order: for one by number, SQLite goes through all pairs of the dataset.
    return set(there.order_by().values_list("digest", flat=True))
