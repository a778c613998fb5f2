"""Somebody else's program that is told: a receiver on this machine, with a check of signatures of its own.

The check follows the text of Standard Webhooks 1.0.0 ("Verifying signatures"), and shares no code with the
program under test.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import ssl
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver:
    """Answers with ``answers``, one status a request, then 200; keeps what it took in.

    ``taken`` has the messages that were signed, in time, and answered well; ``seen`` every id that came.
    """

    def __init__(self) -> None:
        self.secret = ""
        self.answers: list[int] = []
        self.headers: dict[str, str] = {}
        self.body = b""
        self.pause = 0.0
        self.taken: list[dict[str, Any]] = []
        self.seen: list[str] = []
        self.raw: list[tuple[dict[str, str], bytes]] = []
        self.connections = 0
        self.address = ""

    @contextmanager
    def listening(self, certificate: str = "") -> Iterator[Receiver]:
        """By https with a certificate (and its key, in the same file), else by http."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                outer.connections += 1

            def handle(self) -> None:
                with suppress(ConnectionError):  # whoever sends may have had enough
                    super().handle()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = outer.take({key.lower(): value for key, value in self.headers.items()}, body)
                time.sleep(outer.pause)
                self.send_response(status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(outer.body)))
                self.end_headers()
                self.wfile.write(outer.body)

            def log_message(self, *words: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        scheme = "https" if certificate else "http"
        self.address = f"{scheme}://127.0.0.1:{server.server_port}/hook"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def take(self, headers: dict[str, str], body: bytes) -> int:
        self.raw.append((headers, body))
        self.seen.append(headers["webhook-id"])
        if not is_authentic(self.secret, headers, body, now=time.time()):
            return 401
        status = self.answers.pop(0) if self.answers else 200
        if status < 300:
            self.taken.append(json.loads(body))
        return status


def is_authentic(secret: str, headers: dict[str, str], body: bytes, *, now: float) -> bool:
    """Whether one of the signatures is the secret's, and the time within five minutes."""
    sent_at = headers["webhook-timestamp"]
    if abs(now - int(sent_at)) > 300:
        return False
    content = b".".join([headers["webhook-id"].encode(), sent_at.encode(), body])
    mine = hmac.digest(b64decode(secret.split("_", 1)[1]), content, hashlib.sha256)
    for word in headers["webhook-signature"].split(" "):
        version, _comma, theirs = word.partition(",")
        if version == "v1" and hmac.compare_digest(mine, b64decode(theirs)):
            return True
    return False
