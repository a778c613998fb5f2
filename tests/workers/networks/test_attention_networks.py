"""What holds of every network with attention: it learns, nothing of padding shows, the seed decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from torch.nn import functional

from tests.workers.networks.conftest import PAIRS, SIZES
from workers.networks.batches import Side

ANIMALS = ["dog", "cat", "wolf", "mouse", "horse", "cow", "sheep", "goat"]
every_network = pytest.mark.parametrize("key", SIZES)
with_and_without_intra = pytest.mark.parametrize(
    ("key", "sizes"), [*((key, {}) for key in SIZES), ("decomposable-attention", {"intra": True})]
)


def padded_more(batch, tokens, *, by=3):
    """The batch with ``by`` more masked columns on each side, which hold rubbish."""

    def side(old):
        rubbish = torch.full((len(batch), by), tokens)
        nothing = torch.zeros((len(batch), by), dtype=torch.bool)
        return Side(torch.cat([old.tokens, rubbish], 1), torch.cat([old.mask, nothing], 1))

    wider = replace(batch, premise=side(batch.premise), hypothesis=side(batch.hypothesis))
    if batch.knowledge is None:
        return wider
    around = (0, 0, 0, by, 0, by)
    return replace(
        wider,
        knowledge=functional.pad(batch.knowledge, around, value=0.5),
        knowledge_back=functional.pad(batch.knowledge_back, around, value=0.5),
    )


@every_network
@pytest.mark.parametrize("labels", [2, 3])
def test_one_logit_for_each_label(build, key, labels):
    network, reader = build(key, labels=labels)
    logits = network(reader.batch(reader.examples(PAIRS)))
    assert logits.shape == (len(PAIRS), labels)
    assert logits.isfinite().all()


@with_and_without_intra
def test_padding_changes_no_output(build, key, sizes):
    network, reader = build(key, **sizes)
    network.eval()
    examples = reader.examples(PAIRS)
    batch = reader.batch(examples)
    together = network(batch)
    torch.testing.assert_close(network(padded_more(batch, tokens=0)), together, atol=1e-6, rtol=0)
    torch.testing.assert_close(network(padded_more(batch, tokens=5)), together, atol=1e-6, rtol=0)
    alone = torch.cat([network(reader.batch([example])) for example in examples])
    torch.testing.assert_close(alone, together, atol=1e-6, rtol=0)


@with_and_without_intra
def test_every_token_changes_the_output(build, key, sizes):
    """The control of the test above: what is not masked is looked at."""
    network, reader = build(key, **sizes)
    network.eval()
    batch = reader.batch(reader.examples(PAIRS))
    before = network(batch)
    for name in ("premise", "hypothesis"):
        side = getattr(batch, name)
        for row, column in side.mask.nonzero().tolist():
            tokens = side.tokens.clone()
            tokens[row, column] = 3 if tokens[row, column] != 3 else 4
            after = network(replace(batch, **{name: Side(tokens, side.mask)}))
            assert (after[row] - before[row]).abs().max() > 1e-7, (name, row, column)


@with_and_without_intra
def test_gradient_reaches_every_parameter(build, key, sizes):
    network, reader = build(key, update_vectors=True, **sizes)
    batch = reader.batch(reader.examples(PAIRS))
    functional.cross_entropy(network(batch), torch.tensor([0, 1, 0, 2, 1])).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


@every_network
def test_vectors_change_only_where_they_should(build, key):
    network, reader = build(key, update_vectors=False)
    batch = reader.batch(reader.examples(PAIRS))
    functional.cross_entropy(network(batch), torch.tensor([0, 1, 0, 2, 1])).backward()
    assert network.words.weight.grad is None
    updated, _ = build(key, update_vectors=True)
    functional.cross_entropy(updated(batch), torch.tensor([0, 1, 0, 2, 1])).backward()
    assert updated.words.weight.grad[0].abs().max() == 0  # the padding's


@every_network
def test_the_same_seed_gives_the_same_weights_and_outputs(build, key):
    (first, reader), (second, _), (other, _) = build(key), build(key), build(key, seed=2)
    batch = reader.batch(reader.examples(PAIRS))
    outputs = []
    for network in (first, second, other):
        torch.manual_seed(3)  # of the dropout
        outputs.append(network(batch))
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert torch.equal(outputs[0], outputs[1])
    assert not torch.equal(outputs[0], outputs[2])


@every_network
def test_it_overfits_64_pairs(build, key):
    """Which animals stand in which order decides the label, so that the words must be learnt one by one."""
    pairs = [(f"{first} runs", f"{second} runs") for first in ANIMALS for second in ANIMALS]
    draw = torch.Generator().manual_seed(4)
    labels = torch.randint(3, (64,), generator=draw)
    network, reader = build(key, pairs, update_vectors=True, dropout=0.0)
    batch = reader.batch(reader.examples(pairs))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for _step in range(300):
        logits = network(batch)
        if (logits.argmax(1) == labels).all():
            return
        optimizer.zero_grad()
        functional.cross_entropy(logits, labels).backward()
        optimizer.step()
    pytest.fail(f"{(logits.argmax(1) == labels).sum()} of 64 after 300 steps")


@every_network
def test_with_the_hypothesis_alone_the_premise_says_nothing(build, key):
    network, reader = build(key, hypothesis_only=True)
    network.eval()
    same = [("a dog runs", "an animal runs"), ("no wolves howl at the moon", "an animal runs")]
    first, second = network(reader.batch(reader.examples(same)))
    assert torch.equal(first, second)
