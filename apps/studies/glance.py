"""A study at a glance: what to do next, how far the campaigns are, what comes in, money, and open problems.

Higher rooms offer what they know when Django starts (in an ``AppConfig.ready``), so that the page of a study
reads it without knowing them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import IntEnum
from functools import partial
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from apps.frame.clock import database_now
from apps.studies import rooms
from apps.studies.models import Study

T = TypeVar("T")

#: The days of the answers that are drawn, and those that a rate is taken over.
DAYS, LATELY = 30, 7


class Urgency(IntEnum):
    """What comes first on the list, and as what to do next: work stands still, people wait, pairs wait."""

    STANDSTILL = 1
    PEOPLE = 2
    PAIRS = 3


@dataclass(frozen=True)
class Problem:
    """Something that waits for somebody. ``code`` names it for programs; ``count`` of what is ``said`` are at
    ``url``. ``where`` is the campaign's or dataset's name, if it is one's, ``value`` a measure in place of a
    count (an agreement), as it is shown."""

    code: str
    urgency: Urgency
    count: int
    said: str
    url: str
    where: str = ""
    value: str = ""


@dataclass(frozen=True)
class Campaigning:
    """One campaign's progress. ``answers`` are those that count, ``wanted`` those that are still missing
    (more, where answers disagree and the rules then ask for more); ``rate`` is answers a day lately, None
    where nothing was to come in. ``ends_at`` is when it has all at that rate; None says ``why``."""

    pk: int
    name: str
    url: str
    state: str
    items: int
    complete: int
    answers: int
    wanted: int
    rate: float | None
    ends_at: datetime | None
    why: str
    simulated: bool = False

    @property
    def share(self) -> float | None:
        return self.complete / self.items if self.items else None


@dataclass(frozen=True)
class Money:
    """Pay in hundredths of ``currency``: ``owed`` (in no payout yet), ``waiting`` in payouts, ``paid``."""

    currency: str
    owed: int
    waiting: int
    paid: int
    url: str


@dataclass(frozen=True)
class Next:
    """The one thing to do next; ``url`` is "" where it is to wait."""

    said: str
    url: str
    where: str = ""


@dataclass(frozen=True)
class Glance:
    """``per_day`` has the answers that count of each of the last :data:`DAYS` days (UTC), the last today.
    ``counting`` is of a part that a job counts and that is left out as yet; None: nothing is left out.
    ``counted`` is the oldest of the numbers that were counted, None where nothing was."""

    next: Next
    campaigns: list[Campaigning]
    per_day: list[tuple[date, int]]
    money: list[Money]
    problems: list[Problem]
    counting: Any = None
    counted: Any = None

    @property
    def as_of(self) -> datetime | None:
        """Nothing shown is older."""
        return self.counted.as_of if self.counted else None


class StillCounting(Exception):
    """What a room knows is being counted by a job; ``found`` says how far it is."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self.found = found


@dataclass
class Reading:
    """One look at a study: whether the reader waits (``wait``) for what is to be counted first, and the
    ``oldest`` of the numbers that were read (as ``apps.tallies.selectors.read`` gives them)."""

    wait: bool
    oldest: Any = None

    def value(self, found: Any) -> Any:
        """What was found; :class:`StillCounting` where it isn't there yet."""
        if not found.is_there:
            raise StillCounting(found)
        if self.oldest is None or found.as_of < self.oldest.as_of:
            self.oldest = found
        return found.value


Tell = Callable[[Study, Reading], list[Problem]]

# Campaigns that are not archived, the newest first, and the answers that count by day since the first day.
Work = tuple[list[Campaigning], dict[date, int]]

_problems: list[Tell] = []
_work: list[Callable[[Study, datetime, Reading], Work]] = []
_money: list[Callable[[Study, Reading], list[Money]]] = []


def add_problems(tell: Tell) -> None:
    """Each of these is given the study and the look at it; :class:`StillCounting` leaves it out for now."""
    _problems.append(tell)


def add_work(tell: Callable[[Study, datetime, Reading], Work]) -> None:
    """``tell`` is given the time of the database, so that all that is shown is of one moment."""
    _work.append(tell)


def add_money(tell: Callable[[Study, Reading], list[Money]]) -> None:
    """One for each currency in which anything was earned."""
    _money.append(tell)


def first_day(now: datetime) -> date:
    return now.date() - timedelta(days=DAYS - 1)


def glance(study: Study, *, wait: bool = False) -> Glance:
    """What the page of a study shows; with ``wait``, nothing is left out."""
    now, reading = database_now(), Reading(wait)
    counting: list[Any] = []

    def told(tell: Callable[[], T], nothing: T) -> T:
        try:
            return tell()
        except StillCounting as still:
            counting.append(still.found)
            return nothing

    none: Work = ([], {})
    no_problems: list[Problem] = []
    no_money: list[Money] = []
    work = [told(partial(tell, study, now, reading), none) for tell in _work]
    found = [told(partial(tell, study, reading), no_problems) for tell in _problems]
    money = [told(partial(tell, study, reading), no_money) for tell in _money]
    campaigns = [one for own, _days in work for one in own]
    problems = sorted((one for own in found for one in own), key=lambda one: (one.urgency, -one.count))
    first = first_day(now)
    days = [first + timedelta(days=n) for n in range(DAYS)]
    return Glance(
        next=_next(study, campaigns, problems),
        campaigns=campaigns,
        per_day=[(day, sum(counts.get(day, 0) for _own, counts in work)) for day in days],
        money=[one for own in money for one in own],
        problems=problems,
        counting=counting[0] if counting else None,
        counted=reading.oldest,
    )


def _next(study: Study, campaigns: list[Campaigning], problems: list[Problem]) -> Next:
    """What stands still or keeps people waiting, else the first step that nobody has done, else what else
    waits; where nothing does, to wait for answers."""
    urgent = [one for one in problems if one.urgency < Urgency.PAIRS]
    if urgent:
        return _solving(urgent[0])
    draft = next((one for one in campaigns if one.state == "draft"), None)
    if draft:
        return Next(_("Open the campaign, so that annotators can begin."), draft.url, draft.name)
    if problems and not any(one.wanted and one.state == "open" for one in campaigns):
        return _solving(problems[0])
    room = rooms.first_undone(study)
    if room:
        return Next(f"{room.title}: {room.first}", room.url(study))
    if problems:
        return _solving(problems[0])
    return Next(_("Nothing waits for you."), "")


def _solving(problem: Problem) -> Next:
    return Next(f"{problem.value or problem.count} {problem.said}", problem.url, problem.where)
