"""Who answered in a campaign, how long it took them, and how often most of the others said the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from apps.campaigns.models import Campaign
from apps.studies.models import Participant, Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read
from apps.tallies.shapes import as_json, of_json
from measures.agreement import majority

PEOPLE = "campaigns.people"


@dataclass(frozen=True)
class Work:
    """One participant's answers in a campaign, test questions aside; ``skips`` and ``surplus`` answers are
    among them. ``compared`` are those on items where the others (at least two) have a majority, ``agreed``
    those that are the same as it. Of an answer's active seconds the median, and the ends of the middle 80 of
    100."""

    answers: int
    skips: int
    surplus: int
    compared: int
    agreed: int
    median_seconds: float
    low_seconds: float
    high_seconds: float


@dataclass(frozen=True)
class Annotator:
    """One participant's work in a campaign; ``seconds`` is the median of an answer's active time."""

    participant: Participant
    judgements: int
    skips: int
    surplus: int
    seconds: float


def annotators_of(campaign: Campaign, *, wait: bool = False) -> tuple[list[Annotator], Found]:
    """Who answered, under their pseudonyms, most answers first, and what was found of the counting. One
    query, and those of what is kept."""
    works, found = works_of(campaign, wait=wait)
    participants = Participant.objects.in_bulk(works)
    rows = [
        Annotator(participants[pk], work.answers, work.skips, work.surplus, work.median_seconds)
        for pk, work in works.items()
        if pk in participants
    ]
    return sorted(rows, key=lambda one: (-one.judgements, one.participant.pseudonym)), found


def works_of(campaign: Campaign, *, wait: bool = False) -> tuple[dict[int, Work], Found]:
    """The work of each participant, by number, and what was found of the counting; {} until it is there."""
    found = read(campaign.study, PEOPLE, wait=wait, at_hand={"campaign": campaign}, campaign=campaign.pk)
    return (dict(of_json(dict[int, Work], found.value)) if found.is_there else {}), found


def people_counted(study: Study, arguments: Mapping[str, Any]) -> Any:
    """:func:`works_of` as JSON. Three queries; the database counts, and gives a few rows for each person."""
    campaign = row_asked(Campaign, study, arguments["campaign"])
    counts = {pk: rest for pk, *rest in _rows(_COUNTS, campaign)}
    compared, agreed = _compared(campaign)
    seconds = _seconds(campaign)
    row: Any = Work
    works = {pk: row(*own, compared[pk], agreed[pk], *seconds[pk]) for pk, own in sorted(counts.items())}
    return as_json(works)


# ---- SQL ----------------------------------------------------------------------------------------

_GIVEN = """
    campaigns_judgement j JOIN campaigns_item i ON i.id = j.item_id
    WHERE i.campaign_id = %s AND NOT i.is_test
"""
_COUNTS = f"""
    SELECT j.participant_id, COUNT(*), SUM(CASE WHEN j.skip_reason <> '' THEN 1 ELSE 0 END),
        SUM(CASE WHEN j.counted THEN 0 ELSE 1 END)
    FROM {_GIVEN} GROUP BY j.participant_id
"""  # noqa: S608 - nothing of it comes from outside
_ANSWERS = f"SELECT DISTINCT j.answer FROM {_GIVEN} AND j.answer <> ''"  # noqa: S608
# Each answer with how often each was given to its item.
_BESIDE = """
    SELECT participant_id, answer, {names}, COUNT(*) FROM (
        SELECT j.participant_id, j.answer, {counts} FROM {given} AND j.answer <> ''
        WINDOW item AS (PARTITION BY j.item_id)
    ) beside GROUP BY participant_id, answer, {names}
"""
# By length, the answers of each person that the median and the tenths at both ends lie at or between.
_LONGEST = f"""
    SELECT participant_id, place, n, seconds FROM (
        SELECT j.participant_id, j.seconds, COUNT(*) OVER (PARTITION BY j.participant_id) AS n,
            ROW_NUMBER() OVER (PARTITION BY j.participant_id ORDER BY j.seconds) - 1 AS place
        FROM {_GIVEN}
    ) ordered
    WHERE place IN ((n - 1) / 10, (n - 1) / 10 + 1, (n - 1) / 2, (n - 1) / 2 + 1,
        (n - 1) * 9 / 10, (n - 1) * 9 / 10 + 1)
"""  # noqa: S608


def _rows(sql: str, campaign: Campaign, before: Sequence[str] = ()) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [*before, campaign.pk])
        yield from cursor.fetchall()


def _compared(campaign: Campaign) -> tuple[Counter[int], Counter[int]]:
    """Each answer with the majority of the others on the item (leave-one-out): how many of a person's could
    be compared, and how many were the same."""
    compared: Counter[int] = Counter()
    agreed: Counter[int] = Counter()
    given = sorted(answer for (answer,) in _rows(_ANSWERS, campaign))
    if not given:
        return compared, agreed
    names = [f"n{place}" for place in range(len(given))]
    counts = [f"SUM(CASE WHEN j.answer = %s THEN 1 ELSE 0 END) OVER item AS {name}" for name in names]
    sql = _BESIDE.format(names=", ".join(names), counts=", ".join(counts), given=_GIVEN)
    for pk, answer, *beside, n in _rows(sql, campaign, given):
        others = Counter(dict(zip(given, beside, strict=True)))
        others[answer] -= 1
        if (most := majority(+others)) is not None:
            compared[pk] += n
            agreed[pk] += n * (answer == most)
    return compared, agreed


def _seconds(campaign: Campaign) -> dict[int, tuple[float, float, float]]:
    """Median, first and last tenth of each person's seconds, between two answers where it lies so
    (``statistics.quantiles``, inclusive)."""
    found: dict[int, dict[int, float]] = {}
    numbers: dict[int, int] = {}
    for pk, place, n, seconds in _rows(_LONGEST, campaign):
        found.setdefault(pk, {})[place] = seconds
        numbers[pk] = n

    def at(pk: int, tenths: int) -> float:
        own = found[pk]
        place, past = divmod(tenths * (numbers[pk] - 1), 10)
        return own[place] if not past else (own[place] * (10 - past) + own[place + 1] * past) / 10

    return {pk: (at(pk, 5), at(pk, 1), at(pk, 9)) for pk in found}
