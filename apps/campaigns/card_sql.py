"""What runs for each card, from handing out to taking in, written in SQL: building the same statements anew
each time costs more than running them.

**Each reads few rows whatever PostgreSQL believes.** A campaign in its first minutes is younger than the
statistics, and a planner that takes it for empty begins at all its items. So nothing is left to choose:
a statement reads one table by one index that alone fits (numbers; the index of open items in their order;
that of live leases), and whatever it asks of other tables is a scalar look-up for each row that it keeps,
which is never turned into a join. ``COUNT(*) FILTER`` is used where a condition would invite another
index. tests/campaigns/test_rows_read.py counts the rows.

Which items of a campaign are left for somebody, and which of them are free now, is the one query path of
handing out. It goes along the open items, past those that its reader has answered or wrote.

All stand in this one module, long as it is: they are made of the same pieces, and what one lets through
another must find again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from apps.campaigns import extensions
from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Tally
from apps.campaigns.own_pairs import OWN
from apps.datasets.models import Dataset
from apps.frame.rows import columns, row_of, width
from apps.studies.access import RESEARCH
from apps.studies.models import Participant, Study

#: No item's position is beyond it.
LAST = 2**31 - 1
#: So many open items are looked at in one step, and so many steps taken, to count how many are left for
#: somebody. In larger steps PostgreSQL may take reading the whole table for cheaper than its index.
STEP, STEPS = 200, 2


class Lock(Enum):
    """How rows are locked that others hold locked in this instant: passed over, or waited for."""

    SKIP = " FOR NO KEY UPDATE OF {rows} SKIP LOCKED"
    WAIT = " FOR NO KEY UPDATE OF {rows}"


def _locking(rows: str, lock: Lock | None) -> str:
    # SQLite has no row locks: a transaction that writes has the whole database locked already.
    return lock.value.format(rows=rows) if lock and connection.features.has_select_for_update else ""


def _rows(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _stored(value: datetime | UUID | None) -> Any:
    if isinstance(value, UUID):
        return value if connection.features.has_native_uuid_field else value.hex
    return connection.ops.adapt_datetimefield_value(value)


_RESEARCH = ", ".join(f"'{role}'" for role in sorted(RESEARCH))

# How many assignments of ``item`` are live leases, and whether the participant has answered it (1, else 0).
_HELD = """(SELECT COUNT(*) FILTER (WHERE held.state = 'leased' AND held.expires_at > %(now)s)
    FROM campaigns_assignment held WHERE held.item_id = item.id)"""
_ANSWERED = """(SELECT COUNT(*) FILTER (
      WHERE mine.participant_id = %(participant)s AND mine.state = 'submitted')
    FROM campaigns_assignment mine WHERE mine.item_id = item.id)"""

# Whether the item's pair is the participant's own: 1, else 0.
_WROTE = OWN.format(pair="item.pair_id", writer="%(participant)s")

# Open: not complete. Left: open, not answered by the participant, and not written by them. A range of
# positions makes PostgreSQL take the index in order also where it knows nothing and is asked for many.
_OPEN = """item.campaign_id = %(campaign)s AND item.is_complete = %(no)s
  AND item.position BETWEEN %(first)s AND %(last)s"""
_EVERYWHERE = {"no": False, "first": 0, "last": LAST}
# Not "= 0": PostgreSQL takes what equals something for rare, and would sort all to find one.
_LEFT = f"{_ANSWERED} <> 1 AND {_WROTE} <> 1"

# Of these, the ones that want one more answer than they have and than others are at.
_FREE = f"""
SELECT {columns(Item, "item")} FROM campaigns_item item
WHERE {_OPEN} AND {_LEFT} AND item.counted < item.wanted - {_HELD}
ORDER BY item.position LIMIT %(count)s"""  # noqa: S608 - constants alone

# Not counted here: an aggregate needs all rows, and would have them in whatever order is quickest.
_STEP = f"""
SELECT item.position, {_LEFT} FROM (
  SELECT item.id, item.pair_id, item.position FROM campaigns_item item
  WHERE {_OPEN} ORDER BY item.position LIMIT %(step)s) item LIMIT %(step)s"""  # noqa: S608 - likewise

# With the place of the campaign's last open item, how many leases of the campaign the participant has, and
# whether they are a member who sees labels.
_STANDING = f"""{columns(Tally, "tally")},
  (SELECT item.position FROM campaigns_item item WHERE {_OPEN} ORDER BY item.position DESC LIMIT 1),
  (SELECT COUNT(*) FROM campaigns_assignment lease
   WHERE lease.participant_id = %(participant)s AND lease.state = 'leased'
     AND (SELECT item.campaign_id FROM campaigns_item item WHERE item.id = lease.item_id) = %(campaign)s),
  (SELECT COUNT(*) FILTER (WHERE member.study_id = %(study)s AND member.role IN ({_RESEARCH}))
   FROM studies_membership member WHERE member.user_id = %(user)s) > 0"""  # noqa: S608 - likewise

_TALLY = f"""
SELECT {_STANDING} FROM campaigns_tally tally
WHERE tally.campaign_id = %(campaign)s AND tally.participant_id = %(participant)s"""  # noqa: S608 - likewise

_TALLY_AND_ITEMS = f"""
SELECT {_STANDING}, {columns(Item, "item")} FROM campaigns_tally tally CROSS JOIN campaigns_item item
WHERE tally.campaign_id = %(campaign)s AND tally.participant_id = %(participant)s
  AND item.id IN ({{items}}) ORDER BY item.id"""  # noqa: S608 - likewise

# With the instructions in force, and of the study and the dataset what taking in and handing out ask of them.
_STUDY, _DATASET = ("id", "told_events"), ("id", "study", "labels")
_CAMPAIGN = f"""
SELECT {columns(Campaign, "campaign")},
  (SELECT study.told_events FROM studies_study study WHERE study.id = campaign.study_id),
  (SELECT dataset.labels FROM datasets_dataset dataset WHERE dataset.id = campaign.dataset_id){{extensions}},
  {{clock}}, {columns(Guideline, "guideline")}{{more}}
