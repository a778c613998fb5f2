"""Telling a panel that a visit is over: one signed request to the address that it gave.

How the server speaks to addresses that somebody typed in is one room for all: ``apps/frame/outbound/``.
"""

from __future__ import annotations

import json
from urllib.parse import quote

from django.utils.translation import gettext as _

from apps.frame.clock import database_now
from apps.frame.outbound.destinations import NotAllowed, NotSent
from apps.frame.outbound.lines import Line
from apps.panels.models import Visit
from apps.panels.platforms import EVENT_ID_HEADER, PLATFORMS, signature_of, web_address


class NotTold(Exception):
    """The panel did not take notice, with the reason in words."""


def tell(visit: Visit) -> None:
    """Send the end of the visit to the panel's address; NotTold unless it answers with a 2xx status.

    The same visit is told under the same event identifier however often it takes, so that a panel
    which took notice but whose answer was lost can leave it at that.
    """
    panel = visit.panel
    address = panel.told_address.replace("{session}", quote(visit.session_id, safe="")).replace(
        "{code}", quote(visit.code, safe="")
    )
    if not web_address(address):
        raise NotTold(_("The address to tell is none."))
    body = json.dumps(
        {
            "event_type": "submission.finished",
            "resource_id": visit.session_id,
            "participant_id": visit.participant.external_id,
            "outcome": visit.outcome,
            "code": visit.code,
        }
    ).encode()
    timestamp = str(int(database_now().timestamp()))
    platform = PLATFORMS[panel.kind]
    headers = {
        "Content-Type": "application/json",
        platform.signature_header: signature_of(panel.secret, timestamp, body),
        platform.timestamp_header: timestamp,
        EVENT_ID_HEADER: f"polarlab-{panel.public_id}-{visit.pk}",
    }
    try:
        with Line(address) as line:
            answer = line.post(body, headers)
    except NotAllowed as error:
        raise NotTold(str(error)) from error
    except NotSent as error:
        raise NotTold(_("The panel can't be reached: %(reason)s") % {"reason": error}) from error
    if not answer.is_good:
        raise NotTold(_("The panel answered with status %(status)d.") % {"status": answer.status})
