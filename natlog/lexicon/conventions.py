"""Conventions: named choices where published polarity marks disagree (``conventions.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("conventions.toml")


class UnknownConvention(LookupError):
    """No convention of this name."""


@dataclass(frozen=True, slots=True)
class Convention:
    """A value for every switch, and the argument signs that each switch gives.

    ``signs`` maps a switch to argument name → sign (``{"first": "="}``). ``example`` is a sentence as this
    convention marks it, each word with its sign behind it.
    """

    name: str
    source: str
    example: str
    values: Mapping[str, str]
    signs: Mapping[str, Mapping[str, str]]


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, dict[str, object]]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def conventions() -> tuple[str, ...]:
    """The names of all conventions, the default first."""
    return tuple(_data()["sets"])


@lru_cache(maxsize=16)
def load_convention(name: str = "default") -> Convention:
    """The convention of this name; raises :class:`UnknownConvention` with the names there are."""
    data = _data()
    if name not in data["sets"]:
        raise UnknownConvention(f"no convention {name!r}; there are: {', '.join(data['sets'])}")
    chosen = {key: str(value) for key, value in data["sets"][name].items()}
    source, example = chosen.pop("source"), chosen.pop("example")
    signs = {}
    for switch, value in chosen.items():
        values = data["switches"][switch]["values"]
        assert isinstance(values, dict)
        signs[switch] = dict(values[value])
    return Convention(name, source, example, chosen, signs)