FROM campaigns_campaign campaign CROSS JOIN campaigns_guideline guideline{{leases}}
WHERE campaign.id = %(campaign)s AND guideline.id = (
  SELECT latest.id FROM campaigns_guideline latest
  WHERE latest.campaign_id = %(campaign)s ORDER BY latest.version DESC LIMIT 1){{those}}"""  # noqa: S608 - likewise

# The number of a pair is asked for by the item's, so that it is one look-up whatever there is.
_IS_OWN = OWN.format(
    pair="(SELECT item.pair_id FROM campaigns_item item WHERE item.id = lease.item_id)",
    writer="lease.participant_id",
)

_OWN_AMONG = f"SELECT item.id FROM campaigns_item item WHERE item.id IN ({{items}}) AND {_WROTE} = 1"  # noqa: S608 - likewise

_SHEET = f"""
SELECT lease.id, lease.item_id, lease.page, {columns(Participant, "holder")}
FROM campaigns_assignment lease CROSS JOIN studies_participant holder
WHERE lease.{{place}}
  AND holder.id = (SELECT lease.participant_id FROM campaigns_assignment lease WHERE lease.{{place}} LIMIT 1)
  AND (SELECT item.campaign_id FROM campaigns_item item WHERE item.id = lease.item_id) = %(campaign)s
  AND (holder.id = %(participant)s OR holder.user_id = %(user)s AND (
    SELECT COUNT(*) FILTER (WHERE member.study_id = holder.study_id)
    FROM studies_membership member WHERE member.user_id = %(user)s) > 0)
ORDER BY lease.id"""  # noqa: S608 - likewise

_GRANT = """
INSERT INTO campaigns_assignment
  (item_id, participant_id, state, leased_at, shown_at, expires_at, page)
SELECT item.id, {person}, 'leased', {at}, {shown}, {until}, {page}
FROM campaigns_item item WHERE item.id IN ({items}) AND {room} ORDER BY {order}
ON CONFLICT (item_id, participant_id) DO UPDATE SET state = excluded.state,
  leased_at = excluded.leased_at, shown_at = excluded.shown_at, expires_at = excluded.expires_at,
  page = excluded.page
  WHERE campaigns_assignment.state <> 'submitted'
RETURNING id, item_id"""

_PAIRS = """
SELECT premise.pair_id, premise.text,
  (SELECT pair.hypothesis FROM datasets_pair pair WHERE pair.id = premise.pair_id)
FROM datasets_premise premise WHERE premise.pair_id IN ({pairs}) ORDER BY premise.pair_id, premise.position"""


@dataclass(frozen=True)
class Where:
    """The address of a sheet: its campaign, its card's number or the ``page`` of its questions, and who asks
    for it: a participant, or a user who is a member of the campaign's study."""

    campaign: int
    pk: int | None = None
    page: UUID | None = None
    participant: int | None = None
    user: int | None = None


class Place(NamedTuple):
    """An assignment as its address finds it, before anything is locked."""

    pk: int
    item_id: int
    page: UUID | None


@dataclass
class Standing:
    """What is locked while an answer is taken in: its sender's tally (with them) and the items."""

    tally: Tally
    items: dict[int, Item]


