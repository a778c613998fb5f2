"""What panels keep about a person, and what they forget when the person is erased."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.panels import selectors
from apps.panels.models import Panel, Visit
from apps.panels.services import visits_forget
from apps.people.erasure import Outcome
from apps.studies.models import Participant


def describe(participant: Participant) -> Outcome:
    """Two queries, and those of the ledger of each panel that they came from."""
    outcome = Outcome()
    visits = Visit.objects.filter(participant=participant)
    count = visits.exclude(session_id="").count()
    if count:
        text = ngettext(
            "What the panel calls their %(n)d visit: the sessions by which it pays.",
            "What the panel calls their %(n)d visits: the sessions by which it pays.",
            count,
        )
        outcome.goes.append(text % {"n": count})
        outcome.stays.append(_("How each visit ended, with its code, and their pay in the ledger."))
    for panel in Panel.objects.filter(visits__participant=participant).distinct().select_related("campaign"):
        unpaid = selectors.unpaid_of(panel, participant)
        if unpaid:
            text = _(
                "%(amount)s of “%(campaign)s” is not paid yet. Pay it before: afterwards nobody knows whom."
            )
            amount = selectors.money(unpaid, panel.campaign.currency)
            outcome.before.append(text % {"amount": amount, "campaign": panel.campaign.name})
    return outcome


def forget(participant: Participant) -> None:
    visits_forget(participant=participant)
