"""The networks that can be trained here, as far as pages and checks need them: what builds and trains them
registers itself when Django starts (workers/apps.py), and nothing of it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NetworkOffer:
    """``check`` takes options and whether they begin from the sizes for two processor cores, and returns them
    in full; it raises ValidationError under the option that makes no sense. ``usual`` are its own.
    ``writes``: it writes meanings, and learns from sets of meanings alone (apps/inference/meanings.py); the
    others label pairs."""

    key: str
    title: str
    paper: str
    sizes: Mapping[str, Any]
    usual: Mapping[str, Any]
    check: Callable[[Mapping[str, Any], bool], dict[str, Any]]
    writes: bool = False


_offers: dict[str, NetworkOffer] = {}


def register(offer: NetworkOffer) -> None:
    """Add a network; adding it twice changes nothing."""
    _offers[offer.key] = offer


def networks() -> dict[str, NetworkOffer]:
    """All of them, by their key."""
    return dict(_offers)


def labelling_networks() -> dict[str, NetworkOffer]:
    """Those that label pairs."""
    return {key: offer for key, offer in _offers.items() if not offer.writes}
