"""Before a release is made: what its rule would take, how its splits would come out, and why.

No more than the first 20,000 pairs are looked at, in a handful of statements over plain columns; the release
itself goes through all of them, by the same rule and the same draw. What was counted is kept (apps/tallies).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.comparison.judges import Judges, judges_of
from apps.datasets.labels import FILE
from apps.datasets.models import Dataset, Direction, GoldLabel, Pair
from apps.releases import files, splits
from apps.releases.conflicts import Others, Otherwise, foreseen
from apps.releases.gold_rules import ADJUDICATED, FROM_FILE, Options
from apps.releases.selection import REVERSED, Decided, Offer, batch_after
from apps.studies.models import Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read
from apps.tallies.shapes import as_json, of_json

COUNTING = "releases.forecast"

# More pairs than this are not looked at before a release is made: a job must not hold them all in memory.
PREVIEWED = 20_000


# ---- What to begin with -----------------------------------------------------------------------


@dataclass(frozen=True)
class Suggestion:
    """The rule and number of judgements that a form begins with, and ``why`` where they are not MED's."""

    rule: str = Options.rule
    judgements: int = Options.judgements
    why: str = ""

    def judgements_for(self, rule: str) -> int:
        """How many to ask for where another rule is wanted and no number is said."""
        if rule in (ADJUDICATED, FROM_FILE):
            return 0
        return self.judgements or Options.judgements


def suggested(dataset: Dataset, judges: Judges | None = None) -> Suggestion:
    """MED's rule with as many judgements as the dataset's campaigns collect, three at most; the file's labels
    where nobody judges and the pairs came with labels. One query, one less where the usual judges are known;
    one more where nobody judges."""
    collecting = (judges or judges_of(dataset)).campaigns
    if not collecting:
        if GoldLabel.objects.filter(pair__dataset=dataset, source=FILE).exists():
            why = _("No campaign judges these pairs, and they came with labels: so those are taken here.")
            return Suggestion(FROM_FILE, 0, why)
        return Suggestion()
    fewest, name = min((campaign.target, campaign.name) for campaign in collecting)
    if fewest >= Options.judgements:
        return Suggestion()
    why = ngettext(
        "“%(name)s” collects %(n)d judgement a pair: so as many are asked for, and not MED's %(three)d.",
        "“%(name)s” collects %(n)d judgements a pair: so as many are asked for, and not MED's %(three)d.",
        fewest,
    ) % {"name": name, "n": fewest, "three": Options.judgements}
    return Suggestion(Options.rule, fewest, why)


def too_few(judges: Judges, options: Options) -> str:
    """Which of the campaigns that are read collect fewer judgements a pair than the rule asks for, in words;
    "" where none does."""
    short = [one for one in judges.campaigns if max(one.target, one.maximum or 0) < options.judgements]
    return " ".join(
        ngettext(
            "“%(name)s” collects %(n)d judgement a pair, and the rule asks for %(wanted)d.",
            "“%(name)s” collects %(n)d judgements a pair, and the rule asks for %(wanted)d.",
            most,
        )
        % {"name": one.name, "n": most, "wanted": options.judgements}
        for one in short
        for most in [max(one.target, one.maximum or 0)]
    )


# ---- What would come of it --------------------------------------------------------------------


@dataclass(frozen=True)
class Share:
    """A split: what was asked for in percent, and the rows that it would get of ``total``."""

    name: str
    asked: int
    rows: int
    total: int

    @property
    def percent(self) -> float | None:
        return 100 * self.rows / self.total if self.total else None

    @property
    def is_off(self) -> bool:
        """By more than a percentage point."""
        return self.percent is not None and abs(self.percent - self.asked) > 1


@dataclass
class Preview:
    """What a rule would take and leave of the first ``offer.considered`` of ``there`` pairs. ``too_few`` is
    in words, and not kept."""

    there: int = 0
    offer: Offer = field(default_factory=Offer)
    chosen: Counter[tuple[str, str]] = field(default_factory=Counter)
    twins: int = 0
    assumed: int = 0
    not_swapped: Counter[str] = field(default_factory=Counter)
    splits: list[Share] = field(default_factory=list)
    groups: int = 0
    largest_group: int = 0
    too_few: str = ""
    otherwise: list[Otherwise] = field(default_factory=list)

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

    @property
    def splits_off(self) -> bool:
        return any(share.is_off for share in self.splits)

    def why_empty(self, options: Options) -> str:
        """In plain words, why the rule takes nothing; "" where it takes something."""
        if self.total:
            return ""
        return " ".join(filter(None, [self.offer.why_nothing(options), self.too_few]))


