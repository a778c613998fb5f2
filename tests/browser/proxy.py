"""A reverse proxy that serves one program below a path and something else at the root."""

from __future__ import annotations

import contextlib
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "host"}


class Proxy:
    """Passes what lies below ``path`` on to a port of this machine, the path taken off; whatever else is
    asked for is a 404 of somebody else's, and kept in ``strays``."""

    def __init__(self, port: int, path: str) -> None:
        self.strays: list[str] = []
        strays = self.strays

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def pass_on(self) -> None:
                if not self.path.startswith(f"{path}/"):
                    strays.append(f"{self.command} {self.path}")
                    return self.send_error(404)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                kept = {k: v for k, v in self.headers.items() if k.lower() not in _OF_THE_CONNECTION}
                behind = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                try:
                    # The proxy's own name and port, as most are set up.
                    behind.request(
                        self.command, self.path[len(path) :], body, {**kept, "Host": self.headers["Host"]}
                    )
                    answer = behind.getresponse()
                    text = answer.read()
                except OSError:
                    return self.send_error(502)
                finally:
                    behind.close()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the browser went on
                    self.hand_back(answer, text)
                return None

            def hand_back(self, answer: http.client.HTTPResponse, text: bytes) -> None:
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in _OF_THE_CONNECTION | {"content-length", "server", "date"}:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(text)

            do_GET = do_POST = do_HEAD = do_PUT = do_PATCH = do_DELETE = pass_on

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self._server.server_port}{path}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
