"""How far annotators agree on a dataset: over all its pairs, and by what tells pairs apart.

The answers that stand (``apps/comparison/judges.py``) are read once; what is counted are their places among
the possible answers, in arrays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Case, IntegerField, Max, Min, QuerySet, Value, When
from django.utils.translation import gettext_noop

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import Judges, possible_answers
from apps.comparison.pairs import labelled
from apps.datasets.labels import NO_LABEL
from apps.datasets.models import Dataset, Pair, Profile, Tag
from apps.studies.models import Participant
from measures.agreement import NOTHING, Agreement, Scale, cohen, fleiss, gwet, krippendorff
from measures.intervals import nominal_alpha_interval
from measures.ratings import Correlation, against_the_others, between_pairs
from measures.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np

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


def report(dataset: Dataset, judges: Judges) -> Report:
    """Six queries, one more where there is a scale. The answers are read once, in no order; memory holds
    four numbers of each."""
    possible = possible_answers(dataset)
    answers = judges.answers()
    given = _given(answers, possible)
    kinds, of_pair = given.tallies()
    found: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for pair, by, value in _facts(dataset):
        if pair in of_pair:
            found[by, value][of_pair[pair]] += 1
    for pair, period in _periods(answers):
        found["time", period][of_pair[pair]] += 1
    lines = [
        _line(by, value, Counter({kinds[kind]: n for kind, n in counts.items()}))
        for (by, value), counts in found.items()
    ]
    lines += [_line("campaign", campaign, tallies) for campaign, tallies in given.by_campaign()]
    whole = Counter(of_pair.values())
    raters = given.raters()
    order = list(BY)
    return Report(
        whole=_line("", "", Counter({kinds[kind]: n for kind, n in whole.items()})),
        lines=sorted(lines, key=lambda line: (order.index(line.by), _rank(line))),
        scaled=_scaled(judges),
        raters=_raters(raters),
        kappas={pair: cohen(table) for pair, table in raters.items()},
    )


@dataclass(frozen=True)
class _Given:
    """Of each answer its pair, its rater, its place among the ``possible`` answers, and its campaign: arrays
    of one length."""

    possible: int
    pairs: np.ndarray[Any, Any]
    people: np.ndarray[Any, Any]
    places: np.ndarray[Any, Any]
    campaigns: np.ndarray[Any, Any]

    def tallies(self) -> tuple[list[tuple[int, ...]], dict[int, int]]:
        """The different tallies of a pair's answers, and which of them each pair has."""
        import numpy as np

        pairs, of_answers = np.unique(self.pairs, return_inverse=True)
        kinds, of_pairs = self._tallied(of_answers, len(pairs))
        return kinds, dict(zip(pairs.tolist(), of_pairs, strict=True))

    def by_campaign(self) -> Iterator[tuple[str, Counter[tuple[int, ...]]]]:
        """Each campaign's pairs by the tallies of the answers given there."""
        import numpy as np

        for campaign in np.unique(self.campaigns).tolist():
            own = self.campaigns == campaign
            pairs, of_answers = np.unique(self.pairs[own], return_inverse=True)
            kinds, of_pairs = self._tallied(of_answers, len(pairs), own)
            yield str(campaign), Counter({kinds[kind]: n for kind, n in Counter(of_pairs).items()})

    def _tallied(
        self, of_answers: np.ndarray[Any, Any], number: int, own: Any = ...
    ) -> tuple[list[tuple[int, ...]], list[int]]:
        import numpy as np

        cells = np.bincount(
            of_answers * self.possible + self.places[own], minlength=number * self.possible
        ).reshape(number, self.possible)
        kinds, of_pairs = np.unique(cells, axis=0, return_inverse=True)
        return [tuple(kind) for kind in kinds.tolist()], of_pairs.reshape(-1).tolist()

    def raters(self) -> dict[tuple[int, int], Counter[tuple[int, int]]]:
        """Of each two raters with a pair in common how often they gave which two answers."""
        import numpy as np

        raters, of_answers = np.unique(self.people, return_inverse=True)
        order = np.lexsort((of_answers, self.pairs))
        pairs, who, said = self.pairs[order], of_answers[order], self.places[order]
        counts: Counter[int] = Counter()
        # In the order of pairs, those who share one stand beside each other, so many places apart.
        for apart in range(1, len(pairs)):
            both = pairs[apart:] == pairs[:-apart]
            if not both.any():
                break
            both &= who[apart:] != who[:-apart]
            two = who[:-apart][both] * len(raters) + who[apart:][both]
            keys = (two * self.possible + said[:-apart][both]) * self.possible + said[apart:][both]
            for key, n in zip(*(part.tolist() for part in np.unique(keys, return_counts=True)), strict=True):
                counts[key] += n
        found: dict[tuple[int, int], Counter[tuple[int, int]]] = defaultdict(Counter)
        for key, n in sorted(counts.items()):
            two, both_said = divmod(key, self.possible**2)
            one, other = divmod(two, len(raters))
            found[int(raters[one]), int(raters[other])][divmod(both_said, self.possible)] += n
        return dict(found)


