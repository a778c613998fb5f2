"""What doccano and Label Studio share here: a virtual environment of their own, kept between runs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from .browser import Browser
from .loop import Annotator

PASSWORD = "only-for-the-bench-1"  # noqa: S105 — of accounts that live as long as the run
INSTALLING = 900


class Rival:
    """A program to compare with. Its server listens on this machine alone and uses its own defaults.

    ``roots`` are the processes whose CPU and memory count, of the server that ``serving`` has started.
    """

    name = ""
    requirements: Sequence[str] = ()

    def __init__(self, cache: Path, folder: Path) -> None:
        self.home = cache / self.name.replace(" ", "-").lower()
        self.parent = folder
        self.folder = folder
        self.roots: list[int] = []
        self.port = 0

    # ---- to be said by each ----
    def serving(self, url: str) -> AbstractContextManager[None]:
        """Its server on a fresh database: at ``url`` where that is PostgreSQL's, else its own SQLite file."""
        raise NotImplementedError

    def add_people(self, number: int) -> None:
        raise NotImplementedError

    def add_project(self, pairs: Sequence[tuple[str, str]], target: int) -> int:
        raise NotImplementedError

    def annotators(self, project: int, number: int) -> list[Annotator]:
        raise NotImplementedError

    def stored(self, project: int) -> int:
        """How many answers there are."""
        raise NotImplementedError

    def add_answered(self, pairs: Sequence[tuple[str, str]], people: int) -> int:
        """A project in which each of so many people has answered every pair; filled in the quickest way."""
        raise NotImplementedError

    def export(self, project: int, path: Path) -> int:
        """From the request to the file; returns its bytes."""
        raise NotImplementedError

    def beyond(self, project: int, target: int) -> int:
        """How many items have more answers than they want; 0 where a program knows no target."""
        return 0

    # ---- what all do ----
    def program(self, name: str) -> str:
        return str(self.home / "bin" / name)

    def install(self) -> str:
        """Why it could not be installed; "" where it is there. pip runs once, then the folder is kept."""
        ready = self.home / "installed"
        wanted = " ".join(self.requirements)
        if ready.exists() and ready.read_text() == wanted:
            return ""
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(self.home)],
            [self.program("pip"), "install", "--quiet", "--disable-pip-version-check", *self.requirements],
        ):
            try:
                subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALLING)  # noqa: S603
            except subprocess.CalledProcessError as error:
                return (error.stderr.strip().splitlines() or ["pip failed"])[-1]
            except (OSError, subprocess.TimeoutExpired) as error:
                return str(error)
        ready.write_text(wanted)
        return ""

    def environment(self, **more: str) -> dict[str, str]:
        """This program's own: nothing of Polarlab's settings reaches it."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return kept | {"HOME": str(self.folder)} | more

    def fresh_folder(self) -> None:
        """A folder for one run of the server, so that none finds the database of the one before."""
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self.home.name}-", dir=self.parent))

    def browser(self) -> Browser:
        return Browser(self.port)
