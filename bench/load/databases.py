"""A database of the bench's own for each run, removed behind it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit


@contextmanager
def database(kind: str, name: str, folder: Path, server: str) -> Iterator[tuple[str, str]]:
    """(DATABASE_URL, the name by which PostgreSQL's processes are known, or "")."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / name}.sqlite3", ""
        return
    name = f"{name}_{os.getpid()}"
    _administer(server, f'CREATE DATABASE "{name}"')
    try:
        yield f"{server.rstrip('/')}/{name}", name
    finally:
        _administer(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def why_not(server: str) -> str:
    """Why there is no PostgreSQL at this address; "" where there is."""
    try:
        _administer(server, "SELECT 1")
    except Exception as error:
        return str(error).strip().splitlines()[0]
    return ""


def _administer(server: str, statement: str) -> None:
    import psycopg2

    url = urlsplit(server)
    connection = psycopg2.connect(
        dbname="postgres",
        user=url.username,
        password=url.password or None,
        host=url.hostname,
        port=url.port or 5432,
        connect_timeout=5,
    )
    try:
        connection.autocommit = True
        connection.cursor().execute(statement)
    finally:
        connection.close()
