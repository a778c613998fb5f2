"""The statements that run for each card, written in SQL: building the same ones anew each time costs more
than running them.

Which items of a campaign are left for somebody, and which of them are free now, is the one query path of
handing out. The index on (campaign, is_complete, position) gives the order; each row costs a look-up in the
unique index of (item, participant), one among the item's assignments, and one among what the participant
wrote.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import connection

from apps.campaigns.models import Assignment, Campaign, Item, Tally
from apps.datasets.models import Dataset
from apps.studies.access import RESEARCH
from apps.studies.models import Participant, Study


class Lock(Enum):
    """How rows are locked that others hold locked in this instant: passed over, or waited for."""

    SKIP = "FOR NO KEY UPDATE OF {rows} SKIP LOCKED"
    WAIT = "FOR NO KEY UPDATE OF {rows}"


def _locking(rows: str, lock: Lock | None) -> str:
    # SQLite has no row locks: a transaction that writes has the whole database locked already.
    return lock.value.format(rows=rows) if lock and connection.features.has_select_for_update else ""


_RESEARCH = ", ".join(f"'{role}'" for role in sorted(RESEARCH))

# Who wrote a pair (one of their replacements made it) never judges it, nor its swapped twin. The cross join
# is a plain one to PostgreSQL; SQLite takes it as its order, and begins at the few who wrote the pair.
_OWN = """EXISTS (
    SELECT 1 FROM campaigns_replacement own CROSS JOIN campaigns_judgement wrote
    WHERE own.pair_id IN (pair.id, pair.swapped_from_id) AND wrote.id = own.judgement_id
      AND wrote.participant_id = %(participant)s)"""

# Not complete, not answered by the participant, and not written by them.
_LEFT = f"""
FROM campaigns_item item LEFT JOIN datasets_pair pair ON pair.id = item.pair_id
WHERE item.campaign_id = %(campaign)s AND item.is_complete = %(no)s
  AND NOT EXISTS (
    SELECT 1 FROM campaigns_assignment mine
    WHERE mine.item_id = item.id AND mine.participant_id = %(participant)s AND mine.state = 'submitted')
  AND NOT {_OWN}
"""  # noqa: S608 - constants alone

# Of these, the ones that want one more answer than they have and than others are at.
_FREE = f"""
SELECT item.* {_LEFT}
  AND item.counted < item.wanted - (
    SELECT COUNT(*) FROM campaigns_assignment held
    WHERE held.item_id = item.id AND held.state = 'leased' AND held.expires_at > %(now)s)
  AND item.position BETWEEN %(first)s AND %(last)s
ORDER BY item.position LIMIT %(count)s
"""  # noqa: S608 - constants alone

_COUNT = f"SELECT COUNT(*) FROM (SELECT 1 {_LEFT} ORDER BY item.position LIMIT %(most)s) counted"  # noqa: S608 - likewise

# With the place of the last item that is open, how many leases the participant has anywhere, and whether they
# are a member who sees labels.
_TALLY = f"""
SELECT tally.*,
  (SELECT MAX(item.position) FROM campaigns_item item
   WHERE item.campaign_id = tally.campaign_id AND item.is_complete = %(no)s) AS last_open,
  (SELECT COUNT(*) FROM campaigns_assignment lease
   WHERE lease.participant_id = %(participant)s AND lease.state = 'leased') AS leases,
  EXISTS (SELECT 1 FROM studies_membership member
    WHERE member.study_id = %(study)s AND member.user_id = %(user)s
      AND member.role IN ({_RESEARCH})) AS sees_labels
FROM campaigns_tally tally WHERE tally.campaign_id = %(campaign)s AND tally.participant_id = %(participant)s
"""  # noqa: S608 - likewise

_CAMPAIGN = """
SELECT campaign.*,
  (SELECT quality.id FROM campaigns_quality quality WHERE quality.campaign_id = campaign.id) AS quality_pk
FROM campaigns_campaign campaign WHERE campaign.id = %s
"""

_LEASES = f"""
SELECT lease.*, {_OWN.replace("%(participant)s", "lease.participant_id")} AS is_own
FROM campaigns_assignment lease JOIN campaigns_item item ON item.id = lease.item_id
LEFT JOIN datasets_pair pair ON pair.id = item.pair_id
WHERE lease.id IN ({{places}}) ORDER BY lease.item_id
"""  # noqa: S608 - likewise

_OWN_AMONG = f"""
SELECT item.id FROM campaigns_item item JOIN datasets_pair pair ON pair.id = item.pair_id
WHERE item.id IN ({{places}}) AND {_OWN}
"""  # noqa: S608 - likewise

_SHEET = """
SELECT lease.* FROM campaigns_assignment lease
JOIN campaigns_item item ON item.id = lease.item_id
JOIN studies_participant holder ON holder.id = lease.participant_id
WHERE item.campaign_id = %(campaign)s AND {place} AND (
  holder.id = %(participant)s
  OR holder.user_id = %(user)s AND EXISTS (
    SELECT 1 FROM studies_membership member
    WHERE member.study_id = holder.study_id AND member.user_id = %(user)s))
