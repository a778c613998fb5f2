"""Panels' writes: setting one up, people coming and going, the platform's events, pay.

Lock order: the panel before anything of campaigns; a visit by itself, last.
"""

from apps.panels.services.events import EventRefused, event_receive
from apps.panels.services.payouts import (
    bonus_create,
    payout_cancel,
    payout_create,
    payout_note_fetch,
    payout_set_paid,
)
from apps.panels.services.set_prices import price_keep
from apps.panels.services.setting_up import consent_create, panel_create, panel_update
from apps.panels.services.visiting import (
    visit_consent,
    visit_finish,
    visit_open,
    visit_set_not_told,
    visit_set_told,
    visit_speak,
    visits_forget,
)

__all__ = [
    "EventRefused",
    "bonus_create",
    "consent_create",
    "event_receive",
    "panel_create",
    "panel_update",
    "payout_cancel",
    "payout_create",
    "payout_note_fetch",
    "payout_set_paid",
    "price_keep",
    "visit_consent",
    "visit_finish",
    "visit_open",
    "visit_set_not_told",
    "visit_set_told",
    "visit_speak",
    "visits_forget",
]