def sheet_locked(where: Where) -> tuple[Participant, list[Place]] | None:
    """Whose the sheet at an address is (their row locked) and what stands on it; None where it is not the
    asker's. One query."""
    place = "page = %(page)s" if where.page else "id = %(pk)s AND lease.page IS NULL"
    values = {
        "campaign": where.campaign,
        "pk": where.pk,
        "page": _stored(where.page),
        "participant": where.participant,
        "user": where.user,
    }
    rows = _rows(_SHEET.format(place=place) + _locking("holder", Lock.WAIT), values)
    if not rows:
        return None
    return row_of(Participant, rows[0][3:]), [Place(pk, item, where.page) for pk, item, *_rest in rows]


def participant_locked(pk: int) -> Participant:
    """One query."""
    sql = f"SELECT {columns(Participant, 'person')} FROM studies_participant person WHERE person.id = %(pk)s"  # noqa: S608
    return row_of(Participant, _rows(sql + _locking("person", Lock.WAIT), {"pk": pk})[0])


def tally_locked(campaign: int, person: Participant) -> Tally | None:
    """The tally of somebody (locked before) in a campaign, locked. One query."""
    rows = _rows(_TALLY + _locking("tally", Lock.WAIT), _standing(campaign, person))
    return _tally_of(rows[0], person) if rows else None


def standing_locked(campaign: int, person: Participant, items: Sequence[int]) -> Standing | None:
    """The tally of somebody (locked before), and some items in the order of their numbers, all locked; None
    where there is no tally. One query."""
    numbers, places = _numbered(items)
    sql = _TALLY_AND_ITEMS.format(items=places) + _locking("tally, item", Lock.WAIT)
    rows = _rows(sql, _standing(campaign, person) | numbers)
    first = width(Tally) + 3
    found = [row_of(Item, row[first:]) for row in rows]
    return Standing(_tally_of(rows[0], person), {item.pk: item for item in found}) if rows else None


def _standing(campaign: int, person: Participant) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "participant": person.pk,
        "study": person.study_id,
        "user": person.user_id,
        **_EVERYWHERE,
    }


def _tally_of(row: tuple[Any, ...], person: Participant) -> Tally:
    first = width(Tally)
    tally = row_of(Tally, row[:first])
    tally.last_open, tally.leases, tally.sees_labels = row[first], row[first + 1], bool(row[first + 2])
    tally.participant = person
    return tally


def campaign_now(pk: int, leases: Sequence[int] = ()) -> tuple[Campaign, datetime, list[Assignment]]:
    """The campaign as it is now (with what is asked of its study, its dataset and its instructions, and
    which of its extensions are there), the time by the database, and ``leases`` of it by their numbers, in
    the order of their items. One query.

    Each lease has ``is_own``: whether its holder wrote its pair, or the original of it. That can have been
    written after it was handed out.
    """
    clock = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    numbers, places = _numbered(leases)
    sql = _CAMPAIGN.format(
        extensions=extensions.columns(),
        clock=clock,
        more=f", {columns(Assignment, 'lease')}, {_IS_OWN}" if leases else "",
        leases=" CROSS JOIN campaigns_assignment lease" if leases else "",
        those=f" AND lease.id IN ({places}) ORDER BY lease.item_id" if leases else "",
    )
    rows = _rows(sql, {"campaign": pk} | numbers)
    clock_at = width(Campaign) + 2 + extensions.width()
    ends = (clock_at, clock_at + 1 + width(Guideline))
    campaign = _campaign_of(rows[0][: ends[0]])
    campaign.guideline = row_of(Guideline, rows[0][ends[0] + 1 : ends[1]])
    now = rows[0][ends[0]] or datetime.now(UTC)
    return campaign, now, [_lease_of(row[ends[1] :]) for row in rows] if leases else []


def _campaign_of(row: tuple[Any, ...]) -> Campaign:
    own = width(Campaign)
    campaign = row_of(Campaign, row[:own])
    told, labels = row[own : own + 2]
    campaign.study = row_of(Study, [campaign.study_id, told], *_STUDY)
    campaign.dataset = row_of(Dataset, [campaign.dataset_id, campaign.study_id, labels], *_DATASET)
    extensions.note_absent(campaign, row[own + 2 :])
    return campaign


def _lease_of(row: Sequence[Any]) -> Assignment:
    lease = row_of(Assignment, row[:-1])
    lease.is_own = bool(row[-1])
    return lease


