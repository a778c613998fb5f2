"""Every test: once on SQLite with a broker in files, then what concerns PostgreSQL and Redis on those.

What this machine lacks is said in one line each and left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import psycopg2
import redis

# A process more than there are cores: some tests wait (for a job to be ended, for a browser).
PROCESSES = (os.cpu_count() or 1) + 1
# What knows no database is not even collected a second time.
WITHOUT_DATABASE = ("natlog", "measures", "bench")

POSTGRESQL = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")


def main() -> int:
    missing = []
    environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    if not (os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")):
        missing.append("no Chromium: the browser tests are skipped")
    if not (find_spec("torch") and find_spec("transformers")):
        missing.append("no torch: the tests of Hugging Face models are skipped (make neural)")
    if not find_spec("mlcroissant"):
        missing.append("no mlcroissant: releases' Croissant files are checked for their structure alone")
    status = pytest("not postgres", environment, sys.argv[1:])
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
        ignored = [f"--ignore=tests/{folder}" for folder in WITHOUT_DATABASE]
        where = sys.argv[1:] or ["tests", *ignored]
        status = pytest("postgres or both", environment, where) or status
    for line in missing:
        print(f"skipped: {line}")
    return status


def pytest(marks: str, environment: dict[str, str], where: list[str]) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(PROCESSES), "--dist", "worksteal", "-m", marks]
    return subprocess.run([*command, *where], env=environment, check=False).returncode


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
