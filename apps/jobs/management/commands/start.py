"""``manage.py start``: web server, worker and sweeper in one process group."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import User
from apps.frame.public_address import origin

# A worker that was killed is replaced; one that dies this often at once has a fault of its own.
RESTARTS = 5
RESTART_WINDOW_SECONDS = 60
# How long the parts may take to end. The web server's own patience with open connections is shorter,
# so that it still ends its processes itself.
PATIENCE_SECONDS = 9
# Celery's word to whoever tries the demo as root would drown the sign-in links.
ENVIRONMENT = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges", **os.environ}


@dataclass
class Part:
    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    deaths: tuple[float, ...] = ()

    def start(self) -> None:
        # The terminal's Ctrl-C reaches the whole group; each part shuts down by itself.
        self.process = subprocess.Popen(self.command, env=ENVIRONMENT)  # noqa: S603


class Command(BaseCommand):
    help = "Start web server, worker and sweeper together; Ctrl-C stops all of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
        parser.add_argument("--address", default="127.0.0.1")

    def handle(self, *args: Any, port: int, address: str, **options: Any) -> None:
        _refuse_taken_port(address, port)
        celery = [sys.executable, "-m", "celery", "--app", "config", "--quiet"]
        parts = [
            Part(
                "web",
                [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"{address}:{port}",
                 "--workers", "2", "--threads", "4", "--keep-alive", "0", "--log-level", "warning",
                 "--graceful-timeout", str(PATIENCE_SECONDS // 3)],
            ),
            # The process that does its jobs ends with it.
            Part("worker", [*celery, "worker", "--loglevel", "WARNING",
                            "--without-gossip", "--without-mingle"]),
            Part("sweeper", [*celery, "beat", "--loglevel", "WARNING", "--pidfile="]),
        ]  # fmt: skip
        stopping = False

        def stop(number: int, frame: Any) -> None:
            nonlocal stopping
            stopping = True

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        for part in parts:
            part.start()
        self._say_where(address, port)
        try:
            while not stopping:
                time.sleep(0.2)
                for part in parts:
                    if not stopping:
                        self._replace_if_dead(part)
        finally:
            _stop(parts)

    def _say_where(self, address: str, port: int) -> None:
        """The address, for the reader and for `manage.py invite`; and how the first person gets in."""
        host = "localhost" if address in ("127.0.0.1", "0.0.0.0", "::") else address  # noqa: S104
        settings.LISTENING_FILE.write_text(f"http://{host}:{port}")
        self.stdout.write(f"\nPolarlab is at {settings.PUBLIC_URL or origin()}/ – Ctrl-C stops it.")
        if not User.objects.exists():
            self.stdout.write(
                "Nobody has an account yet. An invitation for the first person, in another shell:\n"
                f"  {os.path.relpath(sys.executable)} manage.py invite"
            )
        self.stdout.flush()

    def _replace_if_dead(self, part: Part) -> None:
        if part.process is None or part.process.poll() is None:
            return
        now = time.monotonic()
        part.deaths = (*(t for t in part.deaths if now - t < RESTART_WINDOW_SECONDS), now)
        if part.name == "web" or len(part.deaths) > RESTARTS:
            raise CommandError(f"The {part.name} ended with status {part.process.returncode}.")
        self.stderr.write(f"The {part.name} ended with status {part.process.returncode}; starting another.")
        part.start()


def _refuse_taken_port(address: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} is not free ({error}). Choose another: PORT=8001 make demo"
            ) from None


def _stop(parts: list[Part]) -> None:
    """Ask every part to end, then insist."""
    alive = [part.process for part in parts if part.process and part.process.poll() is None]
    for process in alive:
        process.terminate()
    deadline = time.monotonic() + PATIENCE_SECONDS
    for process in alive:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
