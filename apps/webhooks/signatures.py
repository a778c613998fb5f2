"""Signatures as Standard Webhooks has them (standardwebhooks.com, specification 1.0.0, symmetric scheme).

The signed content is ``<id>.<timestamp>.<body>``, byte for byte; the key is what ``whsec_`` is followed by,
in base64. Whoever receives checks that the timestamp is of the last minutes, so that a captured delivery
can't be sent again later, and that the id is new.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"


def new_secret() -> str:
    """A fresh secret of 32 random bytes (the specification asks for 24 to 64)."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """``v1,`` and the base64 of the HMAC-SHA256.

    >>> signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
    ...           b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def headers(keys: list[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers; with one signature for each of the secrets in force, so that one can be replaced."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(key, message_id, timestamp, body) for key in keys),
    }
