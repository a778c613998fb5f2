"""A database with every migration in it, made once a run of the whole suite and copied for whoever needs one.

``tests/run.py`` makes it and says in the environment where it is; where it says nothing, migrations are run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
FILE, DATABASE = "POLARLAB_MIGRATED_FILE", "POLARLAB_MIGRATED_DATABASE"


def make(folder: Path, environment: dict[str, str]) -> None:
    """Migrate a new database of the environment's kind, and put its place into the environment."""
    var = {**environment, "POLARLAB_VAR": str(folder)}
    if url := environment.get("DATABASE_URL"):
        name = f"polarlab_migrated_{os.getpid()}"
        execute(url, f'CREATE DATABASE "{name}"')
        environment[DATABASE] = name
        var["DATABASE_URL"] = urlsplit(url)._replace(path=f"/{name}").geturl()
    else:
        environment[FILE] = str(folder / "polarlab.sqlite3")
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=var, check=True)


def drop(environment: dict[str, str]) -> None:
    if name := environment.get(DATABASE):
        execute(environment["DATABASE_URL"], f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def execute(url: str, statement: str) -> None:
    import psycopg2

    connection = psycopg2.connect(url)
    connection.autocommit = True
    connection.cursor().execute(statement)
    connection.close()


def template() -> str:
    """The PostgreSQL database to copy."""
    return os.environ.get(DATABASE, "template1")


def is_made(vendor: str) -> bool:
    return (DATABASE if vendor == "postgresql" else FILE) in os.environ


def copy_file(place: str | Path) -> None:
    """The SQLite database, where there is one."""
    if there := os.environ.get(FILE):
        shutil.copyfile(there, place)
