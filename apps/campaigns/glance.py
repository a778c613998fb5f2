"""What a study's page says of its campaigns: how far each is, its rate, when it ends, and answers a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign, Item, Judgement
from apps.studies.access import within
from apps.studies.glance import LATELY, Campaigning, Reading, Work
from apps.studies.models import Study
from apps.tallies.selectors import read

# A forecast beyond this is no date any more.
_LONGEST = timedelta(days=3650)


COUNTING = "campaigns.work"


def work_of(study: Study, now: datetime, reading: Reading) -> Work:
    """The campaigns that are not archived, and the answers that count of each day. One query, and those of
    what is kept."""
    campaigns = list(within(Campaign, study).filter(archived_at=None))
    if not campaigns:
        return [], {}
    found = reading.value(read(study, COUNTING, wait=reading.wait))
    counts = found["items"]
    days = {
        int(pk): {date.fromisoformat(day): n for day, n in own.items()} for pk, own in found["days"].items()
    }
    every: dict[date, int] = defaultdict(int)
    for own in days.values():
        for day, n in own.items():
            every[day] += n
    shown = [
        _campaigning(study.slug, one, counts.get(str(one.pk), {}), days.get(one.pk, {}), now)
        for one in campaigns
    ]
    return shown, dict(every)


def work_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Of each campaign: its items, those complete, the answers that count, those still wanted, and the
    answers that count by day (UTC). Two queries."""
    items = (
        Item.objects.filter(campaign__study=study, is_test=False)
        .order_by()
        .values("campaign")
        .annotate(
            items=Count("pk"),
            complete=Count("pk", filter=Q(is_complete=True)),
            answers=Sum("counted"),
            wanted=Sum(F("wanted") - F("counted"), filter=Q(is_complete=False)),
        )
    )
    rows = (
        Judgement.objects.filter(guideline__campaign__study=study, counted=True)
        .order_by()
        .values_list("guideline__campaign", TruncDate("submitted_at", tzinfo=UTC))
        .annotate(n=Count("pk"))
    )
    days: dict[int, dict[str, int]] = defaultdict(dict)
    for campaign, day, n in rows:
        days[campaign][day.isoformat()] = n
    return {"items": {row["campaign"]: row for row in items}, "days": days}


def rate_of(days: Mapping[date, int], now: datetime) -> float | None:
    """Answers a day over the last :data:`LATELY` days, or since the first answer among them where none came
    in earlier; over one day at least. None where none came in lately.

    >>> now = datetime(2026, 5, 10, 12, tzinfo=UTC)
    >>> rate_of({date(2026, 5, 9): 30, date(2026, 5, 10): 15}, now), rate_of({date(2026, 5, 1): 9}, now)
    (30.0, None)
    """
    since = now.date() - timedelta(days=LATELY - 1)
    lately = {day: n for day, n in days.items() if day >= since and n}
    if not lately:
        return None
    begins = since if any(day < since for day in days) else min(lately)
    span = (now - datetime.combine(begins, time.min, UTC)) / timedelta(days=1)
    return sum(lately.values()) / max(1.0, span)


def _campaigning(
    slug: str, campaign: Campaign, counts: Mapping[str, Any], days: Mapping[date, int], now: datetime
) -> Campaigning:
    items, complete, wanted = (counts.get(name) or 0 for name in ("items", "complete", "wanted"))
    rate = rate_of(days, now)
    ends_at, why = None, _why_no_end(campaign, items, wanted, rate)
    if not why and rate:
        left = timedelta(days=min(wanted / rate, _LONGEST / timedelta(days=1)))
        ends_at, why = (now + left, "") if left < _LONGEST else (None, _("in more than ten years"))
    return Campaigning(
        pk=campaign.pk,
        name=campaign.name,
        url=reverse("campaigns:campaign", args=[slug, campaign.pk]),
        state=campaign.state,
        items=items,
        complete=complete,
        answers=counts.get("answers") or 0,
        wanted=wanted,
        rate=rate,
        ends_at=ends_at,
        why=why,
        simulated=campaign.simulated,
    )


def _why_no_end(campaign: Campaign, items: int, wanted: int, rate: float | None) -> str:
    """Why there is no forecast; "" where there is one."""
    states: Iterable[tuple[bool, str]] = (
        (campaign.state == Campaign.State.DRAFT, _("not opened yet")),
        (not items, _("it has no items")),
        (not wanted, _("complete")),
        (campaign.state == Campaign.State.PAUSED, _("paused")),
        (campaign.state == Campaign.State.CLOSED, _("closed")),
        (rate is None, _("no answers in the last 7 days")),
    )
    return next((text for holds, text in states if holds), "")
