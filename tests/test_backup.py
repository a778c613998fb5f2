"""Dump and restore, as docs/hosts.md says: the doctor finds nothing in what comes back."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2
import pytest

from tests import migrated

ROOT = Path(__file__).resolve().parent.parent
ROWS = """
from django.apps import apps
print(sorted((m._meta.label, m._default_manager.count()) for m in apps.get_models()))
"""

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(not shutil.which("pg_dump"), reason="no pg_dump here"),
]


def test_a_dump_restored_into_an_empty_database_is_sound_and_whole(tmp_path):
    with database(migrated.template()) as source, database("template1") as target:
        first, second = installation(source, tmp_path / "first"), installation(target, tmp_path / "second")
        if not migrated.is_made("postgresql"):
            manage("migrate", "--verbosity", "0", environment=first)
        manage("load_demo", environment=first)
        dump = tmp_path / "polarlab.dump"
        run("pg_dump", "--format", "custom", "--file", str(dump), source)
        run("pg_restore", "--dbname", target, "--exit-on-error", str(dump))
        if (files := tmp_path / "first" / "files").exists():
            shutil.copytree(files, tmp_path / "second" / "files")
        assert "[ ]" not in manage("showmigrations", environment=second)
        assert manage("doctor", environment=second).startswith("All ")
        before, after = (
            manage("shell", "--no-imports", "-c", ROWS, environment=of) for of in (first, second)
        )
        assert "('campaigns.Judgement', 0)" not in before
        assert after == before


@contextmanager
def database(template: str) -> Iterator[str]:
    """A new database on the server of the tests, a copy of the template; its address."""
    server = urlsplit(os.environ["DATABASE_URL"])
    name = f"polarlab_backup_{os.getpid()}_{time.time_ns()}"

    def execute(statement: str) -> None:
        connection = psycopg2.connect(server.geturl())
        connection.autocommit = True
        connection.cursor().execute(statement)
        connection.close()

    execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield server._replace(path=f"/{name}").geturl()
    finally:
        execute(f"DROP DATABASE {name} WITH (FORCE)")


def installation(database: str, var: Path) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": database, "POLARLAB_VAR": str(var), "PYTHONWARNINGS": "ignore"}


def manage(*arguments: str, environment: dict[str, str]) -> str:
    return run(sys.executable, "manage.py", *arguments, environment=environment)


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=400, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout
