"""Before a table is made, `migrate` says what the database lacks."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg2
import pytest
from django.db import connection

from apps.frame import checks

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.both
@pytest.mark.django_db
def test_the_database_at_hand_is_well():
    assert checks.encoding(["default"]) == []
    assert checks.encoding(None) == []


@pytest.fixture
def ascii_database() -> Iterator[dict[str, str]]:
    """A database that takes bytes and knows no characters; what reaches it."""
    at = {
        key: str(value)
        for key, value in connection.get_connection_params().items()
        if key != "cursor_factory"
    }
    at = {key: at[key] for key in ("host", "port", "user", "password") if at.get(key)}
    name = f"{connection.settings_dict['NAME']}_ascii"
    admin = psycopg2.connect(dbname="postgres", **at)
    admin.autocommit = True
    with admin.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(
            f"CREATE DATABASE \"{name}\" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        )
    yield {"dbname": name, **at}
    with admin.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}"')
    admin.close()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_database_that_cannot_hold_every_text_is_refused_before_a_table_is_made(ascii_database, tmp_path):
    at = ascii_database
    person = ":".join(quote(at[key], safe="") for key in ("user", "password") if key in at)
    address = f"postgres://{person}@{at.get('host', '127.0.0.1')}:{at.get('port', '5432')}/{at['dbname']}"
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": address, "POLARLAB_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "is encoded as SQL_ASCII" in done.stderr and "ENCODING 'UTF8'" in done.stderr
    with psycopg2.connect(**at) as there, there.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")
        assert cursor.fetchone() == (0,)
    there.close()
