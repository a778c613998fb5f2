"""Campaigns: items, leases, judgements, and what annotators wrote."""

from apps.campaigns.models.assignment import Assignment, Item, Tally
from apps.campaigns.models.campaign import IMPORTED, LONGEST_PAGE, Campaign, Guideline
from apps.campaigns.models.judgement import Judgement, JudgementRevision, ModelReply, Replacement

__all__ = [
    "IMPORTED", "LONGEST_PAGE", "Assignment", "Campaign", "Guideline", "Item", "Judgement",
    "JudgementRevision", "ModelReply", "Replacement", "Tally",
]  # fmt: skip
