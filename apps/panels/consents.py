"""What a panel's people agree to: the text to start from, and whether it has been filled in."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign
from apps.campaigns.readiness import Doubt
from apps.panels.models import ConsentText

PLACEHOLDER = "[Name and address of the people who are responsible]"

STARTING_CONSENT = (
    "# What this is\n"
    "You are asked to take part in a research study about the meaning of English sentences.\n\n"
    "# What you do\n"
    "You read sentences and answer questions about them. You may stop at any time, without giving a "
    "reason; what you have sent is paid.\n\n"
    "# What is kept\n"
    "Your answers, the times at which you sent them, and your identifier at the panel, which is used for "
    "paying you and is never published. The answers may be published under a name that says nothing "
    "about you.\n\n"
    "# Whom to ask\n"
    f"{PLACEHOLDER}"
)


def consent_unwritten(campaign: Campaign) -> Iterator[Doubt]:
    """Nobody can agree to a text that does not say who asks: the campaign stays closed until it does."""
    latest = ConsentText.objects.filter(panel__campaign=campaign).order_by("-version").first()
    if latest and PLACEHOLDER in latest.body:
        text = _("The consent text still says “%(place)s”. Write the name there, under Panel and pay.")
        yield Doubt(text % {"place": PLACEHOLDER}, must=True)
