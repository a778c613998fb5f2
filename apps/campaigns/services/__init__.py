"""Campaigns' writes: running a campaign, handing work out, taking answers in.

Locks are always taken in this order, and never two of a kind except the items of a campaign by their
number: campaign, participant, item, assignment. docs/developers.md has the lease's state diagram.
"""

from apps.campaigns.services.handing_out import (
    assignment_next,
    lease_keep,
    leases_expire,
    leases_release,
)
from apps.campaigns.services.running import (
    campaign_create,
    campaign_set_state,
    campaign_update,
    guideline_create,
    items_add_new_pairs,
)
from apps.campaigns.services.taking_in import TooSoon, judgement_submit

__all__ = [
    "TooSoon",
    "assignment_next",
    "campaign_create",
    "campaign_set_state",
    "campaign_update",
    "guideline_create",
    "items_add_new_pairs",
    "judgement_submit",
    "lease_keep",
    "leases_expire",
    "leases_release",
]
