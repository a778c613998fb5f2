"""Campaigns' writes: running a campaign, handing work out, taking answers in.

Locks are always taken in this order, and never two of a kind except the items of a campaign by their
number: campaign, participant with tally, item, assignment. docs/developers.md has the lease's state diagram.
"""

from apps.campaigns.services.completion import item_settle
from apps.campaigns.services.exchange import Exchange, work_exchange
from apps.campaigns.services.instructions import instructions_read
from apps.campaigns.services.leasing import (
    assignment_next,
    lease_keep,
    leases_expire,
    leases_keep,
    leases_release,
    work_next,
)
from apps.campaigns.services.lifecycle import (
    campaign_begin,
    campaign_create,
    campaign_set_state,
    campaign_update,
    guideline_create,
    items_add_new_pairs,
)
from apps.campaigns.services.model_loop import model_reply_request, model_reply_store
from apps.campaigns.services.submission import judgement_submit, judgements_submit
from apps.campaigns.services.values import PageErrors, Sent, TooSoon

__all__ = [
    "Exchange",
    "PageErrors",
    "Sent",
    "TooSoon",
    "assignment_next",
    "campaign_begin",
    "campaign_create",
    "campaign_set_state",
    "campaign_update",
    "guideline_create",
    "instructions_read",
    "item_settle",
    "items_add_new_pairs",
    "judgement_submit",
    "judgements_submit",
    "lease_keep",
    "leases_expire",
    "leases_keep",
    "leases_release",
    "model_reply_request",
    "model_reply_store",
    "work_exchange",
    "work_next",
]
