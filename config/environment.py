"""Typed readings of environment variables, each with an error that says what to set."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

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
        }
    if url.scheme == "sqlite":
        return _sqlite("/" + unquote(url.path).lstrip("/"), fallback)
    raise ImproperlyConfigured(f"{name}: set it to postgres://… or sqlite:///…, not to {url.scheme}://.")


def _sqlite(path: str, fallback: Path) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
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
