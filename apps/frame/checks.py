"""What the database must be like, said by ``manage.py migrate`` before it makes a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections


def encoding(databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:
    """PostgreSQL stores text as the database's encoding: any but UTF8 fails at the first arrow or name that
    it lacks, in the middle of somebody's work."""
    return [
        Error(
            f"The PostgreSQL database “{connections[name].settings_dict['NAME']}” is encoded as {found}.",
            hint="Make it anew: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
            id="frame.E001",
        )
        for name in databases or ()
        if connections[name].vendor == "postgresql" and (found := _encoding_of(name)) != "UTF8"
    ]


def _encoding_of(name: str) -> str:
    with connections[name].cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        return str(cursor.fetchone()[0])
