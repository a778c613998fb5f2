"""The networks that can be trained here, by name. Nothing here imports torch: a network's file does.

A network reads batches (:mod:`workers.networks.batches`) that a reader makes out of pairs of texts
(:mod:`workers.networks.words` and its like), and answers with one logit for each label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class NetworkKind:
    """One kind of network.

    ``place`` is ``module:Class``; the class takes ``vectors`` (a (V, D) tensor of word vectors, or None
    where the network brings its own), ``labels`` (how many) and the sizes, all by keyword. ``reader`` is the
    ``module:Class`` of what turns texts into its batches. ``sizes`` are those of ``paper``, ``small`` what
    two processor cores can train in minutes (only what differs); ``searches`` the values that the paper
    searched in, by the name of the size. ``parameters`` is the count that the paper gives, without the word
    vectors, and where it does; None where it gives none.
    """

    title: str
    paper: str
    place: str
    reader: str
    sizes: Mapping[str, Any]
    small: Mapping[str, Any] = field(default_factory=dict)
    searches: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    parameters: tuple[int, str] | None = None


def named(place: str) -> Any:
    """What stands at ``module:Name``, imported now."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


WORD_READER = "workers.networks.words:WordReader"

#: Each network's key (in addresses, cards and commands) and what it is.
NETWORKS: dict[str, NetworkKind] = {}
