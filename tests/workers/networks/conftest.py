"""Networks at sizes that train in seconds, and sentences of several lengths for them."""

from __future__ import annotations

import pytest

DIMENSIONS = 50
SIZES = {
    "decomposable-attention": {"hidden": 16},
    "esim": {"hidden": 16},
    "bimpm": {"hidden": 6, "perspectives": 3},
    "kim": {"hidden": 16},
}

PAIRS = [
    ("a black dog runs in the park", "an animal runs"),
    ("no dogs bark", "no black dogs bark loudly today"),
    ("some children sleep", "some kids sleep"),
    ("the hot soup is on the table", "the cold soup is not on the table"),
    ("wolves howl", "every wolf and every dog howls at the moon"),
]


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Networks of this size are the slower for more threads, many times so where other tests run beside."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def build():
    """Build a network and its reader: ``build("esim", intra=True)``; the same seed, the same weights."""

    def make(key, pairs=PAIRS, *, labels=3, seed=1, hypothesis_only=False, **sizes):
        import torch

        from workers.networks import NETWORKS, named

        kind = NETWORKS[key]
        reader = named(kind.reader).fit(pairs, hypothesis_only=hypothesis_only)
        vectors = reader.vectors(source="random", dimensions=DIMENSIONS, seed=seed)
        torch.manual_seed(seed)
        network = named(kind.place)(vectors=vectors, labels=labels, **{**SIZES[key], **sizes})
        return network, reader

    return make
