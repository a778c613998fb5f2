"""Sentences of SyGNS with their meanings, and small networks that read and write them."""

from __future__ import annotations

import pytest

from natlog.fragments.testbeds import SYGNS

COLUMNS = list(SYGNS.columns)[1:]
SIZES = {
    "gru": {"embedding": 16, "hidden": 64},
    "transformer": {"model": 64, "hidden": 64, "layers": 2, "heads": 4},
}


def sentences(form, count, seed=1, depth=0):
    """(sentence, meaning), drawn from the grammar."""
    place = COLUMNS.index(form)
    rows = [item.row() for item in SYGNS.draw(count, depth, seed)]
    return [(row[COLUMNS.index("sentence")], row[place]) for row in rows]


@pytest.fixture
def build():
    """A network and its reader; the same seed, the same weights."""

    def make(key, rows, *, form="vf", seed=1, longest=60, **sizes):
        import torch

        from workers.networks import named
        from workers.networks.sequences import SEQUENCE_NETWORKS
        from workers.networks.sequences.reading import SentenceReader

        reader = SentenceReader.fit(form, rows, longest)
        torch.manual_seed(seed)
        network = named(SEQUENCE_NETWORKS[key].place)(
            words=len(reader.words), tokens=len(reader.tokens), **{**SIZES[key], **sizes}
        )
        return network, reader

    return make
