"""Telling a panel that a visit is over: one signed request to the address that it gave.

The server speaks only to hosts that whoever hosts it allows (POLARLAB_OUTBOUND_HOSTS), follows no
redirect, and waits ten seconds at most.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import IO, Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from apps.panels.models import Visit
from apps.panels.platforms import EVENT_ID_HEADER, PLATFORMS, signature_of, web_address
from apps.studies.clock import database_now

_SECONDS = 10


class NotTold(Exception):
    """The panel did not take notice, with the reason in words."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: IO[bytes], code: int, *rest: Any) -> None:
        return None


def tell(visit: Visit) -> None:
    """Send the end of the visit to the panel's address; NotTold unless it answers with a 2xx status.

    The same visit is told under the same event identifier however often it takes, so that a panel
    which took notice but whose answer was lost can leave it at that.
    """
    panel = visit.panel
    address = panel.told_address.replace("{session}", quote(visit.session_id, safe="")).replace(
        "{code}", quote(visit.code, safe="")
    )
    _check(address)
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
    request = urllib.request.Request(  # noqa: S310 (_check lets http and https through alone)
        address,
        data=body,
        method="POST",
        headers={
            "Content-Type": "application/json",
            "User-Agent": "Polarlab",
            platform.signature_header: signature_of(panel.secret, timestamp, body),
            platform.timestamp_header: timestamp,
            EVENT_ID_HEADER: f"polarlab-{panel.public_id}-{visit.pk}",
        },
    )
    # No proxy of the environment: the allowed host is the one that is spoken to.
    opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=_SECONDS) as answer:
            status = answer.status
    except urllib.error.HTTPError as error:
        status = error.code
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise NotTold(_("The panel can't be reached: %(reason)s") % {"reason": reason}) from error
    if not 200 <= status < 300:
        raise NotTold(_("The panel answered with status %(status)d.") % {"status": status})


def _check(address: str) -> None:
    if not web_address(address):
        raise NotTold(_("The address to tell is none."))
    host = (urlsplit(address).hostname or "").lower()
    if host not in settings.OUTBOUND_HOSTS:
        raise NotTold(
            _("This server may not speak to %(host)s; whoever hosts it can allow it.") % {"host": host}
        )
