"""``manage.py start``: everything comes up together, a killed worker is replaced, Ctrl-C ends all of it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.browser.conftest import Server, server  # noqa: F401  (the fixture that starts an installation)

ROOT = Path(__file__).resolve().parents[2]


def group_of(running: Server) -> list[tuple[int, str]]:
    """The processes of the installation, with those that do its jobs: number and command line."""
    assert running.process is not None
    listing = subprocess.run(
        ["ps", "-e", "-ww", "-o", "pid=,sid=,args="], capture_output=True, text=True, check=True
    ).stdout  # fmt: skip
    rows = (re.split(r"\s+", line.strip(), maxsplit=2) for line in listing.splitlines())
    return [(int(pid), args) for pid, session, args in rows if int(session) == running.process.pid]


def wait_until(condition, seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.2)


def workers_of(running: Server) -> list[int]:
    return [pid for pid, args in group_of(running) if " worker " in args]


def test_a_taken_port_is_named_a_killed_worker_replaced_and_ctrl_c_leaves_nothing_behind(
    server: Server,  # noqa: F811
) -> None:
    port = int(server.url.rsplit(":", 1)[1])
    second = subprocess.run(
        [sys.executable, "manage.py", "start", "--port", str(port)],
        cwd=ROOT, env=server.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert second.returncode != 0
    assert f"Port {port} is not free" in second.stderr

    wait_until(lambda: len(workers_of(server)) == 1)
    (worker,) = workers_of(server)
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: workers_of(server) not in ([], [worker]))

    with socket.create_connection(("127.0.0.1", port)) as lingering:  # a browser that keeps its connection
        lingering.sendall(b"GET /health/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        lingering.recv(100)
        server.stop()
        assert group_of(server) == []
