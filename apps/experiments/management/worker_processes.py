"""How a command's worker processes begin, and end. They import this before Django has its models."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.process import BaseProcess

import django


def worker_begin() -> None:
    """Django, and an end as soon as the command is gone, however it went; what was in work is then taken up
    again as after any kill."""
    django.setup()
    if command := multiprocessing.parent_process():
        threading.Thread(target=_end_after, args=[command], daemon=True).start()


def _end_after(command: BaseProcess) -> None:
    command.join()
    os._exit(1)
