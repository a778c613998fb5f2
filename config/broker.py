"""The broker of the embedded default: kombu's filesystem transport, with files that appear whole.

Kombu opens a message's or an exchange's file, locks it and then writes; a worker that lists the folder
in between reads an empty file and dies of it. Here a file is written beside and renamed into place.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):  # type: ignore[misc]
    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        _write_whole(Path(self.data_folder_out) / name, dumps(payload))

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        file = self._exchange_file(exchange)
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        # One at a time: web, worker and sweeper all bind when they start.
        with (self.control_folder / "bind.lock").open("wb") as held:
            filesystem.lock(held, filesystem.LOCK_EX)
            bindings = self.get_table(exchange)
            if binding not in bindings:
                _write_whole(file, dumps([binding, *bindings]))


class Transport(filesystem.Transport):  # type: ignore[misc]
    Channel = Channel


def _write_whole(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` so that nobody ever sees a part of it."""
    beside = path.with_name(f".{uuid.uuid4().hex}")
    beside.write_text(text)
    beside.replace(path)
