"""Trained networks that write meanings on disk: ``sequence-<fingerprint>/``, as
:mod:`workers.networks.saved` keeps the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from workers.networks import named
from workers.networks.saved import card_of, folder_load, folder_save
from workers.networks.sequences import SEQUENCE_NETWORKS
from workers.networks.sequences.options import SequenceOptions
from workers.networks.sequences.reading import SentenceReader, SequenceNetwork

FORMAT = "polarlab-sequence-1"
PREFIX = "sequence"


@dataclass(frozen=True)
class SequenceSaved:
    """A network ready to write (:func:`workers.networks.sequences.trainer.said`)."""

    network: SequenceNetwork
    reader: SentenceReader
    card: dict[str, Any]


def sequence_save(
    *, options: SequenceOptions, reader: SentenceReader, weights: dict[str, Tensor], card: dict[str, Any]
) -> str:
    """Write the folder; returns the fingerprint. One that is there already stays as it is."""
    config = {
        "format": FORMAT,
        "network": options.network,
        "sizes": dict(options.sizes),
        "reader": reader.config(),
    }
    return folder_save(PREFIX, config, weights, card)


def sequence_load(fingerprint: str) -> SequenceSaved:
    """The network named ``fingerprint``; :class:`workers.networks.saved.SavedError` where it is gone, changed
    or malformed."""

    def built(data: dict[str, Any], weights: dict[str, Tensor]) -> SequenceSaved:
        reader = SentenceReader.from_config(data["reader"])
        network: SequenceNetwork = named(SEQUENCE_NETWORKS[data["network"]].place)(
            words=len(reader.words), tokens=len(reader.tokens), **data["sizes"]
        )
        network.load_state_dict(weights)
        network.eval()
        return SequenceSaved(network, reader, card_of(fingerprint, PREFIX))

    return folder_load(PREFIX, FORMAT, fingerprint, built)
