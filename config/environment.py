"""Typed readings of environment variables, each with an error that says what to set."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value in ("", "1", "true", "yes", "on", "0", "false", "no", "off"):
        return value in ("1", "true", "yes", "on") if value else default
    raise ImproperlyConfigured(f"{name}={value!r}: set it to 1 or 0.")


def number(name: str, default: int) -> int:
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r}: set it to a whole number.") from None


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list, empty entries dropped."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def some_of(name: str, known: list[str]) -> list[str]:
    """A comma-separated list of known words; all of them when it is not set."""
    given = words(name) or known
    if wrong := [word for word in given if word not in known]:
        raise ImproperlyConfigured(f"{name}: {wrong[0]!r} is none of {', '.join(known)}.")
    return given


@dataclass(frozen=True)
class ChatKey:
    """A key of a chat server: sent to that ``host`` alone (with a ``port``: to that port alone), for every
    study, or for the one that it is given to."""

    name: str
    host: str
    port: int | None
    study: str
    secret: str = field(repr=False)


_CHAT_KEY = re.compile(
    r"(?:(?P<study>[\w-]+)/)?(?P<name>[\w-]{1,40})@(?P<host>[\w.-]+|\[[0-9a-fA-F:]+\])(?::(?P<port>\d{1,5}))?"
    r"=(?P<secret>[!-~]{1,500})",
    re.ASCII,
)


def chat_keys(name: str) -> list[ChatKey]:
    """A comma-separated list of ``name@host=key``, or ``study/name@host:port=key``. The error names no
    key."""
    found = []
    for number, entry in enumerate(words(name), 1):
        read = _CHAT_KEY.fullmatch(entry)
        if read is None:
            raise ImproperlyConfigured(
                f"{name}: entry {number} is not like name@host=key or study/name@host:port=key."
            )
        port = int(read["port"]) if read["port"] else None
        host = read["host"].strip("[]").lower()
        found.append(ChatKey(read["name"], host, port, read["study"] or "", read["secret"]))
    return found


@dataclass(frozen=True)
class PublicAddress:
    """Where people reach the server: its origin as browsers send it, its host's name, and the path below
    which it lives, without a slash at the end (empty at the root)."""

    origin: str
    host: str
    path: str


def public_address(name: str) -> PublicAddress | None:
    """The address that a variable holds; None when it is not set."""
    value = text(name)
    if not value:
        return None
    url = urlsplit(value)
    if "?" in value or "#" in value:
        raise ImproperlyConfigured(f"{name}={value!r}: leave out everything from ? or # on.")
    origin = _origin(name, value, url)
    path = "/".join(part for part in url.path.split("/") if part)
    if not re.fullmatch(r"[\w\-/]*", path, re.ASCII):
        raise ImproperlyConfigured(f"{name}={value!r}: use plain letters, digits, - and _ in the path.")
    return PublicAddress(origin, url.hostname or "", f"/{path}" if path else "")


def origins(name: str) -> list[str]:
    """A comma-separated list of origins (scheme, host, port), as browsers send them."""
    found = []
    for value in words(name):
        origin = _origin(name, value, url := urlsplit(value))
        if url.path or url.query or url.fragment:
            raise ImproperlyConfigured(f"{name}: write {origin} instead of {value} (nothing after the host).")
        found.append(origin)
    return found


def _origin(name: str, value: str, url: SplitResult) -> str:
    try:
        port = url.port
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r}: the port is not a number from 1 to 65535.") from None
    if url.scheme not in ("http", "https") or not url.hostname or url.username is not None:
        raise ImproperlyConfigured(f"{name}={value!r}: write it like https://polarlab.example.org.")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    usual = {"http": 80, "https": 443}[url.scheme]
    return f"{url.scheme}://{host}" + (f":{port}" if port and port != usual else "")


def mail(name: str) -> dict[str, Any]:
    """Where mail is handed in, out of a URL; empty when there is none.

    ``smtp://user:password@host:587`` (STARTTLS), ``smtps://…`` (TLS from the start, port 465), and
    ``smtp+plain://host:25`` (neither: a relay on this machine or network) are understood.
    """
    url = urlsplit(text(name))
    if not url.geturl():
        return {}
    ports = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
    if url.scheme not in ports or not url.hostname:
        raise ImproperlyConfigured(
            f"{name}: set it to smtp://user:password@host:587, smtps://… or smtp+plain://host:25."
        )
    try:
        port = url.port or ports[url.scheme]
    except ValueError:
        raise ImproperlyConfigured(f"{name}: the port is not a number from 1 to 65535.") from None
    return {
        "host": url.hostname,
        "port": port,
        "user": unquote(url.username or ""),
        "password": unquote(url.password or ""),
        "starttls": url.scheme == "smtp",
        "tls": url.scheme == "smtps",
    }


def database(name: str, fallback: Path) -> dict[str, object]:
    """Django's settings for one database out of a URL; SQLite in ``fallback`` when there is none.

    ``postgres://user:password@host:port/name`` and ``sqlite:///path`` are understood.
    """
    url = urlsplit(text(name))
    if not url.geturl():
        return _sqlite(str(fallback), fallback)
    if url.scheme in ("postgres", "postgresql"):
        try:
            port = str(url.port or "")
        except ValueError:
            raise ImproperlyConfigured(f"{name}: the port is not a number from 1 to 65535.") from None
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(url.path.lstrip("/")),
            "USER": unquote(url.username or ""),
            "PASSWORD": unquote(url.password or ""),
            "HOST": url.hostname or "",
            "PORT": port,
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            # Compiling a statement over many rows takes PostgreSQL longer than running it: seconds.
            "OPTIONS": {"options": "-c jit=off"},
        }
    if url.scheme == "sqlite":
        return _sqlite("/" + unquote(url.path).lstrip("/"), fallback)
    raise ImproperlyConfigured(f"{name}: set it to postgres://… or sqlite:///…, not to {url.scheme}://.")


def _sqlite(path: str, fallback: Path) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # Opening the file costs as much as several statements, and closing it last writes the log back.
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            # A write transaction takes the lock at once, so that two people who ask for the
            # last slot are served one after the other (SQLite has no row locks).
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
        # A file, since threads share it; one a process, since two test runs may go on at once.
        "TEST": {"NAME": str(fallback.with_name(f"test-{os.getpid()}.sqlite3"))},
    }
