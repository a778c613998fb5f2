"""Whose answers a comparison reads: people, each with one answer to a pair, in campaigns that it names.

The one definition for everything that counts what people say: comparison, agreement, gold rules, filters,
releases, reports, and what models are measured against or learn from. An answer *stands* where it counts
towards its item's target, says something (a skip does not) and is its person's latest among the campaigns
that are read: whoever judged a pair in two of them is one judge. A person is a participant of the study:
a member has one however many roles they hold, a panel's identifier one however often it comes.

Which campaigns are read is said wherever it is counted. Unless chosen, they are those that ask for a label
(validation); where none does, those on the Likert scale, whose points then stand as the labels that they
come to (:func:`apps.campaigns.likert.discretised`). Labels and points are mixed only by choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.core.exceptions import EmptyResultSet, ValidationError
from django.db import connection
from django.db.models import (
    Count,
    Exists,
    F,
    FilteredRelation,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.lookups import Exact, In
from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign, Item, Judgement
from apps.datasets.labels import UNNATURAL
from apps.datasets.models import Dataset, Pair
from apps.studies.models import Participant

_TASKS = (Campaign.Task.VALIDATION, Campaign.Task.LIKERT)
_POINTS = (1, 2, 3, 4, 5)
_READ = ("pk", "name", "task", "dataset", "is_pilot", "simulated", "target", "maximum")


class _NotLookedUpBy(Func):
    """A column whose index SQLite does not take."""

    template = "%(expressions)s"
    arity = 1

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="+%(expressions)s", **context)


# Among a pair's few answers: SQLite would else look through the thousands of each answer's person.
_OF_ONE_PERSON = Exact(_NotLookedUpBy(F("participant_id")), OuterRef("participant"))


@dataclass(frozen=True)
class Judges:
    """Those who judged in ``campaigns``, out of all that judge the dataset's pairs (``there``, those that
    ask for labels first). ``are_apart``: it was looked up that no pair is in two of the campaigns, so that
    whoever judged a pair did so once (:meth:`looked_up`)."""

    there: tuple[Campaign, ...]
    campaigns: tuple[Campaign, ...]
    are_apart: bool = False

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        return tuple(sorted(campaign.pk for campaign in self.campaigns))

    @property
    def left_out(self) -> list[Campaign]:
        return [campaign for campaign in self.there if campaign not in self.campaigns]

    @property
    def is_usual(self) -> bool:
        return self.campaigns == _usual(self.there)

    @property
    def halved(self) -> list[Campaign]:
        """The campaigns whose points of the scale are read as labels."""
        return [campaign for campaign in self.campaigns if campaign.task == Campaign.Task.LIKERT]

    @property
    def address(self) -> str:
        """What is said of them in an address: nothing of the usual ones."""
        return "" if self.is_usual else ",".join(map(str, self.numbers))

    def narrowed(self, campaigns: Iterable[int]) -> Judges:
        """Those in the campaigns of these numbers, or the usual ones where there are no numbers."""
        wanted = set(campaigns)
        chosen = tuple(campaign for campaign in self.there if campaign.pk in wanted)
        return Judges(self.there, chosen if wanted else _usual(self.there))

    def looked_up(self, pairs: Collection[int] | None = None) -> Judges:
        """The same, having looked up whether their campaigns have a pair in common, any or of these: worth it
        before many answers are read, since each is else compared with all others of its person. One query;
        where these ``pairs`` are all that is read of them."""
        if len(self.numbers) < 2:
            return self
        elsewhere = Item.objects.filter(
            campaign__in=self.numbers, pair=OuterRef("pair"), campaign__gt=OuterRef("campaign")
        )
        common = Item.objects.filter(Exists(elsewhere), campaign__in=self.numbers)
        common = common.filter(pair__isnull=False) if pairs is None else common.filter(pair__in=pairs)
        return replace(self, are_apart=not common.order_by().exists())

    @property
    def _may_repeat(self) -> bool:
        return len(self.numbers) > 1 and not self.are_apart

    def stand(self) -> Q:
        """The condition that a judgement stands."""
        # Never an empty list: Django would take a sum in which it counts for no rows at all.
        these = Q(counted=True, item__campaign__in=self.numbers or (0,)) & ~Q(answer="")
        if not self._may_repeat:  # nobody answers an item twice
            return these
        later = Judgement.objects.filter(
            counted=True,
            item__campaign__in=self.numbers,
            item__pair=OuterRef("item__pair"),
            pk__gt=OuterRef("pk"),
        ).filter(_OF_ONE_PERSON)
        return these & Q(~Exists(later.exclude(answer="")))

    def heard(self, pairs: QuerySet[Pair]) -> FilteredRelation:
        """The judgements of ``pairs`` that stand, as a relation of theirs. It is read once, and for these
        pairs alone: a condition on each judgement, counted as often as it is named, takes a minute."""
        if not self._may_repeat:
            these = Q(items__judgements__counted=True, items__campaign__in=self.numbers or (0,))
            return FilteredRelation("items__judgements", condition=these & ~Q(items__judgements__answer=""))
        stand = self.answers().filter(item__pair__in=pairs.order_by().values("pk"))
        # Plus nothing: SQLite would otherwise look each of these numbers up for each of the items.
        number: Any = F("items__judgements__id") + Value(0)
        return FilteredRelation("items__judgements", condition=Q(In(number, Subquery(stand.values("pk")))))

    def answers(self) -> QuerySet[Judgement]:
        """The judgements that stand, in no order."""
        return Judgement.objects.filter(self.stand()).order_by()


def judges_of(dataset: Dataset, campaigns: Iterable[int] = ()) -> Judges:
    """The judges in the campaigns of these numbers, or in the usual ones where there are no numbers. One
    query. ValidationError (field ``campaigns``) for a campaign that does not judge the dataset's pairs."""
    found = Campaign.objects.filter(dataset=dataset, task__in=_TASKS).order_by("-task", "pk")
    there = tuple(found.only(*_READ))
    wanted = set(campaigns)
    if unknown := wanted - {campaign.pk for campaign in there}:
        names = ", ".join(map(str, sorted(unknown)))
        raise ValidationError(
            {
                "campaigns": _("No campaign in which this dataset's pairs are judged: %(names)s.")
                % {"names": names}
            }
        )
    return Judges(there, ()).narrowed(wanted)


