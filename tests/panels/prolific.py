"""Prolific, as far as its documentation describes it to a study's server.

- docs.prolific.com/api-reference/studies/the-study-object: the study link's placeholders
  ``{{%PROLIFIC_PID%}}``, ``{{%STUDY_ID%}}``, ``{{%SESSION_ID%}}``; at the end people go to
  ``https://app.prolific.com/submissions/complete?cc=<code>``.
- docs.prolific.com/api-reference/webhooks/receiving: the body of ``submission.status.change`` holds
  ``resource_id`` (the submission, which is the session), ``event_type``, ``participant_id``, ``status``.
- docs.prolific.com/api-reference/webhooks/verifying: ``X-Prolific-Request-Timestamp`` is a UNIX time,
  ``X-Prolific-Request-Signature`` the base64 of the HMAC-SHA256, with the secret, of the timestamp
  followed by the body.
- docs.prolific.com/api-reference/webhooks/idempotency-and-the-x-event-id-header: ``X-Event-ID`` is an
  event's own, and the same when it is delivered again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

# One worked example. The signature was computed by another program:
#   printf '%s%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$secret" -binary | base64
EXAMPLE = {
    "secret": "f0b1c2d3e4a5968778695a4b3c2d1e0f",
    "timestamp": "1700000000",
    "body": b'{"resource_id": "60d9aadeb86739de712faee0", "event_type": "submission.status.change", '
    b'"participant_id": "60bf9310e8dec401be6e9615", "status": "RETURNED"}',
    "signature": "lMQqD5wfHJKZ/4zsIouaVP1IupzVcBoR8Sp/nsfDOYU=",
}

_numbers = itertools.count(1)


@dataclass
class Submission:
    """One person in one session of a study there."""

    person: str = "60bf9310e8dec401be6e9615"
    study: str = "60c304ab19dba8ba2b36b53d"
    session: str = "60d9aadeb86739de712faee0"


@dataclass
class Prolific:
    """The platform with its workspace's secret and the code of the study."""

    secret: str = "workspace-secret"
    codes: dict[str, str] = field(default_factory=dict)

    def link(self, study_url: str, submission: Submission) -> str:
        """The study link as a participant's browser opens it."""
        return (
            study_url.replace("{{%PROLIFIC_PID%}}", submission.person)
            .replace("{{%STUDY_ID%}}", submission.study)
            .replace("{{%SESSION_ID%}}", submission.session)
        )

    def event(
        self, submission: Submission, status: str, *, at: float | None = None, event_id: str = ""
    ) -> tuple[bytes, dict[str, str]]:
        """The body and the headers of a status change."""
        body = json.dumps(
            {
                "resource_id": submission.session,
                "event_type": "submission.status.change",
                "participant_id": submission.person,
                "status": status,
            }
        ).encode()
        return body, self.headers(body, at=at, event_id=event_id)

    def headers(self, body: bytes, *, at: float | None = None, event_id: str = "") -> dict[str, str]:
        timestamp = str(int(time.time() if at is None else at))
        digest = hmac.new(self.secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
        return {
            "X-Prolific-Request-Timestamp": timestamp,
            "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
            "X-Event-ID": event_id or f"event-{next(_numbers)}",
        }

    @staticmethod
    def code_in(address: str) -> str:
        """The completion code that somebody comes back with."""
        parts = urlsplit(address)
        assert (parts.scheme, parts.netloc, parts.path) == (
            "https",
            "app.prolific.com",
            "/submissions/complete",
        )
        return parse_qs(parts.query)["cc"][0]