def _given(answers: QuerySet[Judgement], possible: list[str]) -> _Given:
    """One query. What is none of the dataset's labels is its second (contradiction and neutral in a two-way
    one)."""
    import numpy as np

    place = Case(
        *(When(answer=answer, then=Value(place)) for place, answer in enumerate(possible)),
        default=Value(1),
        output_field=IntegerField(),
    )
    columns = ("item__pair", "participant", "place", "item__campaign")
    rows = answers.annotate(place=place).values_list(*columns).iterator(chunk_size=20_000)
    numbers = np.fromiter((number for row in rows for number in row), dtype="<i8").reshape(-1, len(columns))
    return _Given(len(possible), *(numbers[:, column].copy() for column in range(len(columns))))


def _facts(dataset: Dataset) -> Iterator[tuple[int, str, str]]:
    """What each pair is broken down by: its number, by what, and the value. Three queries."""
    own = dataset.pairs.exclude(origin=Pair.Origin.SWAP)
    rows = labelled(own).values_list("pk", "place", "calculus", "file_label")
    for pair, place, calculus, file in rows.iterator(chunk_size=20_000):
        yield pair, "direction", place or "none"
        if calculus != NO_LABEL:
            yield pair, "calculus", calculus
        if file != NO_LABEL:
            yield pair, "file", file
    of_own = {"pair__dataset": dataset, "pair__origin__in": set(Pair.Origin.values) - {Pair.Origin.SWAP}}
    tags = Tag.objects.filter(**of_own).order_by().values_list("pair", "name")
    # Tags differ by case in published files: “Conjunction” is no second tag.
    for pair, name in {(pair, name.casefold()) for pair, name in tags.iterator(chunk_size=20_000)}:
        yield pair, "tag", name
    operators = Profile.objects.filter(**of_own).exclude(operators="").order_by()
    for pair, names in operators.values_list("pair", "operators").iterator(chunk_size=20_000):
        for name in set(names.split()):
            yield pair, "operator", name


def _periods(answers: QuerySet[Judgement]) -> Iterator[tuple[int, str]]:
    """Each pair with the day, week or month of its last answer, by how long all answers span. One query."""
    rows = answers.values_list("item__pair").annotate(first=Min("submitted_at"), last=Max("submitted_at"))
    ends = [(pair, first, last) for pair, first, last in rows.iterator(chunk_size=20_000)]
    if not ends:
        return
    span = max(last for _pair, _first, last in ends) - min(first for _pair, first, _last in ends)

    def day(at: datetime) -> date:
        return at.date()

    def week(at: datetime) -> date:
        return at.date() - timedelta(days=at.weekday())

    def month(at: datetime) -> date:
        return date(at.year, at.month, 1)

    period = day if span <= _DAYS else week if span <= _WEEKS else month
    for pair, _first, last in ends:
        yield pair, period(last).isoformat()


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
