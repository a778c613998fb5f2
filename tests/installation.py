"""An installation of its own for a test that kills it: a folder, SQLite, the broker in files, workers."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from tests import migrated

PATIENCE = 300
"""Seconds until a machine that is busy with other things counts as hung."""


class Installation:
    """Below one folder; its jobs count as stalled after two seconds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        kept = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
        }
        self._environment = kept | {
            "POLARLAB_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "POLARLAB_JOB_STALL_SECONDS": "2",
            "POLARLAB_SWEEP_SECONDS": "1",
            "LOG_LEVEL": "WARNING",
        }
        migrated.copy_file(folder / "polarlab.sqlite3")
        if not migrated.is_made("sqlite"):
            self._manage("migrate", "-v0")
        self.database = sqlite3.connect(folder / "polarlab.sqlite3", timeout=30)

    def run(self, script: str, given: bytes = b"") -> str:
        """Carry out lines of Python in it, with ``given`` as standard input; what they print."""
        return self._manage("shell", "-v0", "-c", script, given=given)

    def command(self, *arguments: str) -> str:
        """What a command of ``manage.py`` prints."""
        return self._manage(*arguments)

    def _manage(self, *arguments: str, given: bytes = b"") -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command,
            cwd=settings.BASE_DIR,
            env=self._environment,
            check=True,
            input=given,
            stdout=subprocess.PIPE,
        )
        return done.stdout.decode()

    @contextmanager
    def worker(self, *, kill: bool = False, files: Path | None = None) -> Iterator[None]:
        """A worker for as long as the block lasts; then it is asked to end, or killed with its children.

        One that isn't killed also sweeps: it looks for jobs whose worker is gone. ``files`` is the folder of
        another machine, which has the database in common and no file.
        """
        command = [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "--pool", "solo"]
        command += ["--loglevel", "warning", "--without-gossip", "--without-mingle"]
        command += [] if kill else ["--beat", "--schedule", str(self._folder / "beat")]
        environment = self._environment
        if files is not None:
            database = f"sqlite:///{self._folder / 'polarlab.sqlite3'}"
            environment = environment | {"POLARLAB_VAR": str(files), "DATABASE_URL": database}
        worker = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, start_new_session=True)
        try:
            yield
        finally:
            os.killpg(worker.pid, signal.SIGKILL if kill else signal.SIGTERM)
            worker.wait()

    def job(self, number: int = 1) -> tuple[str, int, int | None, str]:
        """A job's state, what is done of what total, and who has it; the first that was started is 1."""
        found: tuple[str, int, int | None, str] = self.database.execute(
            "select state, done, total, claim from jobs_job order by created_at, id limit 1 offset ?",
            [number - 1],
        ).fetchone()
        return found

    def wait_for(self, what: Callable[[], bool], state: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < end, f"it did not happen in {PATIENCE} s: {state()}"
            time.sleep(0.02)
