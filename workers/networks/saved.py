"""Trained networks on disk: ``network-<fingerprint>/`` with weights, configuration and card; never a pickle.

The fingerprint is the SHA-256 of weights and configuration, so the same training gives the same one. The card
(data, versions, seeds, curves, machine, time) tells of the training and is no part of it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.utils.translation import gettext as _
from torch import Tensor

from apps.inference.learnt_files import models_dir
from workers.networks import NETWORKS, named
from workers.networks.batches import Network, Reader
from workers.networks.options import Options

FORMAT = "polarlab-network-1"
WEIGHTS, CONFIG, CARD = "weights.safetensors", "config.json", "card.json"


T = TypeVar("T")


class SavedError(ValueError):
    """A folder that holds no network of this format, or not the one that was registered."""


@dataclass(frozen=True)
class Saved:
    """A network ready to predict: ``labels[i]`` is what output ``i`` means."""

    network: Network
    reader: Reader
    labels: tuple[str, ...]
    card: dict[str, Any]


def network_save(
    *,
    options: Options,
    labels: tuple[str, ...],
    reader: Reader,
    weights: dict[str, Tensor],
    card: dict[str, Any],
) -> str:
    """Write the folder; returns the fingerprint. One that is there already stays as it is."""
    config = {
        "format": FORMAT,
        "network": options.network,
        "sizes": dict(options.sizes),
        "dimensions": options.dimensions,
        "labels": list(labels),
        "reader": reader.config(),
    }
    return folder_save("network", config, weights, card)


def folder_save(prefix: str, config: dict[str, Any], weights: dict[str, Tensor], card: dict[str, Any]) -> str:
    """Write ``<prefix>-<fingerprint>/``; returns the fingerprint. One that is there stays as it is."""
    from safetensors.torch import save

    contents = {
        WEIGHTS: save(weights),
        CONFIG: json.dumps(config, indent=1, sort_keys=True, ensure_ascii=False).encode(),
    }
    fingerprint = _fingerprint(contents[WEIGHTS], contents[CONFIG])
    target = folder_of(fingerprint, prefix)
    if target.exists():
        return fingerprint
    draft = models_dir() / f".{prefix}-{uuid.uuid4().hex}"
    draft.mkdir(parents=True)
    for name, content in contents.items():
        (draft / name).write_bytes(content)
    (draft / CARD).write_text(json.dumps(card, indent=1, ensure_ascii=False), encoding="utf-8")
    try:
        draft.rename(target)
    except OSError:  # another process has just saved the same
        if not target.exists():
            raise
        shutil.rmtree(draft)
    return fingerprint


def network_load(fingerprint: str) -> Saved:
    """The network named ``fingerprint``; :class:`SavedError` where it is gone, changed or malformed."""

    def built(data: dict[str, Any], weights: dict[str, Tensor]) -> Saved:
        kind = NETWORKS[data["network"]]
        reader: Reader = named(kind.reader).from_config(data["reader"])
        labels = tuple(str(label) for label in data["labels"])
        # Random ones, which the weights replace.
        vectors = reader.vectors(source="random", dimensions=data["dimensions"], seed=0)
        network: Network = named(kind.place)(vectors=vectors, labels=len(labels), **data["sizes"])
        network.load_state_dict(weights)
        network.eval()
        return Saved(network, reader, labels, card_of(fingerprint))

    return folder_load("network", FORMAT, fingerprint, built)


def folder_load(
    prefix: str,
    format: str,
    fingerprint: str,
    built: Callable[[dict[str, Any], dict[str, Tensor]], T],
) -> T:
    """What ``built`` makes of a folder's configuration and weights; :class:`SavedError` where the folder is
    gone, changed, of another format or malformed."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    if len(fingerprint) != 64 or not set(fingerprint) <= set("0123456789abcdef"):
        raise SavedError(_("The model's fingerprint is malformed; train it again."))
    name = {"name": f"{prefix}-{fingerprint[:12]}…"}
    folder = folder_of(fingerprint, prefix)
    try:
        weights, config = (folder / WEIGHTS).read_bytes(), (folder / CONFIG).read_bytes()
    except OSError:
        raise SavedError(_("The trained network %(name)s is not on this machine.") % name) from None
    if _fingerprint(weights, config) != fingerprint:
        raise SavedError(_("The trained network %(name)s was changed after training.") % name)
    try:
        data = json.loads(config)
        if data["format"] != format:
            raise SavedError(_("The trained network %(name)s is of another format.") % name)
        return built(data, load(weights))
    except SavedError:
        raise
    except (KeyError, TypeError, ValueError, RuntimeError, SafetensorError) as error:
        raise SavedError(_("The trained network %(name)s is malformed.") % name) from error


def card_of(fingerprint: str, prefix: str = "network") -> dict[str, Any]:
    """What is told of the training; empty where the card is gone."""
    try:
        card = json.loads((folder_of(fingerprint, prefix) / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return card if isinstance(card, dict) else {}


def folder_of(fingerprint: str, prefix: str = "network") -> Path:
    return models_dir() / f"{prefix}-{fingerprint}"


def _fingerprint(weights: bytes, config: bytes) -> str:
    both = (hashlib.sha256(weights).hexdigest(), hashlib.sha256(config).hexdigest())
    return hashlib.sha256("\n".join(both).encode()).hexdigest()
