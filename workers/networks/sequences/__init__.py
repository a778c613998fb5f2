"""Networks that write a sentence's meaning, by name (SyGNS, section 4.1). Nothing here imports torch.

A network reads sentences as rows of words and says, position by position, what comes next in the meaning
(:mod:`workers.networks.sequences.reading`); :mod:`workers.networks.sequences.trainer` trains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SequenceKind:
    """One kind of network: ``place`` is ``module:Class``, which takes ``words`` and ``tokens`` (the sizes of
    the two vocabularies) and ``sizes`` by keyword. ``sizes`` are the paper's, ``small`` what two processor
    cores train in minutes (only what differs). ``table_11`` are sizes for the paper's other counts of
    parameters, which it gives alone."""

    title: str
    place: str
    sizes: Mapping[str, Any]
    small: Mapping[str, Any]
    table_11: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


#: The paper says that both have 10 million parameters and that 512 and 256 are the Transformer's model and
#: hidden size. With 256 numbers a word, a GRU of 1,024 comes to that count; so do the other sizes here to 4
#: and 27 million (a test counts).
SEQUENCE_NETWORKS: dict[str, SequenceKind] = {
    "gru": SequenceKind(
        title="GRU with attention",
        place="workers.networks.sequences.gru:GRU",
        sizes={"embedding": 256, "hidden": 1024, "dropout": 0.1},
        small={"embedding": 64, "hidden": 128},
        table_11={"4M": {"hidden": 612}, "27M": {"hidden": 1740}},
    ),
    "transformer": SequenceKind(
        title="Transformer",
        place="workers.networks.sequences.transformer:Transformer",
        sizes={"model": 512, "hidden": 256, "layers": 3, "heads": 8, "dropout": 0.1},
        small={"model": 64, "hidden": 128, "layers": 2, "heads": 4},
        table_11={"4M": {"model": 256, "hidden": 512}, "27M": {"model": 768, "hidden": 640}},
    ),
}
