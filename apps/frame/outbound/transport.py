"""The same door for libraries that speak HTTP through httpx: a client whose every connection is checked.

Loaded by who needs it, inside a function: httpx is no small library.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Any

import httpcore2
import httpx2
from django.utils.translation import gettext as _

from apps.frame.outbound.destinations import NotAllowed, addresses_of, allowed_host, is_inside
from apps.frame.outbound.lines import trust

# More is no answer of a model; what is compressed could be of any size.
LONGEST_ANSWER = 4 * 1024 * 1024


class _Exchange(threading.local):
    """Until when the exchange of this thread may take, and how many bytes it may still bring."""

    end: float = 0.0
    left: int = 0

    def seconds(self, asked: float | None) -> float:
        left = self.end - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("no answer in time")
        return min(left, asked) if asked else left


def checked_client(address: str, *, seconds: float) -> httpx2.Client:
    """A client for the server at ``address``: to no other, without redirects, proxies or compression, each
    exchange at an end after ``seconds``.

    What it sends may raise :class:`~apps.frame.outbound.destinations.NotAllowed` beside httpx's own errors.
    """
    return httpx2.Client(
        transport=_Transport(httpx2.URL(address), seconds),
        timeout=seconds,
        trust_env=False,
        follow_redirects=False,
        headers={"User-Agent": "Polarlab", "Accept-Encoding": "identity"},
    )


class _Transport(httpx2.BaseTransport):
    """Requests to one origin; httpcore keeps the connections, and asks us to open them."""

    def __init__(self, address: httpx2.URL, seconds: float) -> None:
        self._origin = (address.scheme, address.host, address.port)
        self._seconds = seconds
        self._exchange = _Exchange()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=trust(),
            max_connections=32,
            keepalive_expiry=30,
            network_backend=_Door(self._exchange, is_secure=address.scheme == "https"),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        if (url.scheme, url.host, url.port) != self._origin:
            raise NotAllowed(
                _("This server may not speak to %(host)s; whoever hosts it can allow it.")
                % {"host": url.host}
            )
        allowed_host(url.host)  # a connection may be older than the list
        self._exchange.end = time.monotonic() + self._seconds
        self._exchange.left = LONGEST_ANSWER
        try:
            answer = self._pool.handle_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
            try:
                body = b"".join(answer.stream)  # type: ignore[arg-type]
            finally:
                answer.close()
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(str(error) or "no answer in time", request=request) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise httpx2.TransportError(str(error), request=request) from error
        headers = httpx2.Headers(answer.headers)
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise httpx2.TransportError(
                "the answer is compressed, though none was asked for", request=request
            )
        return httpx2.Response(answer.status, headers=headers, content=body, request=request)

    def close(self) -> None:
        self._pool.close()


class _Door(httpcore2.NetworkBackend):
    """Opens connections to checked addresses alone."""

    def __init__(self, exchange: _Exchange, *, is_secure: bool) -> None:
        self._exchange = exchange
        self._is_secure = is_secure
        self._backend = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            found = addresses_of(allowed_host(host), port)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        if not self._is_secure and not all(is_inside(each) for each in found):
            raise NotAllowed(_("Only an address on the host's own network may do without https."))
        failure = httpcore2.ConnectError("the name has no address")
        for address in found:
            seconds = self._exchange.seconds(timeout)
            try:
                opened = self._backend.connect_tcp(address, port, seconds, local_address, socket_options)
                return _Stream(opened, self._exchange)
            except httpcore2.ConnectError as error:
                failure = error
        raise failure


class _Stream(httpcore2.NetworkStream):
    """A connection that ends with its exchange's time, however slowly the other side talks."""

    def __init__(self, inner: httpcore2.NetworkStream, exchange: _Exchange) -> None:
        self._inner = inner
        self._exchange = exchange

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        read = self._inner.read(max_bytes, self._exchange.seconds(timeout))
        self._exchange.left -= len(read)
        if self._exchange.left < 0:
            raise httpcore2.ReadError("the answer is too long")
        return read

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._exchange.seconds(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        secured = self._inner.start_tls(ssl_context, server_hostname, self._exchange.seconds(timeout))
        return _Stream(secured, self._exchange)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
