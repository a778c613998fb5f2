"""As much of a browser as an annotator needs: one connection that is kept, cookies, forms."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlencode

TIMEOUT = 60
_CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


class BenchError(Exception):
    """What was measured did not behave as it must; with what came instead."""


@dataclass(frozen=True)
class Answer:
    """A response, read to its end."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def csrf(self) -> str:
        """The token of the page's form."""
        found = _CSRF.search(self.body)
        if not found:
            raise BenchError(f"a page without a form: {self.body[:200]!r}")
        return found.group(1).decode()


class Browser:
    """One person's browser on one server; ``requests`` counts what it sent, ``resent`` what it sent again."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}
        self.requests = 0
        self.resent = 0

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, headers)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return self.send("POST", path, urlencode(fields).encode(), headers)

    def post_json(self, path: str, value: Any, method: str = "POST") -> Answer:
        return self.send(method, path, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """One request. Sent again, as browsers do, on a connection that the server had closed meanwhile."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()} | self.headers
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            response = self._once(method, path, body, headers)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.connection.close()
            self.resent += 1
            response = self._once(method, path, body, headers)
        answer = Answer(response.status, response.headers, response.read())
        for line in answer.headers.get_all("Set-Cookie") or ():
            self._keep(line)
        return answer

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> HTTPResponse:
        self.requests += 1
        self.connection.request(method, path, body, headers)  # type: ignore[arg-type]
        return self.connection.getresponse()

    def _keep(self, line: str) -> None:
        name, _, value = line.partition(";")[0].partition("=")
        if value.strip('"'):
            self.cookies[name.strip()] = value
        else:
            self.cookies.pop(name.strip(), None)

    def close(self) -> None:
        self.connection.close()


def expect(answer: Answer, *statuses: int) -> Answer:
    """The answer, if its status is one of these."""
    if answer.status not in statuses:
        where = answer.headers.get("Location", "")
        raise BenchError(f"status {answer.status} {where}: {answer.body[:300]!r}")
    return answer
