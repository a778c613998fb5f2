"""What a counting comes to, as JSON and back: dataclasses, mappings with any keys, enumerations."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from itertools import accumulate, pairwise
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def as_json(value: Any) -> Any:
    """A dataclass as the list of its fields, a mapping as the list of its items.

    >>> as_json({(1, 2): "a"})
    [[[1, 2], 'a']]
    """
    if is_dataclass(value) and not isinstance(value, type):
        return [as_json(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return [[as_json(key), as_json(item)] for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value.value if isinstance(value, Enum) else value


def packed(numbers: Sequence[int]) -> str:
    """Many whole numbers in rising order as a short text.

    >>> unpacked(packed([3, 4, 1000]))
    [3, 4, 1000]
    """
    steps = [number - before for before, number in pairwise([0, *numbers])]
    return b64encode(zlib.compress(json.dumps(steps).encode())).decode()


def unpacked(text: str) -> list[int]:
    """The numbers again, from :func:`packed`."""
    return list(accumulate(json.loads(zlib.decompress(b64decode(text)))))


def of_json(shape: Any, value: Any) -> Any:
    """The value of a type again, from :func:`as_json`.

    >>> of_json(dict[tuple[int, int], str | None], [[[1, 2], None]])
    {(1, 2): None}
    """
    origin, inner = get_origin(shape), get_args(shape)
    if origin in (Union, UnionType):
        return None if value is None else of_json(_kind_of(inner, value), value)
    if is_dataclass(shape):
        return _made(shape, value)
    if origin is tuple:
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else inner
        return tuple(of_json(kind, item) for kind, item in zip(kinds, value, strict=True))
    if origin is list:
        if inner[0] in (int, str):  # a list of a million pairs' numbers, say
            return value
        return [of_json(inner[0], item) for item in value]
    if origin in (dict, Counter):
        kind = inner[1] if origin is dict else int
        return origin({of_json(inner[0], key): of_json(kind, item) for key, item in value})
    if isinstance(shape, type) and issubclass(shape, Enum):
        return shape(value)
    return value


def _kind_of(kinds: tuple[Any, ...], value: Any) -> Any:
    """Of a union: a word is the enumeration's, where there is one beside another kind."""
    words = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Enum)]
    other = next((kind for kind in kinds if kind is not NoneType and kind not in words), None)
    return words[0] if words and (other is None or isinstance(value, str)) else other


def _made(shape: Any, value: list[Any]) -> Any:
    kinds = _kinds(shape)
    return shape(*(of_json(kind, item) for kind, item in zip(kinds, value, strict=True)))


@cache
def _kinds(shape: Any) -> list[Any]:
    hints = get_type_hints(shape)
    return [hints[field.name] for field in fields(shape)]
