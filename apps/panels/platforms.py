"""What each platform's protocol fixes: names of parameters and headers, addresses, signatures.

Sources: Prolific, docs.prolific.com/api-reference/webhooks (receiving, verifying, the X-Event-ID
header) and the study object's completion codes; Mechanical Turk, docs.aws.amazon.com/AWSMechTurk
(ExternalQuestion; how tasks are rendered; defining an HTML form).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from apps.panels.models import Panel

# MTurk: the assignment of a worker who only looks at the task.
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"

# MTurk: the two hosts that a finished task may be sent to, the market's and the sandbox's.
SUBMIT_HOSTS = ("https://www.mturk.com", "https://workersandbox.mturk.com")
# Where workers see the task: the market's own site has moved to a third host since.
FRAME_HOSTS = (*SUBMIT_HOSTS, "https://worker.mturk.com")

# An event that was signed longer ago than this, or that lies so far ahead, is not taken.
EVENT_SECONDS = 300
LONGEST_EVENT = 64 * 1024
LONGEST_IDENTIFIER = 200


class ArrivalError(Exception):
    """An address that somebody can't arrive by, with the reason in words."""


@dataclass(frozen=True)
class Platform:
    """The settings a new panel of a kind begins with, and the headers that sign its events."""

    platform: str
    person: str
    session: str
    study: str
    return_address: str
    signature_header: str
    timestamp_header: str


PLATFORMS: dict[str, Platform] = {
    Panel.Kind.PROLIFIC: Platform(
        platform="prolific",
        person="PROLIFIC_PID",
        session="SESSION_ID",
        study="STUDY_ID",
        return_address="https://app.prolific.com/submissions/complete?cc={code}",
        signature_header="X-Prolific-Request-Signature",
        timestamp_header="X-Prolific-Request-Timestamp",
    ),
    Panel.Kind.MTURK: Platform(
        platform="mturk",
        person="workerId",
        session="assignmentId",
        study="hitId",
        return_address="",
        signature_header="X-Polarlab-Signature",
        timestamp_header="X-Polarlab-Timestamp",
    ),
    Panel.Kind.GENERIC: Platform(
        platform="panel",
        person="person",
        session="session",
        study="",
        return_address="",
        signature_header="X-Polarlab-Signature",
        timestamp_header="X-Polarlab-Timestamp",
    ),
}
EVENT_ID_HEADER = "X-Event-ID"


# ---- Arriving ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Arrival:
    """Who comes, under which session; ``submit_to`` is where MTurk wants the end to be sent."""

    person: str
    session: str
    study: str = ""
    submit_to: str = ""


def is_preview(panel: Panel, query: Mapping[str, str]) -> bool:
    """Whether a worker looks at the task without having taken it."""
    return panel.kind == Panel.Kind.MTURK and query.get(panel.session_parameter) == PREVIEW


def arrival_of(panel: Panel, query: Mapping[str, str]) -> Arrival:
    """What the address says; ArrivalError names a parameter that is missing or makes no sense."""
    values = {
        name: _identifier(name, query.get(name, ""))
        for name in (panel.person_parameter, panel.session_parameter, panel.study_parameter)
        if name
    }
    submit_to = ""
    if panel.kind == Panel.Kind.MTURK:
        submit_to = _submit_host(query.get("turkSubmitTo", ""))
    return Arrival(
        person=values[panel.person_parameter],
        session=values[panel.session_parameter],
        study=values.get(panel.study_parameter, ""),
        submit_to=submit_to,
    )


def _identifier(name: str, value: str) -> str:
    value = value.strip()
    if not value or value.startswith("{{"):  # a placeholder that the platform did not fill in
        raise ArrivalError(_("The address lacks the parameter “%(name)s”.") % {"name": name})
    if len(value) > LONGEST_IDENTIFIER or not value.isprintable():
        raise ArrivalError(_("The parameter “%(name)s” of the address makes no sense.") % {"name": name})
    return value


def _submit_host(value: str) -> str:
    """One of the two hosts, as an origin. Anything that is more than an origin is refused."""
    if not value:
        raise ArrivalError(_("The address lacks the parameter “%(name)s”.") % {"name": "turkSubmitTo"})
    origin = value.removesuffix("/")
    if origin not in SUBMIT_HOSTS:
        raise ArrivalError(
            _("The parameter “%(name)s” must name Mechanical Turk or its sandbox.") % {"name": "turkSubmitTo"}
        )
    return origin


def study_address(panel: Panel, address: str) -> str:
    """The address to paste at the panel. MTurk appends its parameters itself; Prolific fills in names
    between doubled braces."""
    if panel.kind == Panel.Kind.MTURK:
        return address
    names = [panel.person_parameter, panel.study_parameter, panel.session_parameter]
    if panel.kind == Panel.Kind.PROLIFIC:
        fields = zip(names, ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"], strict=True)
        query = [f"{name}={{{{%{value}%}}}}" for name, value in fields if name]
    else:
        query = [f"{name}=…" for name in names if name]
    return f"{address}?{'&'.join(query)}"


# ---- Returning ---------------------------------------------------------------------------------


def return_link(panel: Panel, *, code: str, session: str) -> str:
    """Where a person goes back to with the code; "" where the panel has no such address."""
    address = panel.return_address
    return address.replace("{code}", quote(code, safe="")).replace("{session}", quote(session, safe=""))


def external_submit(submit_to: str) -> str:
    """Where MTurk's form goes, with ``assignmentId`` and at least one more field."""
    return f"{submit_to}/mturk/externalSubmit" if submit_to in SUBMIT_HOSTS else ""


def web_address(value: str) -> bool:
    """Whether the text is an http or https address with a host and without a password."""
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


# ---- Signing -----------------------------------------------------------------------------------


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """Base64 of the HMAC-SHA256 over the timestamp and the body as sent, one after the other.

    >>> signature_of("s3cret", "1700000000", b"{}")
    'iar4yPB5U4VVBVFyiTJ8mIzok9fgjE0xy/k0fIUCHCU='
    """
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def is_signed(secret: str, timestamp: str, body: bytes, signature: str) -> bool:
    """Whether the signature is the secret's. Never without a secret."""
    if not secret or not signature:
        return False
    try:
        given = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    return hmac.compare_digest(given, base64.b64decode(signature_of(secret, timestamp, body)))
