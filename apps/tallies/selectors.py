"""Reading what was counted: the one way that pages have to a number over many rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.core.cache import caches
from django.db import connection
from django.utils import timezone

from apps.frame.rows import columns, row_of
from apps.jobs.models import Job
from apps.studies.models import Study
from apps.tallies import services
from apps.tallies.changes import Stamp, stamped, topics_of
from apps.tallies.counting import Counting, counting_named
from apps.tallies.models import KeptTally

# So many changes of rows are counted over within a request, each time.
SMALL = 20_000
# What took no longer the last time is counted within the request; the first time that is tried.
QUICK = 0.2
# No number is shown that is so far behind.
BEHIND = timedelta(seconds=60)
_SEEN = timedelta(minutes=1)


@dataclass(frozen=True)
class Found:
    """A ``value`` with the time that it was counted at, or None while the ``job`` counts it.

    ``seconds``: what the counting took the last time, 0 where that isn't known. ``is_behind``: answers have
    come in since, and it is being counted again. ``before``: where there is none, the value that was kept
    last, however old: not to be shown, but good for what is looked at again.
    """

    value: Any
    as_of: datetime | None
    job: Job | None = None
    seconds: float = 0
    is_behind: bool = False
    before: Any = None

    @property
    def is_there(self) -> bool:
        return self.as_of is not None

    @property
    def has_failed(self) -> bool:
        return self.job is not None and self.job.is_over and self.job.state != Job.State.DONE

    @property
    def percent(self) -> int | None:
        """How far the counting is, going by the last time; None where that isn't known."""
        if not self.seconds or self.job is None:
            return None
        if self.job.state != Job.State.RUNNING or self.job.claimed_at is None:
            return 0
        passed = (timezone.now() - self.job.claimed_at).total_seconds()
        return min(95, round(100 * passed / self.seconds))


def read(
    study: Study,
    name: str,
    *,
    wait: bool = False,
    at_hand: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Found:
    """What the counting ``name`` comes to, never more than :data:`BEHIND` behind the last change.

    Of a small study it is counted now (one query beside the counting's own, and none of its own where this
    process has just counted over the same rows). Else what was kept is taken (two queries at most), and what
    doesn't stand any more is counted by a job, unless it is quick (which is tried once), or the caller can
    ``wait`` (a file, the API). ``at_hand`` are rows that the caller has read: a counting in the request gets
    them in place of the arguments of the same names. KeyError for an unknown name.
    """
    counting = counting_named(name)
    arguments = services.plain(arguments)
    now = timezone.now()
    said = json.dumps(arguments, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(said.encode()).hexdigest()
    current, tally = _kept(study, counting, digest)
    if current.rows <= SMALL:
        here = partial(counting.compute, study, {**arguments, **(at_hand or {})})
        return Found(_remembered(f"{study.pk} {name} {digest} {current.text}", here), now)
    tally = _seen(study, name, digest, arguments, tally)
    if tally.stamp == current.text and tally.as_of is not None:
        return Found(tally.value, tally.as_of, seconds=tally.seconds)
    is_young = tally.as_of is not None and tally.age <= BEHIND
    if (tally.as_of is not None and tally.seconds < QUICK) or (wait and not is_young):
        counted = services.count(tally)
        services.tally_keep(tally=tally, counted=counted)
        return Found(counted.value, counted.as_of, seconds=counted.seconds)
    if tally.as_of is None and QUICK and (attempt := services.count_within(tally, QUICK)):
        services.tally_keep(tally=tally, counted=attempt)
        return Found(attempt.value, attempt.as_of, seconds=attempt.seconds)
    return _ordered(tally, counting, is_young=is_young)


def _remembered(rows: str, compute: Callable[[], Any]) -> Any:
    """What this process counted within a minute over the same rows, else counted now. In a transaction it is
    counted: what that wrote may be taken back, and other rows get the same numbers."""
    if connection.in_atomic_block:
        return services.plain(compute())
    key = hashlib.sha256(rows.encode()).hexdigest()
    if (found := caches["counted"].get(key)) is None:
        found = (services.plain(compute()),)
        caches["counted"].set(key, found)
    return found[0]


def _ordered(tally: KeptTally, counting: Counting, *, is_young: bool) -> Found:
    """What is kept, if it is young enough; the sweeper counts it again then, and nobody waits."""
    if is_young:
        return Found(tally.value, tally.as_of, seconds=tally.seconds, is_behind=True)
    job = services.tally_order(tally=tally, counting=counting)
    return Found(None, None, job, tally.seconds, before=tally.value)


# The sums of the changes, and the row; one text and one row, or none.
_KEPT = """
    SELECT (
        SELECT {together}(topic || ':' || number, ' ') FROM (
            SELECT topic, SUM(number) AS number FROM tallies_change
            WHERE study_id = %s AND topic IN ({topics}) GROUP BY topic
        ) sums
    ), {columns}
    FROM (SELECT 1 AS one) always
    LEFT JOIN tallies_kepttally kept ON kept.study_id = %s AND kept.name = %s AND kept.digest = %s
"""


def _kept(study: Study, counting: Counting, digest: str) -> tuple[Stamp, KeptTally | None]:
    """How the rows stand now, and what is kept. One query."""
    topics = topics_of(counting.reads)
    sql = _KEPT.format(
        together="string_agg" if connection.vendor == "postgresql" else "group_concat",
        topics=", ".join(["%s"] * len(topics)),
        columns=columns(KeptTally, "kept"),
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [study.pk, *topics, study.pk, counting.name, digest])
        sums, *row = cursor.fetchone()
    numbers = dict(one.split(":") for one in (sums or "").split())
    is_kept = row[0] is not None
    current = stamped(topics, {topic: int(number) for topic, number in numbers.items()})
    return current, row_of(KeptTally, row) if is_kept else None


def _seen(
    study: Study, name: str, digest: str, arguments: dict[str, Any], tally: KeptTally | None
) -> KeptTally:
    """The row, seen now. No query, one where it hasn't been seen for a minute, more where it is new."""
    if tally is None:
        key = {"study": study, "name": name, "digest": digest}
        tally, _new = KeptTally.objects.get_or_create(**key, defaults={"arguments": arguments})
    elif timezone.now() - tally.viewed_at > _SEEN:
        KeptTally.objects.filter(pk=tally.pk).update(viewed_at=timezone.now())
    tally.study = study
    return tally
