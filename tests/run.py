"""Every test on SQLite with a broker in files, and beside it what concerns PostgreSQL and Redis on those.

The two go on at once, each with as many processes as there are cores, the first, which takes longer, with one
more: some tests wait (for a job to be ended, for a browser), and the last long test of one leaves no core
idle. What this machine lacks is said in one line each and left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import psycopg2
import redis

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import migrated  # noqa: E402 (a script's own folder is no package)

PROCESSES = os.cpu_count() or 1
POSTGRESQL = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")
# Without the doctests, which know no database.
ADDED = "addopts=--import-mode=importlib -ra --strict-markers -p no:schemathesis"


def main() -> int:
    missing = []
    # Compiled modules are kept: each process of the run, and each that a test starts, would compile them all.
    left_out = ("DATABASE_URL", "REDIS_URL", "PYTHONDONTWRITEBYTECODE")
    environment = {k: v for k, v in os.environ.items() if k not in left_out}
    if not (os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")):
        missing.append("no Chromium: the browser tests are skipped")
    if not (find_spec("torch") and find_spec("transformers")):
        missing.append("no torch: the tests of Hugging Face models are skipped (make neural)")
    if not find_spec("mlcroissant"):
        missing.append("no mlcroissant: releases' Croissant files are checked for their structure alone")
    with ThreadPoolExecutor(2) as pool, tempfile.TemporaryFile() as told:
        parts = [pool.submit(part, "not postgres", dict(environment), sys.argv[1:])]
        problem = postgresql_problem()
        if problem:
            missing.append(f"PostgreSQL does not answer ({problem}): its tests are skipped")
        else:
            environment["DATABASE_URL"] = POSTGRESQL
            # Clients and workers are killed here, and never the server: nobody waits for its disk.
            environment["PGOPTIONS"] = f"{environment.get('PGOPTIONS', '')} -c synchronous_commit=off".strip()
            if redis_answers():
                environment["REDIS_URL"] = REDIS
            else:
                missing.append("Redis does not answer: its tests are skipped")
            where = ["-o", ADDED, *(sys.argv[1:] or marked())]
            parts.append(pool.submit(part, "postgres or both", dict(environment), where, told))
        statuses = [done.result() for done in parts]
        told.seek(0)
        sys.stdout.write(told.read().decode(errors="replace"))
    for line in missing:
        print(f"skipped: {line}")
    return max(statuses)


def part(marks: str, environment: dict[str, str], where: list[str], told: IO[bytes] | None = None) -> int:
    """The tests with these marks; what is said by those beside the others goes to a file."""
    count = PROCESSES + (told is None)
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(count), "--dist", "worksteal", "-m", marks]
    with tempfile.TemporaryDirectory() as folder:
        migrated.make(Path(folder), environment)
        try:
            return subprocess.run([*command, *where], env=environment, stdout=told, check=False).returncode
        finally:
            migrated.drop(environment)


def marked() -> list[str]:
    """The files with tests for PostgreSQL: the others are not even imported a second time."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [
        str(file.relative_to(ROOT))
        for file in files
        if re.search(r"mark\.(both|postgres)\b", file.read_text())
    ]


def postgresql_problem() -> str:
    try:
        psycopg2.connect(POSTGRESQL, connect_timeout=3).close()
    except psycopg2.OperationalError as error:
        return str(error).strip().splitlines()[0]
    return ""


def redis_answers() -> bool:
    try:
        return bool(redis.Redis.from_url(REDIS, socket_connect_timeout=3).ping())
    except redis.RedisError:
        return False


if __name__ == "__main__":
    sys.exit(main())
