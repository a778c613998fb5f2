"""What holds of every network that writes meanings, and each against a slow account of its paper."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed (make neural)")

import torch
from torch.nn import functional

from tests.workers.networks import reference as slow
from tests.workers.networks.sequences.conftest import SIZES, sentences
from workers.networks import named
from workers.networks.sequences import SEQUENCE_NETWORKS
from workers.networks.sequences.reading import BEGIN, END, sides, written

pytestmark = pytest.mark.neural

CPU = torch.device("cpu")
UNEVEN = [
    ("ann ran", "EXIST ANN RUN"),
    ("one small dog did not chase two cats", "EXIST AND DOG SMALL NOT TWO CAT CHASE"),
    ("every cat ran or laughed", "ALL CAT OR RUN LAUGH"),
]


@pytest.fixture(params=SIZES)
def kind(request):
    return request.param


def batch(reader, rows):
    return (
        sides([reader.sentence(sentence) for sentence, _ in rows], CPU),
        sides([reader.meaning(meaning) for _, meaning in rows], CPU),
    )


def test_it_learns_64_sentences_by_heart(kind, build):
    """And then writes each of their formulas alone, to the letter."""
    rows = sentences("fol", 64)
    network, reader = build(kind, rows, form="fol", dropout=0.0)
    few = [batch(reader, rows[start : start + 16]) for start in range(0, 64, 16)]
    optimizer = torch.optim.Adam(network.parameters(), lr=0.003)
    source, _ = batch(reader, rows)
    for _ in range(400):
        right = 0
        network.train()
        for some, target in few:
            logits, wanted = network(some, target.tokens[:, :-1]), target.tokens[:, 1:]
            right += int(((logits.argmax(-1) == wanted) | ~target.mask[:, 1:]).all(dim=1).sum())
            optimizer.zero_grad()
            functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
        if right == 64:
            found = [reader.text(row) for row in written(network, source, 120)]
            if found == [meaning for _, meaning in rows]:
                return
    pytest.fail(f"{right} of 64 after 400 rounds")


def test_what_stands_beside_a_sentence_changes_nothing(kind, build):
    network, reader = build(kind, UNEVEN)
    network.eval()
    together = network(*[side.tokens if n else side for n, side in enumerate(batch(reader, UNEVEN))])
    for number, row in enumerate(UNEVEN):
        source, target = batch(reader, [row])
        alone = network(source, target.tokens)[0]
        assert torch.allclose(alone, together[number, : len(alone)], atol=1e-5, rtol=0)


def test_what_stands_at_a_masked_place_changes_nothing(kind, build):
    network, reader = build(kind, UNEVEN)
    network.eval()
    source, target = batch(reader, UNEVEN)
    filled = type(source)(source.tokens.masked_fill(~source.mask, 5), source.mask)
    assert network(filled, target.tokens).equal(network(source, target.tokens))


def test_what_comes_later_in_a_meaning_changes_nothing_before_it(kind, build):
    network, reader = build(kind, UNEVEN)
    network.eval()
    source, target = batch(reader, UNEVEN)
    other = target.tokens.clone()
    other[:, 3:] = 5
    first, second = (network(source, tokens)[:, :3] for tokens in (target.tokens, other))
    assert torch.allclose(first, second, atol=1e-6, rtol=0)
    assert not network(source, other)[:, 3:].allclose(network(source, target.tokens)[:, 3:])


def test_followed_token_by_token_it_says_what_it_says_at_once(kind, build):
    network, reader = build(kind, UNEVEN)
    network.eval()
    source, target = batch(reader, UNEVEN)
    memory, steps = network.read(source), []
    for place in range(target.tokens.shape[1]):
        logits, memory = network.follow(memory, target.tokens[:, place : place + 1])
        steps.append(logits)
    assert torch.allclose(torch.cat(steps, dim=1), network(source, target.tokens), atol=1e-5, rtol=0)


def test_it_writes_the_likeliest_token_each_time_as_long_as_it_may(kind, build):
    """Untrained, few rows end by themselves. A slow writer that begins anew each time agrees."""
    network, reader = build(kind, UNEVEN)
    network.eval()
    source, _ = batch(reader, UNEVEN)
    rows = written(network, source, 9)
    for number in range(len(UNEVEN)):
        alone = sides([source.tokens[number][source.mask[number]].tolist()], CPU)
        said = [BEGIN]
        while len(said) < 10:
            token = int(network(alone, torch.tensor([said]))[0, -1].argmax())
            if token == END:
                break
            said.append(token)
        assert rows[number] == said[1:]


def test_a_row_that_has_ended_is_not_gone_on_with(kind, build):
    network, reader = build(kind, UNEVEN)
    source, _ = batch(reader, UNEVEN)
    with torch.no_grad():
        network.output.bias[END] = 1e4
    assert written(network, source, 9) == [[], [], []]


def test_gradients_reach_every_parameter(kind, build):
    network, reader = build(kind, UNEVEN)
    source, target = batch(reader, UNEVEN)
    logits = network(source, target.tokens[:, :-1])
    functional.cross_entropy(logits.flatten(0, 1), target.tokens[:, 1:].flatten(), ignore_index=0).backward()
    without = [name for name, p in network.named_parameters() if p.grad is None or not p.grad.any()]
    # A key's bias adds the same to every score.
    assert [name for name in without if not name.endswith("keys.bias")] == []


def test_the_same_seed_gives_the_same_outputs_and_another_seed_others(kind, build):
    outputs = []
    for seed in (1, 1, 2):
        network, reader = build(kind, UNEVEN, seed=seed)
        network.eval()
        source, target = batch(reader, UNEVEN)
        outputs.append(network(source, target.tokens))
    assert outputs[0].equal(outputs[1])
    assert not outputs[0].equal(outputs[2])


def test_the_gru_is_the_papers(build):
    """Encoder, Luong's equations (5), (7) and (8), number by number."""
    network, reader = build("gru", UNEVEN, embedding=6, hidden=5)
    network.eval()
    weights = slow.weights_of(network)
    for row in UNEVEN:
        source, target = batch(reader, [row])
        states = slow.gru(weights, "encoder", [weights["words.weight"][n] for n in source.tokens[0]])
        inputs = [weights["tokens.weight"][n] for n in target.tokens[0]]
        logits = []
        for h in slow.gru(weights, "decoder", inputs, states[-1]):
            a = slow.softmax([slow.dot(h, s) for s in states])
            combined = slow.affine(weights, "combination", slow.weighted(a, states) + h)
            logits.append(slow.affine(weights, "output", [slow.tanh(value) for value in combined]))
        assert torch.allclose(network(source, target.tokens)[0], torch.tensor(logits), atol=1e-5, rtol=0)


