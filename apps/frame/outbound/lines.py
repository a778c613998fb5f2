"""Sending a POST to an address that somebody typed in, and reading the beginning of what comes back.

No redirect is followed, no proxy of the environment asked, and the whole exchange ends in time, however
slowly the other side talks.
"""

from __future__ import annotations

import socket
import ssl
import threading
from dataclasses import dataclass
from functools import lru_cache
from http.client import HTTPConnection, HTTPException
from types import TracebackType
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop

from apps.frame.outbound.destinations import NotSent, addresses_of, allowed_host

SECONDS = 10
# So much of an answer is read; no more is needed to see what went wrong.
LONGEST_ANSWER = 1024


@dataclass(frozen=True)
class Answer:
    """What came back: the status, and the beginning of the body."""

    status: int
    text: str

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


class Line:
    """A connection to one address, kept open from one POST to the next.

    >>> with Line("https://example.org/hook") as line:  # doctest: +SKIP
    ...     line.post(b"{}", {"Content-Type": "application/json"}).status
    204
    """

    def __init__(self, address: str, *, seconds: float = SECONDS) -> None:
        self._parts = urlsplit(address)
        self._seconds = seconds
        self._connection: HTTPConnection | None = None

    def __enter__(self) -> Line:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def post(self, body: bytes, headers: dict[str, str]) -> Answer:
        """The answer to a POST; :class:`NotSent` where none came in time.

        A connection that the other side has closed since the last POST is opened anew, once; what is sent
        must therefore bear being sent twice.
        """
        is_used = self._connection is not None and self._connection.sock is not None
        try:
            return self._post(body, headers)
        except (OSError, HTTPException) as error:
            self.close()
            if is_used and not isinstance(error, TimeoutError):
                return self.post(body, headers)
            raise NotSent(_reason(error)) from error

    def _post(self, body: bytes, headers: dict[str, str]) -> Answer:
        connection = self._opened()
        held = connection.sock
        late = threading.Event()
        timer = threading.Timer(self._seconds, _end, (held, late))
        timer.daemon = True
        timer.start()
        try:
            target = (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")
            connection.request("POST", target, body=body, headers={"User-Agent": "Polarlab", **headers})
            response = connection.getresponse()
            text = response.read(LONGEST_ANSWER).decode("utf-8", "replace").replace("\0", "�")
            if late.is_set():  # what was broken off may still look like an answer
                raise TimeoutError
            if not response.isclosed():  # there is more of it, which nobody wants
                self.close()
        except (OSError, HTTPException, ValueError) as error:
            if late.is_set():
                raise TimeoutError from error
            if isinstance(error, ValueError):
                raise HTTPException(str(error)) from error
            raise
        finally:
            timer.cancel()
        return Answer(response.status, text)

    def _opened(self) -> HTTPConnection:
        """The connection with its socket; by itself it would look the name up again, unchecked."""
        if self._connection and self._connection.sock:
            return self._connection
        host = allowed_host(self._parts.hostname or "")
        is_secure = self._parts.scheme == "https"
        port = self._parts.port or (443 if is_secure else 80)
        held = _connected(host, port, self._seconds)
        if is_secure:
            try:
                held = trust().wrap_socket(held, server_hostname=host)
            except OSError:
                held.close()
                raise
        self._connection = HTTPConnection(self._parts.netloc.rpartition("@")[2], timeout=self._seconds)
        self._connection.auto_open = 0
        self._connection.sock = held
        return self._connection


def _connected(host: str, port: int, seconds: float) -> socket.socket:
    """A connection to the first of the host's checked addresses that takes one."""
    failure: OSError = OSError(gettext_noop("the name has no address"))
    for address in addresses_of(host, port):
        try:
            return socket.create_connection((address, port), timeout=seconds)
        except OSError as error:
            failure = error
    raise failure


@lru_cache(maxsize=1)
def trust() -> ssl.SSLContext:
    return ssl.create_default_context()


def _end(held: socket.socket, late: threading.Event) -> None:
    """Break the exchange off. The plain socket's shutdown, since that of TLS may not run beside a reader."""
    late.set()
    try:
        socket.socket.shutdown(held, socket.SHUT_RDWR)
    except OSError:  # it has ended by itself
        return


def _reason(error: Exception) -> str:
    """In English, as the system's own errors are; the page translates what it can."""
    if isinstance(error, TimeoutError):
        return gettext_noop("no answer in time")
    return str(error) or type(error).__name__
