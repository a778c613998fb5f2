"""Values of a TOML file, each held to what is wanted of it; what is not is told with its place."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _


class ProtocolError(ValueError):
    """What is wrong with a protocol file, and where in it."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")


def known(place: str, found: Any, names: Collection[str]) -> None:
    """``found`` is a table that has no other names."""
    if not isinstance(found, Mapping):
        raise ProtocolError(place, _("a table is wanted"))
    if unknown := sorted(set(found) - set(names)):
        there = {"name": unknown[0], "known": ", ".join(sorted(names))}
        raise ProtocolError(place, _("there is no “%(name)s” here; there are: %(known)s") % there)


def table(place: str, found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An empty one where it is left out."""
    value = found.get(name, {})
    if not isinstance(value, Mapping):
        raise ProtocolError(f"{place}, {name}", _("a table is wanted"))
    return value


def several(place: str, found: Mapping[str, Any], name: str) -> Sequence[Any]:
    """A list; an empty one where it is left out."""
    value = found.get(name, [])
    if not isinstance(value, list):
        raise ProtocolError(f"{place}: {name}", _("a list is wanted"))
    return value


def word(place: str, found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ProtocolError(f"{place}: {name}", _("a text is wanted"))
    return value


def words(place: str, found: Any) -> list[str]:
    if not isinstance(found, list) or not found or not all(isinstance(each, str) for each in found):
        raise ProtocolError(place, _("a list of texts is wanted"))
    return found


def each_once(place: str, found: list[str]) -> list[str]:
    if twice := next((each for each in found if found.count(each) > 1), None):
        raise ProtocolError(place, _("“%(word)s” is there twice") % {"word": twice})
    return found


def whole(place: str, found: Mapping[str, Any], name: str, most: int) -> int:
    """A number from 1 to ``most``."""
    value = found.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        reason = _("a whole number from %(least)d to %(most)d is wanted") % {"least": 1, "most": most}
        raise ProtocolError(f"{place}: {name}", reason)
    return value


def numeric(place: str, found: Mapping[str, Any], name: str) -> float:
    value = found.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ProtocolError(f"{place}: {name}", _("a number is wanted"))
    return float(value)


def among(place: str, found: Mapping[str, Any], name: str, names: Collection[str]) -> Sequence[str]:
    """A list of some of the names, each once; an empty one where it is left out."""
    if name not in found:
        return ()
    chosen = words(f"{place}, {name}", found[name])
    for one in chosen:
        if one not in names or chosen.count(one) > 1:
            reason = _("“%(name)s” is unknown or twice; there are: %(known)s")
            raise ProtocolError(f"{place}, {name}", reason % {"name": one, "known": ", ".join(names)})
    return chosen


def share(place: str, found: Mapping[str, Any], name: str) -> float:
    """A number above 0, at most 1; 1 where it is left out."""
    value = found.get(name, 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ProtocolError(f"{place}: {name}", _("a share above 0, at most 1 is wanted"))
    return float(value)
