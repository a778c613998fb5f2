"""A panel of no particular make, as docs/panels.md describes one: it signs its events as Polarlab
does, and has an address of its own at which it is told that somebody has finished.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer

_numbers = itertools.count(1)


@dataclass
class GenericPanel:
    """``answers`` are the statuses that it answers with, one after the other; the last one stays."""

    secret: str = "a shared secret"
    answers: list[int] = field(default_factory=lambda: [204])
    told: list[dict[str, str]] = field(default_factory=list)
    event_ids: list[str] = field(default_factory=list)
    port: int = 0

    def sign(self, timestamp: str, body: bytes) -> str:
        digest = hmac.new(self.secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
        return base64.b64encode(digest).decode()

    def event(self, session: str, person: str, status: str) -> tuple[bytes, dict[str, str]]:
        content = {"event_type": "submission.status.change", "resource_id": session,
                   "participant_id": person, "status": status}  # fmt: skip
        body, timestamp = json.dumps(content).encode(), str(int(time.time()))
        return body, {
            "X-Polarlab-Timestamp": timestamp,
            "X-Polarlab-Signature": self.sign(timestamp, body),
            "X-Event-ID": f"generic-{next(_numbers)}",
        }

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/told?session={{session}}"

    @contextmanager
    def listening(self) -> Iterator[GenericPanel]:
        """Take notice at an address of this machine's, as long as the block lasts."""
        panel = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                signed = panel.sign(self.headers["X-Polarlab-Timestamp"], body)
                status = panel.answers[0] if len(panel.answers) == 1 else panel.answers.pop(0)
                if self.headers["X-Polarlab-Signature"] != signed:
                    status = 401
                elif 200 <= status < 300:
                    panel.told.append(json.loads(body))
                panel.event_ids.append(self.headers["X-Event-ID"])
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        self.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
