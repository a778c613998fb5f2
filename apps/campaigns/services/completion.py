"""Settling an item: how many of its answers count, how many it wants, whether it is complete.

The one place where the three change. The item must be locked by whoever calls.
"""

from __future__ import annotations

from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.targets import wanted


def item_settle(*, item: Item, campaign: Campaign) -> Item:
    """Count the locked item's answers anew. One query, and one to write. A test question never counts.

    ``campaign`` must have been read after the item was locked, not in the statement that locked it: while
    that waited, the target may have changed.
    """
    if item.is_test:
        return item
    answers = list(
        Judgement.objects.filter(item=item, counted=True).order_by("pk").values_list("answer", flat=True)
    )
    item.counted = len(answers)
    item.wanted = wanted(answers, campaign.target, campaign.maximum)
    item.is_complete = item.counted >= item.wanted
    item.save(update_fields=["counted", "wanted", "is_complete"])
    return item
