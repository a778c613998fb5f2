"""Starting servers and ending them; what they and the database use, out of /proc.

CPU is user and system time of a server's whole process tree. A child that has ended is in its parent's
``cutime``, so nothing is lost. A PostgreSQL server serves others too: of it count the backends of the
measured database (by the name that PostgreSQL gives its processes, looked at four times a second, so that
one that ends is missed by a quarter of a second at most) and its own background processes. Memory is PSS:
pages shared by two processes count half for each.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
BACKGROUND = ("checkpointer", "background writer", "walwriter", "autovacuum")


def free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


@contextmanager
def running(
    command: Sequence[str],
    env: Mapping[str, str],
    log: Path,
    port: int = 0,
    seconds: float = 120,
    cwd: str = "",
) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process group of its own, once its port answers; the whole group is ended behind it."""
    with log.open("ab") as file:
        process = subprocess.Popen(  # noqa: S603 — the bench's own commands
            command,
            env={**env},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            process_group=0,
            cwd=cwd or None,
        )
        try:
            if port:
                _wait(process, port, seconds, log)
            yield process
        finally:
            _end(process)


def _wait(process: subprocess.Popen[bytes], port: int, seconds: float, log: Path) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start; its last words: {log.read_text(errors='replace')[-1500:]}")


def _end(process: subprocess.Popen[bytes]) -> None:
    for sign, seconds in ((signal.SIGTERM, 8), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue


class Meter:
    """CPU seconds of process trees and, where ``database`` is named, of its PostgreSQL server."""

    def __init__(self, roots: Sequence[int], database: str = "") -> None:
        self.roots, self.database = roots, database
        self.first: dict[int, float] = {}
        self.last: dict[int, float] = {}
        self.began = _trees(roots)
        self.machine = machine_seconds()
        self.look()
        self.first = dict(self.last)

    def look(self) -> None:
        """To be called a few times a second."""
        if self.database:
            for pid in _backends(self.database):
                self.last[pid] = _cpu(pid) or self.last.get(pid, 0.0)

    def stop(self) -> tuple[float, float, float]:
        """CPU seconds since the beginning: of the server, of the database, of everything on the machine."""
        self.look()
        database = sum(used - self.first.get(pid, 0.0) for pid, used in self.last.items())
        return _trees(self.roots) - self.began, database, machine_seconds() - self.machine


def machine_seconds() -> float:
    """What all processes of this machine have used: all of /proc/stat but idling and waiting."""
    words = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    busy = [int(word) for place, word in enumerate(words[:8]) if place not in (3, 4)]
    return sum(busy) / TICK


def memory_mb(roots: Sequence[int]) -> float:
    """PSS of these process trees; 0 where the kernel does not say."""
    total = 0
    for pid in (pid for root in roots for pid in tree(root)):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def tree(pid: int) -> list[int]:
    return [pid, *(below for child in children(pid) for below in tree(child))]


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu(pid: int, ended: bool = False) -> float:
    """User and system time of a process, and of its children that have ended."""
    fields = _stat(pid)
    return sum(int(word) for word in fields[11 : 15 if ended else 13]) / TICK if fields else 0.0


def _trees(roots: Sequence[int]) -> float:
    return sum(_cpu(pid, ended=True) for root in roots for pid in tree(root))


def _backends(database: str) -> set[int]:
    """PostgreSQL's processes that count, by their titles: ``postgres: user database host state``, and the
    server's own beside them."""
    titles = {pid: title for pid in _processes() if (title := _title(pid)).startswith("postgres:")}
    ours = {pid for pid, title in titles.items() if database in title.split()}
    servers = {_parent(pid) for pid in ours}
    own = {pid for pid, title in titles.items() if any(name in title for name in BACKGROUND)}
    return ours | {pid for pid in own if _parent(pid) in servers}


def _processes() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _parent(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if fields else 0
