"""The models that a process keeps loaded between chunks and jobs: few, and of bounded weight."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from django.conf import settings

from apps.inference.folders import FolderError, folder_path
from workers.runtimes.runtime import Runtime

MOST = 4
_WEIGHTS = (".safetensors", ".onnx", ".data")


class Loaded:
    """Runtimes by their keys, each with its weight in bytes, the one used last at the end.

    The one that was not used for longest goes first, and before another is loaded, so that both never lie in
    memory where there is room for one.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, tuple[Runtime, int]] = OrderedDict()

    def get(self, key: Any, weight: int, load: Callable[[], Runtime]) -> Runtime:
        """The runtime of ``key``, loaded where it isn't kept. ``weight`` in bytes, as known beforehand."""
        if key not in self._kept:
            self._make_room(weight, settings.MODEL_MEMORY * 1_000_000)
            self._kept[key] = load(), weight
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def clear(self) -> None:
        self._kept.clear()

    @property
    def keys(self) -> list[Any]:
        """Those that are kept, the one used last at the end."""
        return list(self._kept)

    def _make_room(self, weight: int, most: int) -> None:
        while self._kept and (len(self._kept) >= MOST or self._weighs + weight > most):
            self._kept.popitem(last=False)

    @property
    def _weighs(self) -> int:
        return sum(weight for _runtime, weight in self._kept.values())


def folder_weight(name: str) -> int:
    """The bytes of a model folder's weights on disk, about what they take in memory; 0 where there is no
    such folder, which loading will say better."""
    try:
        path = folder_path(name)
    except FolderError:
        return 0
    return sum(file.stat().st_size for file in path.rglob("*") if file.suffix in _WEIGHTS)