def free_items(
    campaign: Campaign,
    participant: Participant,
    now: datetime,
    *,
    first: int = 0,
    last: int = LAST,
    count: int = 1,
    lock: Lock | None = None,
) -> list[Item]:
    """Up to ``count`` free items at positions ``first`` to ``last``, locked where ``lock`` says so."""
    limits = {"now": _stored(now), "first": first, "last": last, "count": count}
    rows = _rows(_FREE + _locking("item", lock), _values(campaign, participant) | limits)
    return [row_of(Item, row) for row in rows]


def left_up_to(most: int, campaign: Campaign, participant: Participant) -> int:
    """How many items are left for the participant, counted up to ``most``; ``most``, too, where more than
    ``STEP * STEPS`` are open, whatever is left of them. One query for each step."""
    values, left = _values(campaign, participant) | {"step": STEP}, 0
    for _step in range(STEPS):
        rows = _rows(_STEP, values)
        left += sum(bool(is_left) for _position, is_left in rows)
        if left >= most or len(rows) < STEP:
            return min(left, most)
        values["first"] = rows[-1][0] + 1
    return most


def own_among(items: Sequence[Item], participant: Participant) -> set[int]:
    """The numbers of those items whose pair, or its original, the participant wrote. One query where there
    are pairs: they can be written after one was handed out."""
    numbers, places = _numbered([item.pk for item in items if item.pair_id])
    if not numbers:
        return set()
    return {pk for (pk,) in _rows(_OWN_AMONG.format(items=places), numbers | {"participant": participant.pk})}


def assignments_of(items: Sequence[Item]) -> list[Assignment]:
    """All assignments of some items."""
    numbers, places = _numbered([item.pk for item in items])
    found = f"SELECT {columns(Assignment, 'lease')} FROM campaigns_assignment lease"  # noqa: S608
    sql = f"{found} WHERE lease.item_id IN ({places})"
    return [row_of(Assignment, row) for row in _rows(sql, numbers)] if items else []


def live_leases_of(campaign: Campaign, participant: Participant, now: datetime) -> list[Assignment]:
    """What the participant holds in the campaign at this moment, in the order of granting."""
    sql = f"""
    SELECT {columns(Assignment, "lease")},
      (SELECT item.campaign_id FROM campaigns_item item WHERE item.id = lease.item_id)
    FROM campaigns_assignment lease
    WHERE lease.participant_id = %(participant)s AND lease.state = 'leased' ORDER BY lease.id"""  # noqa: S608
    rows = _rows(sql, {"participant": participant.pk})
    leases = [row_of(Assignment, row[:-1]) for row in rows if row[-1] == campaign.pk]
    return [lease for lease in leases if lease.expires_at > now]


def granted(
    items: Sequence[Item],
    participant: Participant,
    *,
    at: datetime,
    shown: datetime,
    until: datetime,
    page: UUID | None,
) -> list[tuple[int, int]]:
    """Leases for those of the locked items that want one more answer than they have and than others are at
    (test questions always do): their numbers and their items', in the order of ``items``. One query, of its
    own: it sees what was granted until the items were locked. An assignment of the same two that ran out or
    was given back is used again."""
    numbers, places = _numbered([item.pk for item in items])
    order = " ".join(f"WHEN %({name})s THEN {place}" for place, name in enumerate(numbers))
    sql = _GRANT.format(
        person="%(participant)s",
        at="%(at)s",
        shown="%(shown)s",
        until="%(until)s",
        page="%(page)s",
        items=places,
        room=f"(item.is_test OR item.counted < item.wanted - {_HELD})",
        order=f"CASE item.id {order} END",
    )
    moments = {"at": _stored(at), "now": _stored(at), "shown": _stored(shown), "until": _stored(until)}
    return _rows(sql, numbers | moments | {"participant": participant.pk, "page": _stored(page)})


def pairs_texts(pks: Sequence[int]) -> dict[int, tuple[list[str], str]]:
    """The premises in their order and the hypothesis of pairs, by number. One query where there are any."""
    found: dict[int, tuple[list[str], str]] = {}
    numbers, places = _numbered(pks)
    for pk, premise, hypothesis in _rows(_PAIRS.format(pairs=places), numbers) if pks else ():
        found.setdefault(pk, ([], hypothesis))[0].append(premise)
    return found


def _numbered(values: Sequence[int]) -> tuple[dict[str, int], str]:
    """Numbers as named values of a statement, and the places for them."""
    numbers = {f"n{place}": value for place, value in enumerate(values)}
    return numbers, ", ".join(f"%({name})s" for name in numbers)


def _values(campaign: Campaign, participant: Participant) -> dict[str, Any]:
    return {"campaign": campaign.pk, "participant": participant.pk, **_EVERYWHERE}
