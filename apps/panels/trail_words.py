"""The trail in words: panels and pay."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.panels.models import Panel, Visit
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "panel.changed": _("panel settings changed"),
        "panel.created": _("panel made"),
        "consent.created": _("new text that people agree to"),
        "visit.consented": _("agreed to the text"),
        "visit.finished": _("visit ended"),
        "visit.opened": _("came from the panel"),
        "visit.status": _("panel said"),
        "bonus.created": _("bonus given"),
        "payout.cancelled": _("payout taken apart"),
        "payout.created": _("payout made"),
        "payout.fetched": _("payout list fetched"),
        "payout.paid": _("payout paid"),
    },
    groups=(Group("pay", _("panel and pay"), 50),),
    within={"pay": ("panel", "consent", "visit", "bonus", "payout")},
    details={
        "bonuses": _("bonuses"),
        "number": _("number"),
        "cents": _("hundredths"),
        "sets": _("sets"),
        "outcome": _("outcome"),
        "status": _("status"),
        "panel": _("panel"),
    },
    kinds={
        "panel": _("panel"),
        "visit": _("visit"),
        "payout": _("payout"),
        "consenttext": _("text that people agree to"),
        "bonus": _("bonus"),
    },
    choices={
        ("visit", "outcome"): Visit._meta.get_field("outcome"),
        ("panel", "kind"): Panel._meta.get_field("kind"),
    },
    fields={"panel": Panel},
)