def judges_beside(campaign: Campaign, found: Judges | None = None) -> Judges:
    """The judges in a campaign and in the dataset's others of the same task. One query, none where some of
    the dataset's judges were ``found`` before."""
    found = found or judges_of(campaign.dataset)
    return found.narrowed(other.pk for other in found.there if other.task == campaign.task)


def is_simulated(dataset: Dataset) -> bool:
    """Whether any of the dataset's judgements was made by a program. One query, two where some participant
    is one."""
    programs = Participant.objects.filter(study=dataset.study_id, simulated=True)
    if dataset.simulated or not programs.exists():
        return dataset.simulated
    return Judgement.objects.filter(item__pair__dataset=dataset, participant__in=programs).exists()


def usual_answers() -> QuerySet[Judgement]:
    """The judgements that stand among the usual judges of their dataset, whatever the dataset."""
    asks_labels = Campaign.objects.filter(dataset=OuterRef("item__campaign__dataset"), task=_TASKS[0])
    usual = Q(item__campaign__task=_TASKS[0]) | Q(item__campaign__task=_TASKS[1]) & ~Exists(asks_labels)
    later = Judgement.objects.filter(
        counted=True,
        item__campaign__task=OuterRef("item__campaign__task"),
        item__pair=OuterRef("item__pair"),
        pk__gt=OuterRef("pk"),
    ).filter(_OF_ONE_PERSON)
    return Judgement.objects.filter(usual & ~Exists(later.exclude(answer="")), counted=True).exclude(
        answer=""
    )


def _usual(there: Sequence[Campaign]) -> tuple[Campaign, ...]:
    for task in _TASKS:
        if found := tuple(campaign for campaign in there if campaign.task == task):
            return found
    return ()


# ---- Who said what, pair by pair ----------------------------------------------------------------

# Counts of each answer to a pair, and how many pairs have these counts.
Tallies = list[tuple[tuple[int, ...], int]]


def possible_answers(dataset: Dataset) -> list[str]:
    """What annotators of the dataset may answer: its labels, and *unnatural*."""
    return [*dataset.labels, UNNATURAL]


def answer_tallies(dataset: Dataset, judges: Judges, pairs: QuerySet[Pair] | None = None) -> Tallies:
    """How often each of :func:`possible_answers` was given to a pair, all or these. What is none of them
    (contradiction and neutral in a two-way dataset) is the second label. One query."""
    possible = possible_answers(dataset)
    others = [answer for place, answer in enumerate(possible) if place != 1]
    conditions = [Q(answer=answer) if answer in others else ~Q(answer__in=others) for answer in possible]
    return _tallied(_on(judges.answers(), pairs), conditions)


def _on(judgements: QuerySet[Judgement], pairs: QuerySet[Pair] | None) -> QuerySet[Judgement]:
    return judgements if pairs is None else judgements.filter(item__pair__in=pairs.order_by().values("pk"))


def point_tallies(judges: Judges, pairs: QuerySet[Pair] | None = None) -> Tallies:
    """How often each point of the scale, 1 to 5, was given to a pair in the Likert campaigns among those
    there, read or not. Where the box *makes no sense* was ticked, no point stands. One query."""
    on_the_scale = tuple(c for c in judges.there if c.task == Campaign.Task.LIKERT)
    if not on_the_scale:
        return []
    rated = Judges(judges.there, on_the_scale).answers().filter(nonsense=False, rating__isnull=False)
    return _tallied(_on(rated, pairs), [Q(rating=point) for point in _POINTS])


def _tallied(judgements: QuerySet[Judgement], conditions: Sequence[Q]) -> Tallies:
    """The database counts twice, so that as many rows come as there are different counts."""
    names = [f"n{place}" for place in range(len(conditions))]
    counts: dict[str, Any] = {
        name: Count("pk", filter=condition) for name, condition in zip(names, conditions, strict=True)
    }
    by_pair = judgements.values("item__pair").annotate(**counts).values(*names)
    try:
        sql, params = by_pair.query.sql_with_params()
    except EmptyResultSet:
        return []
    columns = ", ".join(names)
    with connection.cursor() as cursor:
        # Nothing of it comes from outside: our own columns, and Django's statement with its parameters.
        cursor.execute(f"SELECT {columns}, COUNT(*) FROM ({sql}) AS pairs GROUP BY {columns}", params)  # noqa: S608
        return [(tuple(row[:-1]), row[-1]) for row in cursor.fetchall()]
