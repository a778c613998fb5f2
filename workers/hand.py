"""The process that does the jobs of a worker: ``python -m workers.hand COMMANDS WORDS`` (two file numbers).

It is a process of its own so that its keeper can end it, whatever it is at. Each line that it reads is a
call to work; it says in lines of JSON what it begins (``apps/jobs/signs_of_life.py``), and ``{"idle": true}``
when nothing waits any more. It ends with its keeper, however that ends.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import queue
import signal
import sys
import threading
from typing import Any

logger = logging.getLogger(__name__)

# prctl's "send me this signal when my parent is gone" (Linux).
_PR_SET_PDEATHSIG = 1
# How often PostgreSQL looks, in the middle of a statement, whether the process that wants it still lives.
_CHECK = "2s"


def main(commands: int, words: int) -> None:
    _end_with_parent(commands)
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(commands, calls), daemon=True).start()

    import django

    django.setup()
    from django.db.backends.signals import connection_created
    from django.utils.module_loading import autodiscover_modules

    from apps.jobs import runner, signs_of_life

    autodiscover_modules("background")  # takes a second, which is no job's
    connection_created.connect(_statements_end_with_us)

    def say(word: dict[str, object]) -> None:
        try:
            os.write(words, json.dumps(word).encode() + b"\n")
        except OSError:  # nobody listens any more
            os._exit(0)

    signs_of_life.keeper_is(say)
    while True:
        calls.get()
        try:
            runner.run_waiting()
        except Exception:  # the database is gone, say; the keeper calls again
            logger.exception("jobs could not be looked for")
            _close_connections()
        say({"idle": True})


def _end_with_parent(commands: int) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # the keeper decides
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _listen(commands: int, calls: queue.SimpleQueue[bytes]) -> None:
    """Calls to work, until the keeper is gone."""
    with os.fdopen(commands, "rb", buffering=0) as lines:
        for line in lines:
            calls.put(line)
    os._exit(0)


def _statements_end_with_us(connection: Any, **kwargs: object) -> None:
    """A statement of a process that was killed goes on in PostgreSQL, unless it is told to look."""
    if connection.vendor == "postgresql" and connection.pg_version >= 140000:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('client_connection_check_interval', %s, false)", [_CHECK])


def _close_connections() -> None:
    from django.db import connections

    connections.close_all()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(int(sys.argv[1]), int(sys.argv[2]))
