"""How far annotators agree on a dataset: over all its pairs, and by what tells pairs apart.

One pass over the answers that stand (``apps/comparison/judges.py``), pair by pair; memory holds what is known
of the pairs and the different counts of answers, not the answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations, groupby
from typing import Any

from django.db.models import Max, Min, QuerySet
from django.utils.translation import gettext_noop

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import Judges, possible_answers
from apps.comparison.pairs import compared
from apps.datasets.labels import NO_LABEL
from apps.datasets.models import Dataset, Pair, Profile, Tag
from apps.studies.models import Participant
from measures.agreement import NOTHING, Agreement, Scale, cohen, fleiss, gwet, krippendorff
from measures.intervals import nominal_alpha_interval
from measures.ratings import Correlation, against_the_others, between_pairs
from measures.undefined import Undefined

# What agreement is broken down by, and what each is called.
BY = {
    "campaign": gettext_noop("By campaign"),
    "direction": gettext_noop("By direction"),
    "calculus": gettext_noop("By the calculus' label"),
    "file": gettext_noop("By the file's label"),
    "tag": gettext_noop("By tag"),
    "operator": gettext_noop("By operator"),
    "time": gettext_noop("Over time"),
}
DRAWS = 1000
_SEED = 1
# The longest span of answers that is shown by day, and by week.
_DAYS, _WEEKS = timedelta(days=21), timedelta(days=180)
_POINTS = range(1, 6)


@dataclass(frozen=True)
class Line:
    """Agreement on some pairs: those whose ``by`` is ``value`` ("" for all pairs).

    ``answers`` are those on ``alpha.n`` pairs with two or more, ``interval`` is α's 95 % one (None where it
    is undefined), each other coefficient says itself why it is undefined.
    """

    by: str
    value: str
    answers: int
    alpha: Agreement
    interval: tuple[float, float] | None
    ac1: Agreement
    fleiss: Agreement


@dataclass(frozen=True)
class Scaled:
    """Agreement on the points of the scale, over the Likert campaigns that there are."""

    ratings: int
    ordinal: Agreement
    interval: Agreement
    against_the_others: Correlation
    between_pairs: Correlation


@dataclass(frozen=True)
class Report:
    """``lines`` in the order of :data:`BY`; ``raters`` are pseudonyms by participant, those with the most
    shared pairs first; ``kappas`` Cohen's κ of each two of them that share a pair."""

    whole: Line
    lines: list[Line]
    scaled: Scaled | None
    raters: dict[int, str]
    kappas: dict[tuple[int, int], Agreement]

    def by(self, name: str) -> list[Line]:
        return [line for line in self.lines if line.by == name]