def why_empty(dataset: Dataset, options: Options) -> str:
    """Why a release would have no pair, in plain words; "" where it has one, or where none of the first
    20,000 is (the job goes on looking). Six queries a batch, up to the first pair."""
    offer, last = Offer(), 0
    while offer.considered < PREVIEWED:
        batch = batch_after(dataset, options, last, offer)
        if batch is None:
            few = too_few(judges_of(dataset, options.campaigns), options)
            return " ".join(filter(None, [offer.why_nothing(options), few]))
        if batch.rows:
            return ""
        last = batch.last
    return ""


def preview(dataset: Dataset, options: Options) -> Preview:
    """Counts for a rule, over the first 20,000 pairs: waited for, where they have to be counted. Two queries
    where they are kept, else some twelve."""
    counts, _found = forecast(dataset, options, judges_of(dataset, options.campaigns), wait=True)
    assert counts is not None
    return counts


def forecast(
    dataset: Dataset, options: Options, judges: Judges, *, wait: bool = False
) -> tuple[Preview | None, Found]:
    """The counts for a rule over the first 20,000 pairs, judged by ``judges``, and what was found of them;
    None while a job counts them. One query where they are kept."""
    options = replace(options, campaigns=judges.numbers)
    said = {"dataset": dataset.pk, "options": options.as_dict()}
    found = read(dataset.study, COUNTING, wait=wait, at_hand={"dataset": dataset}, **said)
    if not found.is_there:
        return None, found
    counts: Preview = of_json(Preview, found.value)
    counts.too_few = too_few(judges, options)
    return counts, found


def counted(study: Study, arguments: Mapping[str, Any]) -> Any:
    """The counts, as JSON. Some ten queries."""
    dataset = row_asked(Dataset, study, arguments["dataset"])
    options = Options.of(arguments["options"])
    found = Preview()
    batch = batch_after(dataset, options, 0, found.offer, PREVIEWED)
    found.there = found.offer.considered
    if found.there == PREVIEWED:
        found.there = dataset.pairs.exclude(origin=Pair.Origin.SWAP).count()
    rows = batch.rows if batch else []
    others = Others()
    for row in rows:
        found.chosen[row.pair.place, row.pair.gold] += 1
        found.assumed += row.pair.assumed is True
        for _other in others.add(row.pair):
            pass
        if options.swaps:
            found.twins += row.bar is None
            if row.bar:
                found.not_swapped[row.bar.kind] += 1
    found.otherwise = others.found
    earlier = dataset.releases.exclude(frozen_at=None).select_related("dataset__study").order_by("-number")
    if before := list(earlier):
        found.otherwise += foreseen(before, _with_twins(dataset, rows, options))
    if rows:
        _splits_draw(found, rows, options)
    return as_json(found)


def _with_twins(dataset: Dataset, rows: list[Decided], options: Options) -> dict[int, str]:
    """The labels of what would be published, by number: of the pairs, and of the twins that earlier releases
    have made of them. One query."""
    published = {row.pair.pk: row.pair.gold for row in rows}
    if not options.swaps:
        return published
    swapped = {row.pair.pk: REVERSED[row.pair.gold] for row in rows if row.bar is None}
    twins = Pair.objects.filter(dataset=dataset, origin=Pair.Origin.SWAP)
    there = twins.values_list("pk", "swapped_from_id")
    return published | {twin: swapped[pk] for twin, pk in there if pk in swapped}


def _splits_draw(found: Preview, rows: list[Decided], options: Options) -> None:
    """As the release draws them, where these are all of its pairs."""
    import numpy as np

    keys: list[int] = []
    places: list[int] = []
    twins = np.array([options.swaps and row.bar is None for row in rows])
    for place, row in enumerate(rows):
        premises = {*row.pair.texts, row.pair.hypothesis} if twins[place] else set(row.pair.texts)
        keys += map(splits.premise_key, premises)
        places += [place] * len(premises)
    group = splits.joined(np.array(keys, "<u8"), np.array(places, "<u4"), len(rows), lambda: None)
    digests = np.array([files.digest_bits(row.pair.digest) for row in rows], "<u8")
    drawn = splits.draw(group, digests, 1 + twins.astype("u1"), options.shares, options.seed)
    counts = np.bincount(drawn.split, weights=1 + twins, minlength=len(options.shares))
    sizes = np.bincount(drawn.group, weights=1 + twins)
    found.groups, found.largest_group = int((sizes > 0).sum()), int(sizes.max())
    found.splits = [
        Share(name, asked, int(counts[place]), int(counts.sum()))
        for place, (name, asked) in enumerate(options.shares.items())
    ]


def as_made(suggestion: Suggestion, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Rule and number of judgements where one of them, or both, was not said."""
    rule = sent.get("rule", suggestion.rule)
    known = suggestion.judgements if rule == suggestion.rule else suggestion.judgements_for(rule)
    return {**sent, "rule": rule, "judgements": sent.get("judgements", known)}
