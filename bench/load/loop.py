"""The closed loop: every annotator answers, and asks for the next, as soon as the server lets them."""

from __future__ import annotations

import resource
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from .browser import BenchError, Browser
from .processes import Meter

LOOKS = 0.25


class Annotator:
    """One person at one program. ``spans`` are what they waited for: (what, from, to)."""

    def __init__(self, port: int) -> None:
        self.browser = Browser(port)
        self.spans: list[tuple[str, float, float]] = []
        self.answered: list[float] = []

    def sign_in(self) -> None:
        raise NotImplementedError

    def begin(self) -> bool:
        """Ask for the first item; False where there is none."""
        raise NotImplementedError

    def answer(self) -> bool:
        """Answer what is at hand and have the next; False where there is no next."""
        raise NotImplementedError

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.spans.append((what, begin, time.perf_counter()))


@dataclass
class Measured:
    """One row of the table. Times in milliseconds, memory in MB."""

    program: str
    database: str
    annotators: int
    seconds: float
    answers: int
    requests: int
    server_cpu: float
    database_cpu: float
    client_cpu: float
    other_cpu: float
    memory: float = 0.0
    waits: dict[str, list[float]] = field(default_factory=dict)
    accepted: int = 0
    check: str = ""

    @property
    def rate(self) -> float:
        return self.answers / self.seconds

    @property
    def cpu_ms(self) -> float:
        """Server CPU an answer: all of the program's processes, the database's included."""
        return 1000 * (self.server_cpu + self.database_cpu) / self.answers if self.answers else 0.0

    def wait(self, what: str, percent: int) -> float | None:
        """The percentile by nearest rank."""
        times = sorted(self.waits.get(what, ()))
        return 1000 * times[max(0, -(-len(times) * percent // 100) - 1)] if times else None


def measure(
    annotators: Sequence[Annotator],
    *,
    program: str,
    database: str,
    meter: tuple[list[int], str],
    seconds: float,
) -> Measured:
    """Let them work; the first fifth of the time warms up and is not counted. Stops by itself."""
    stop, errors = threading.Event(), []
    gate = threading.Barrier(len(annotators) + 1, timeout=300)

    def work(annotator: Annotator) -> None:
        try:
            annotator.sign_in()
            has_work = annotator.begin()
            gate.wait()
            while has_work and not stop.is_set():
                has_work = annotator.answer()
                annotator.answered.append(time.perf_counter())
        except Exception as error:
            errors.append(error)
            gate.abort()
            stop.set()

    threads = [threading.Thread(target=work, args=(person,), daemon=True) for person in annotators]
    for thread in threads:
        thread.start()
    try:
        gate.wait()
    except threading.BrokenBarrierError:
        raise BenchError(f"{program}: {errors[0] if errors else 'not all could begin'}") from None
    stop.wait(seconds / 5)
    used = Meter(*meter)
    requests, client = _requests(annotators), _client_seconds()
    begin = time.perf_counter()
    while time.perf_counter() < begin + seconds and not stop.is_set():
        stop.wait(LOOKS)
        used.look()
    end = time.perf_counter()
    server_cpu, database_cpu, machine = used.stop()
    requests, client = _requests(annotators) - requests, _client_seconds() - client
    stop.set()
    for thread in threads:
        thread.join(120)
        if thread.is_alive():
            raise BenchError(f"{program}: an annotator still waits")
    if errors:
        raise BenchError(f"{program}: {errors[0]}") from errors[0]
    waits: dict[str, list[float]] = {}
    for person in annotators:
        person.browser.close()
        for what, since, until in person.spans:
            if begin <= until <= end:
                waits.setdefault(what, []).append(until - since)
    return Measured(
        program=program,
        database=database,
        annotators=len(annotators),
        seconds=end - begin,
        answers=sum(begin <= at <= end for person in annotators for at in person.answered),
        requests=requests,
        server_cpu=server_cpu,
        database_cpu=database_cpu,
        client_cpu=client,
        other_cpu=max(0.0, machine - server_cpu - database_cpu - client),
        waits=waits,
        accepted=sum(len(person.answered) for person in annotators),
    )


def _requests(annotators: Sequence[Annotator]) -> int:
    return sum(person.browser.requests for person in annotators)


def _client_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
