"""What an installed pipeline says of itself, read without loading it or spaCy."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from natlog.parsing.label_schemes import refusal

_OF_TORCH = re.compile("torch|transformer", re.IGNORECASE)


def meta_of(name: str) -> dict[str, Any] | None:
    """The ``meta.json`` of a pipeline, by the name of its package or its folder; None where there is none."""
    for folder in _folders(name):
        for path in (folder / "meta.json", *sorted(folder.glob("*/meta.json"))):
            try:
                found = json.loads(path.read_text("utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(found, dict) and "pipeline" in found:
                return found
    return None


def needs_torch(name: str) -> bool:
    """Whether a component of a pipeline is one of torch's, by its ``config.cfg``; without one it may be."""
    for folder in _folders(name):
        for path in (folder / "config.cfg", *sorted(folder.glob("*/config.cfg"))):
            try:
                found = path.read_text("utf-8")
            except (OSError, ValueError):
                continue
            return bool(_OF_TORCH.search(found))
    return True


def complaint(name: str) -> str:
    """Why natlog can't read the pipeline of this name; "" where it can."""
    meta = meta_of(name)
    if meta is None:
        return f"no spaCy pipeline named {name!r} is installed"
    reason = refusal(meta)
    return f"the spaCy pipeline {name!r} can't be used: {reason}" if reason else ""


def _folders(name: str) -> list[Path]:
    if not name.isidentifier():
        return [Path(name)] if name else []
    spec = find_spec(name)
    packaged = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    return [*packaged, Path(name)]