def test_the_transformer_is_the_papers(build):
    """Vaswani et al.'s sections 3.1 to 3.5, number by number."""
    model, heads = 8, 2
    network, reader = build("transformer", UNEVEN, model=model, hidden=6, layers=2, heads=heads)
    network.eval()
    weights = slow.weights_of(network)

    def placed(name, numbers):
        vectors = [[x * model**0.5 for x in weights[f"{name}.weight"][n]] for n in numbers]
        return [slow.added(vector, slow.waves(place, model)) for place, vector in enumerate(vectors)]

    def summed(layer, norm, rows, more):
        return [
            slow.layer_norm(weights, f"{layer}.norms.{norm}", slow.added(x, y))
            for x, y in zip(rows, more, strict=True)
        ]

    def forwards(layer, rows):
        inner = [slow.relu(slow.affine(weights, f"{layer}.forwards.0", x)) for x in rows]
        return [slow.affine(weights, f"{layer}.forwards.2", x) for x in inner]

    for row in UNEVEN:
        source, target = batch(reader, [row])
        read = placed("words", source.tokens[0].tolist())
        for n in range(2):
            layer = f"encoders.{n}"
            looked = slow.heads_attend(weights, f"{layer}.own", heads, read, [read] * len(read))
            read = summed(layer, 0, read, looked)
            read = summed(layer, 1, read, forwards(layer, read))
        out = placed("tokens", target.tokens[0].tolist())
        for n in range(2):
            layer = f"decoders.{n}"
            past = [out[: place + 1] for place in range(len(out))]
            out = summed(layer, 0, out, slow.heads_attend(weights, f"{layer}.own", heads, out, past))
            across = slow.heads_attend(weights, f"{layer}.across", heads, out, [read] * len(out))
            out = summed(layer, 1, out, across)
            out = summed(layer, 2, out, forwards(layer, out))
        logits = torch.tensor([slow.affine(weights, "output", x) for x in out])
        assert torch.allclose(network(source, target.tokens)[0], logits, atol=1e-5, rtol=0)


@pytest.mark.parametrize("size", ["4M", "10M", "27M"])
def test_the_papers_sizes_have_as_many_parameters_as_it_says(kind, size):
    """Within an eighth; a hundred words and a hundred tokens, about what the grammar has."""
    entry = SEQUENCE_NETWORKS[kind]
    sizes = {**entry.sizes, **entry.table_11.get(size, {})}
    with torch.device("meta"):
        network = named(entry.place)(words=100, tokens=100, **sizes)
    millions = sum(p.numel() for p in network.parameters()) / 1e6
    assert abs(millions - int(size[:-1])) < int(size[:-1]) / 8
