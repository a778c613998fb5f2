"""A whole Polarlab in processes of its own, and browsers that tolerate no error.

The first pass runs it on SQLite with the filesystem broker, at the root of its host. With DATABASE_URL and
REDIS_URL set it runs on a new database of that server and on that Redis, below a path, behind a proxy whose
host has something else at the root.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests import migrated
from tests.browser.proxy import Proxy

PATH = "/polarlab"
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Server:
    """A running installation: its address as people type it, its own port, its environment, its process
    group."""

    url: str
    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    def manage(self, *arguments: str, timeout: int = 300) -> str:
        """The output of a ``manage.py`` command; an AssertionError with it when the command fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "start", "--port", str(self.port)],
            cwd=ROOT, env=self.environment, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + 300
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/health/", timeout=2).close()
                return
            except OSError:
                assert time.monotonic() < deadline, "the server did not come up"
                assert self.process.poll() is None, "the server ended at once"
                time.sleep(0.2)

    def stop(self) -> None:
        assert self.process is not None
        if self.process.poll() is not None:
            return
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    port = free_port()
    environment = {
        **os.environ,
        "POLARLAB_VAR": str(tmp_path / "var"),
        "POLARLAB_SWEEP_SECONDS": "2",
        "PYTHONWARNINGS": "ignore",
    }
    drop = _database_of_its_own(environment, tmp_path / "var")
    running = Server(f"http://localhost:{port}", port, environment)
    if "DATABASE_URL" in environment:
        proxy = Proxy(port, PATH)
        running.url = environment["PUBLIC_URL"] = proxy.url
    if not migrated.is_made("postgresql" if "DATABASE_URL" in environment else "sqlite"):
        running.manage("migrate", "--verbosity", "0")
    running.start()
    yield running
    running.stop()
    drop()
    if running.url.endswith(PATH):
        proxy.close()
        assert not proxy.strays, f"addresses outside of {PATH}: {proxy.strays}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _database_of_its_own(environment: dict[str, str], var: Path) -> Callable[[], None]:
    """Put a new PostgreSQL database into DATABASE_URL, when one is set, else a file into the folder: migrated
    where there is such a one to copy. Returns how to drop it."""
    url = environment.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        var.mkdir()
        migrated.copy_file(var / "polarlab.sqlite3")
        return lambda: None
    name = f"polarlab_browser_{os.getpid()}_{time.time_ns()}"
    migrated.execute(url, f"CREATE DATABASE {name} TEMPLATE {migrated.template()}")
    environment["DATABASE_URL"] = f"{url.rsplit('/', 1)[0]}/{name}"
    return lambda: migrated.execute(url, f"DROP DATABASE {name} WITH (FORCE)")


@dataclass
class Visitors:
    """Browser contexts, each a person's own; what any of them complains of is collected."""

    browser: Browser
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def arrive(self, **options: object) -> Page:
        """A new person with an empty browser."""
        context = self.browser.new_context(**options)  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda message: message.type == "error" and self.complaints.append(f"{page.url}: {message.text}"),
        )
        return page


@pytest.fixture
def visitors(chromium: str) -> Iterator[Visitors]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        everybody = Visitors(browser)
        yield everybody
        if folder := os.environ.get("BROWSER_TEST_SHOTS"):
            for number, context in enumerate(everybody.contexts):
                context.pages[0].screenshot(path=f"{folder}/visitor-{number}.png", full_page=True)
        browser.close()
    assert not everybody.complaints, everybody.complaints
