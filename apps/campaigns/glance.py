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
from apps.studies.glance import LATELY, Campaigning, Work, first_day
from apps.studies.models import Study

# A forecast beyond this is no date any more.
_LONGEST = timedelta(days=3650)


def work_of(study: Study, now: datetime) -> Work:
    """The campaigns that are not archived, and the answers that count of each day. Three queries."""
    campaigns = list(within(Campaign, study).filter(archived_at=None))
    counts = {
        row["campaign"]: row
        for row in Item.objects.filter(campaign__in=campaigns, is_test=False)
        .order_by()
        .values("campaign")
        .annotate(
            items=Count("pk"),
            complete=Count("pk", filter=Q(is_complete=True)),
            answers=Sum("counted"),
            wanted=Sum(F("wanted") - F("counted"), filter=Q(is_complete=False)),
        )
    }
    days = answers_a_day(study, first_day(now))
    every: dict[date, int] = defaultdict(int)
    for of_campaign in days.values():
        for day, n in of_campaign.items():
            every[day] += n
    found = [
        _campaigning(study.slug, one, counts.get(one.pk, {}), days.get(one.pk, {}), now) for one in campaigns
    ]
    return found, dict(every)


def answers_a_day(study: Study, first: date) -> dict[int, dict[date, int]]:
    """The answers that count since the ``first`` day (UTC), by campaign and day. One query."""
    rows = (
        Judgement.objects.filter(
            guideline__campaign__study=study,
            counted=True,
            submitted_at__gte=datetime.combine(first, time.min, UTC),
        )
        .order_by()
        .values_list("guideline__campaign", TruncDate("submitted_at", tzinfo=UTC))
        .annotate(n=Count("pk"))
    )
    found: dict[int, dict[date, int]] = defaultdict(dict)
    for campaign, day, n in rows:
        found[campaign][day] = n
    return found


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