@dataclass
class _Counts:
    """Tallies of each slice, and each two raters' combinations of answers."""

    tallies: dict[tuple[str, str], Counter[tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    raters: dict[tuple[int, int], Counter[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )


def report(dataset: Dataset, judges: Judges) -> Report:
    """Seven queries, one more where there is a scale; the answers are read row by row, in the order of
    pairs."""
    possible = possible_answers(dataset)
    answers, facts = judges.answers(), _facts(dataset)
    period = _period(answers)
    counts = _Counts()
    for pair, given in _by_pair(answers):
        tally = _tally([answer for _rater, answer, _campaign, _at in given], possible)
        last = max(at for *_rest, at in given)
        for key in (("", ""), *facts.get(pair, ()), ("time", period(last))):
            counts.tallies[key][tally] += 1
        for campaign in {campaign for _rater, _answer, campaign, _at in given}:
            own = _tally([answer for _r, answer, where, _at in given if where == campaign], possible)
            counts.tallies["campaign", str(campaign)][own] += 1
        said = {rater: _place(answer, possible) for rater, answer, _campaign, _at in given}
        for one, two in combinations(sorted(said), 2):
            counts.raters[one, two][said[one], said[two]] += 1
    lines = [_line(by, value, tally) for (by, value), tally in counts.tallies.items() if by]
    order = list(BY)
    return Report(
        whole=_line("", "", counts.tallies["", ""]),
        lines=sorted(lines, key=lambda line: (order.index(line.by), _rank(line))),
        scaled=_scaled(judges),
        raters=_raters(counts.raters),
        kappas={pair: cohen(table) for pair, table in counts.raters.items()},
    )


def _by_pair(answers: QuerySet[Judgement]) -> Iterator[tuple[int, list[tuple[int, str, int, datetime]]]]:
    columns = ("item__pair", "participant", "answer", "item__campaign", "submitted_at")
    rows = answers.order_by("item__pair").values_list(*columns).iterator(chunk_size=5000)
    for pair, given in groupby(rows, key=lambda row: row[0]):
        yield pair, [(rater, answer, campaign, at) for _pair, rater, answer, campaign, at in given]


def _place(answer: str, possible: list[str]) -> int:
    """What is none of the dataset's labels is its second (contradiction and neutral in a two-way one)."""
    return possible.index(answer) if answer in possible else 1


def _tally(answers: list[str], possible: list[str]) -> tuple[int, ...]:
    counted = Counter(_place(answer, possible) for answer in answers)
    return tuple(counted[place] for place in range(len(possible)))


def _facts(dataset: Dataset) -> dict[int, list[tuple[str, str]]]:
    """What each pair is broken down by. Three queries."""
    found: dict[int, list[tuple[str, str]]] = {}
    rows = compared(dataset.pairs.exclude(origin=Pair.Origin.SWAP), Judges((), ()))
    for pk, place, calculus, file in rows.values_list("pk", "place", "calculus", "file_label"):
        of_pair = [("direction", place or "none")]
        of_pair += [("calculus", calculus)] if calculus != NO_LABEL else []
        of_pair += [("file", file)] if file != NO_LABEL else []
        found[pk] = of_pair
    seen: set[tuple[int, str]] = set()
    # Tags differ by case in published files: “Conjunction” is no second tag.
    for pk, name in Tag.objects.filter(pair__dataset=dataset).values_list("pair", "name"):
        key = (pk, name.casefold())
        if pk in found and key not in seen:
            seen.add(key)
            found[pk].append(("tag", name.casefold()))
    operators = Profile.objects.filter(pair__dataset=dataset).values_list("pair", "operators")
    for pk, names in operators:
        if pk in found:
            found[pk] += [("operator", name) for name in sorted(set(names.split()))]
    return found


def _period(answers: QuerySet[Judgement]) -> Any:
    """A function from a time to the day, week or month that it is shown under, by how long the answers span.
    One query."""
    ends = answers.aggregate(first=Min("submitted_at"), last=Max("submitted_at"))
    span = ends["last"] - ends["first"] if ends["last"] else timedelta()

    def day(at: datetime) -> str:
        return at.date().isoformat()

    def week(at: datetime) -> str:
        return (at.date() - timedelta(days=at.weekday())).isoformat()

    def month(at: datetime) -> str:
        return date(at.year, at.month, 1).isoformat()

    return day if span <= _DAYS else week if span <= _WEEKS else month


def _line(by: str, value: str, tallies: Counter[tuple[int, ...]]) -> Line:
    these = sorted(tallies.items())
    interval = nominal_alpha_interval(these, seed=_SEED, draws=DRAWS)
    alpha = krippendorff(these)
    return Line(
        by=by,
        value=value,
        answers=sum(sum(tally) * times for tally, times in these if sum(tally) > 1),
        alpha=alpha,
        interval=None if isinstance(interval, Undefined) or alpha.undefined else interval,
        ac1=gwet(these),
        fleiss=fleiss(these),
    )


def _rank(line: Line) -> tuple[int, str]:
    """Tags and operators by how many pairs have them; the others as they are spelt, so times in order."""
    return (-line.alpha.n if line.by in ("tag", "operator") else 0, line.value)


def _scaled(judges: Judges) -> Scaled | None:
    on_the_scale = tuple(c for c in judges.there if c.task == Campaign.Task.LIKERT)
    if not on_the_scale:
        return None
    rated = Judges(judges.there, on_the_scale).answers().filter(nonsense=False, rating__isnull=False)
    rows = [
        (pair, rater, float(rating or 0))
        for pair, rater, rating in rated.values_list("item__pair", "participant", "rating")
    ]
    tallies: dict[int, Counter[int]] = defaultdict(Counter)
    for pair, _rater, rating in rows:
        tallies[pair][int(rating)] += 1
    counted = Counter(tuple(tally[point] for point in _POINTS) for tally in tallies.values()).items()
    return Scaled(
        ratings=len(rows),
        ordinal=krippendorff(counted, Scale.ORDINAL) if rows else NOTHING,
        interval=krippendorff(counted, Scale.INTERVAL) if rows else NOTHING,
        against_the_others=against_the_others(rows),
        between_pairs=between_pairs(rows),
    )


def _raters(tables: dict[tuple[int, int], Counter[tuple[int, int]]]) -> dict[int, str]:
    """Pseudonyms, those who share most pairs first. One query."""
    shared: Counter[int] = Counter()
    for (one, two), table in tables.items():
        shared[one] += table.total()
        shared[two] += table.total()
    names = dict(Participant.objects.filter(pk__in=list(shared)).values_list("pk", "pseudonym"))
    return {pk: names[pk] for pk, _n in sorted(shared.items(), key=lambda item: (-item[1], names[item[0]]))}
