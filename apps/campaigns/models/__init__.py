"""Campaigns' tables: the work itself (``work``)."""

from apps.campaigns.models.work import (
    Assignment,
    Campaign,
    Guideline,
    Item,
    Judgement,
    JudgementRevision,
    ModelReply,
    Replacement,
)

__all__ = [
    "Assignment",
    "Campaign",
    "Guideline",
    "Item",
    "Judgement",
    "JudgementRevision",
    "ModelReply",
    "Replacement",
]
