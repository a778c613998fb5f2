"""What a container's health check asks: ``python -m config.health web|worker|beat``.

Exits with 0 when the part is well, with 1 and one line that says why when it is not. It loads no
Django, except for the worker, which answers through the broker.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

# Beat writes its schedule down every three minutes; two misses in a row are a fault.
BEAT_SILENCE_SECONDS = 400


class Unwell(Exception):
    """Why a part is not well."""


def host_header(allowed_hosts: str, public_url: str = "") -> str:
    """A host name that the server accepts: ``PUBLIC_URL``'s, or the first of ``ALLOWED_HOSTS``.

    >>> host_header("", "https://polarlab.example:8443/lab/")
    'polarlab.example'
    >>> host_header("polarlab.example, other.example"), host_header(".example.org"), host_header("*")
    ('polarlab.example', 'example.org', 'localhost')
    """
    if name := urlsplit(public_url).hostname:
        return name
    first = allowed_hosts.split(",")[0].strip().lstrip(".")
    return first if first not in ("", "*") else "localhost"


def web(address: str = "127.0.0.1:8000") -> None:
    """The server answers ``/health/``, and so reaches its database."""
    connection = HTTPConnection(address, timeout=5)
    try:
        name = host_header(os.environ.get("ALLOWED_HOSTS", ""), os.environ.get("PUBLIC_URL", ""))
        connection.request("GET", "/health/", headers={"Host": name})
        status = connection.getresponse().status
    except OSError as error:
        raise Unwell(f"{address} does not answer: {error}") from error
    finally:
        connection.close()
    if status != 200:
        raise Unwell(f"/health/ answers with {status}")


def worker() -> None:
    """The worker on this machine answers a ping through the broker."""
    from config.celery import app

    name = f"celery@{socket.gethostname()}"
    if not app.control.inspect(destination=[name], timeout=5).ping():
        raise Unwell(f"{name} does not answer")


def beat() -> None:
    """The schedule was written not long ago (its file has a suffix or two, by the database module)."""
    folder = Path(os.environ.get("POLARLAB_VAR", "var"))
    written = [path.stat().st_mtime for path in folder.glob("beat-schedule*")]
    if not written:
        raise Unwell(f"no beat-schedule in {folder}")
    silence = time.time() - max(written)
    if silence > BEAT_SILENCE_SECONDS:
        raise Unwell(f"the schedule was last written {silence:.0f} s ago")


PARTS: dict[str, Callable[[], None]] = {"web": web, "worker": worker, "beat": beat}


def main(part: str) -> int:
    try:
        PARTS[part]()
    except Unwell as error:
        print(f"{part}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PARTS:
        sys.exit(f"usage: python -m config.health {'|'.join(PARTS)}")
    sys.exit(main(sys.argv[1]))
