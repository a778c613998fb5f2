"""What an installed pipeline says of itself, read without loading it or spaCy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from natlog.parsing.label_schemes import refusal

_OF_TORCH = re.compile("torch|transformer", re.IGNORECASE)


def meta_of(name: str) -> dict[str, Any] | None:
    """The ``meta.json`` of a pipeline, by the name of its package or its folder; None where there is none."""
    for text in _files(name, "meta.json"):
        try:
            found = json.loads(text)
        except ValueError:
            continue
        if isinstance(found, dict) and "pipeline" in found:
            return found
    return None


def needs_torch(name: str) -> bool:
    """Whether a component of a pipeline is one of torch's, by its ``config.cfg``; without one it may be."""
    config = next(_files(name, "config.cfg"), None)
    return config is None or bool(_OF_TORCH.search(config))


def complaint(name: str) -> str:
    """Why natlog can't read the pipeline of this name; "" where it can."""
    meta = meta_of(name)
    if meta is None:
        return f"no spaCy pipeline named {name!r} is installed"
    reason = refusal(meta)
    return f"the spaCy pipeline {name!r} can't be used: {reason}" if reason else ""


def _files(name: str, called: str) -> Iterator[str]:
    """What can be read of a pipeline's files of this name."""
    for folder in _folders(name):
        for path in (folder / called, *sorted(folder.glob(f"*/{called}"))):
            with suppress(OSError, ValueError):
                yield path.read_text("utf-8")


def _folders(name: str) -> list[Path]:
    if not name.isidentifier():
        return [Path(name)] if name else []
    spec = find_spec(name)
    packaged = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    return [*packaged, Path(name)]
