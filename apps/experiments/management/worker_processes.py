"""A command's worker processes: how they begin, and end. They import this before Django has its models."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

import django


@contextmanager
def worker_pool(processes: int, broken_off: Callable[[], None]) -> Iterator[ProcessPoolExecutor]:
    """So many processes. Ctrl-C says ``broken_off`` and ends the command at once, as SIGTERM does: a pool
    would first have all done that it was given."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=worker_begin) as pool:
        try:
            yield pool
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            broken_off()
            for process in multiprocessing.active_children():
                process.kill()
            pool.shutdown(cancel_futures=True)
            raise SystemExit(128 + signal.SIGINT) from None


def worker_begin() -> None:
    """Django, and an end as soon as the command is gone, however it went; what was in work is then taken up
    again as after any kill. A terminal's Ctrl-C is the command's alone: here it would break off one training
    after another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
    if command := multiprocessing.parent_process():
        threading.Thread(target=_end_after, args=[command], daemon=True).start()


def _end_after(command: BaseProcess) -> None:
    command.join()
    os._exit(1)