ORDER BY lease.id
"""


def sheet_held(
    campaign: int,
    *,
    pk: int | None = None,
    page: UUID | None = None,
    participant: int | None = None,
    user: int | None = None,
) -> list[Assignment]:
    """The assignments of a sheet (a card by its ``pk``, or a ``page`` of questions) of a campaign, if they
    are the participant's, or the user's who is a member of its study; else []. One query."""
    place = "lease.page = %(page)s" if page else "lease.id = %(pk)s AND lease.page IS NULL"
    stored = page and (page if connection.features.has_native_uuid_field else page.hex)
    values = {"campaign": campaign, "pk": pk, "page": stored, "participant": participant, "user": user}
    return list(Assignment.objects.raw(_SHEET.format(place=place), values))


def free_items(
    campaign: Campaign,
    participant: Participant,
    now: datetime,
    *,
    first: int = 0,
    last: int = 2**31 - 1,
    count: int = 1,
    lock: Lock | None = None,
) -> list[Item]:
    """Up to ``count`` free items at positions ``first`` to ``last``, locked where ``lock`` says so."""
    values = _values(campaign, participant) | {
        "now": connection.ops.adapt_datetimefield_value(now),
        "first": first,
        "last": last,
        "count": count,
    }
    return list(Item.objects.raw(_FREE + _locking("item", lock), values))


def left_up_to(most: int, campaign: Campaign, participant: Participant) -> int:
    """How many items are left for the participant, counted up to ``most``."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, _values(campaign, participant) | {"most": most})
        count: int = cursor.fetchone()[0]
    return count


def own_among(items: Sequence[Item], participant: Participant) -> set[int]:
    """The numbers of those items whose pair, or its original, the participant wrote. One query where there
    are pairs: they can be written after one was handed out."""
    pks = {f"pk{item.pk}": item.pk for item in items if item.pair_id}
    if not pks:
        return set()
    places = ", ".join(f"%({name})s" for name in pks)
    with connection.cursor() as cursor:
        cursor.execute(_OWN_AMONG.format(places=places), {"participant": participant.pk, **pks})
        return {pk for (pk,) in cursor.fetchall()}


def tally_locked(campaign: int, participant: int) -> Tally | None:
    """A participant's tally in a campaign: their row and then this one, locked. Two queries."""
    people = "SELECT person.* FROM studies_participant person WHERE person.id = %s "
    person = Participant.objects.raw(people + _locking("person", Lock.WAIT), [participant])[0]
    values = {
        "campaign": campaign,
        "participant": participant,
        "study": person.study_id,
        "user": person.user_id,
        "no": False,
    }
    tally = next(iter(Tally.objects.raw(_TALLY + _locking("tally", Lock.WAIT), values)), None)
    if tally:
        tally.participant = person
    return tally


def campaign_now(pk: int) -> Campaign:
    """The campaign as it is now, with its study and dataset, and whether it has quality settings. Three
    queries."""
    campaign: Campaign = Campaign.objects.raw(_CAMPAIGN, [pk])[0]
    study, dataset = (
        "SELECT * FROM studies_study WHERE id = %s",
        "SELECT * FROM datasets_dataset WHERE id = %s",
    )
    campaign.study = Study.objects.raw(study, [campaign.study_id])[0]
    campaign.dataset = Dataset.objects.raw(dataset, [campaign.dataset_id])[0]
    if campaign.quality_pk is None:
        Campaign._meta.get_field("quality").set_cached_value(campaign, None)
    return campaign


def assignments_of(items: Sequence[Item]) -> list[Assignment]:
    """All assignments of some items."""
    sql = f"SELECT * FROM campaigns_assignment WHERE item_id IN ({_places(items)})"  # noqa: S608
    return list(Assignment.objects.raw(sql, [item.pk for item in items])) if items else []


def leases_numbered(pks: Sequence[int]) -> list[Assignment]:
    """Assignments by their numbers, in the order of their items, each with ``is_own``: whether its holder
    wrote its pair, or the original of it. That can have been written after it was handed out."""
    return list(Assignment.objects.raw(_LEASES.format(places=_places(pks)), list(pks)))


def _places(values: Sized) -> str:
    return ", ".join(["%s"] * len(values))


def live_leases_of(campaign: Campaign, participant: Participant, now: datetime) -> list[Assignment]:
    """What the participant holds in the campaign at this moment, in the order of granting."""
    sql = """
    SELECT lease.* FROM campaigns_assignment lease JOIN campaigns_item item ON item.id = lease.item_id
    WHERE lease.participant_id = %s AND lease.state = 'leased' AND lease.expires_at > %s
      AND item.campaign_id = %s ORDER BY lease.id
    """
    moment = connection.ops.adapt_datetimefield_value(now)
    return list(Assignment.objects.raw(sql, [participant.pk, moment, campaign.pk]))


def _values(campaign: Campaign, participant: Participant) -> dict[str, Any]:
    return {"campaign": campaign.pk, "participant": participant.pk, "no": False}
