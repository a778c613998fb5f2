"""Presets: the settings that papers report, as data (``presets.toml``), to fill a new campaign with."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Preset:
    """``rules`` are a campaign's, ``quality`` is what the quality rules take of it."""

    key: str
    title: str
    task: str
    source: str
    note: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)
    quality: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        """``preset["quality"]``: as the file has it."""
        return getattr(self, name)


@cache
def presets() -> dict[str, Preset]:
    """Every preset by its key, in the file's order."""
    with (Path(__file__).parent / "presets.toml").open("rb") as file:
        return {key: Preset(key=key, **table) for key, table in tomllib.load(file).items()}


def presets_for(task: str) -> list[Preset]:
    return [preset for preset in presets().values() if preset.task == task]
