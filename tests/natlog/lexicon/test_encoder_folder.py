"""An encoder's folder at work: a tiny BERT that the test builds, in which *cup* and *mug* are one vector."""

import importlib.util

import pytest

from natlog.__main__ import main
from natlog.lexicon.embedding import Embedding, EmbeddingError, FolderEncoder, Likeness

if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "safetensors")):
    pytest.skip("torch and transformers are not installed (make neural)", allow_module_level=True)
pytestmark = pytest.mark.neural

WORDS = ["cup", "mug", "red", "song", "banana", "sociology"]


@pytest.fixture
def folder(tmp_path):
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    path = tmp_path / "tiny"
    path.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (path / "vocab.txt").write_text("\n".join(vocabulary))
    BertTokenizerFast(str(path / "vocab.txt")).save_pretrained(path)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    model = BertModel(config, add_pooling_layer=False)
    with torch.no_grad():
        table = model.embeddings.word_embeddings.weight
        table.normal_(std=1.0)
        table[vocabulary.index("mug")] = table[vocabulary.index("cup")]
    model.save_pretrained(path)
    return path


def test_the_same_meaning_has_the_same_vector_and_another_has_another(folder):
    embedding = Embedding(FolderEncoder(folder))
    assert embedding.opinion("Cup", "mug").similarity == pytest.approx(1.0, abs=1e-5)
    assert embedding.opinion("cup", "mug").likeness is Likeness.SYNONYM
    assert embedding.opinion("cup", "sociology").similarity < 0.99


def test_padding_changes_no_vector(folder):
    encoder = FolderEncoder(folder)
    (alone,) = encoder.vectors(["cup"])
    together, _ = encoder.vectors(["cup", "red banana song"])
    assert together == pytest.approx(alone, abs=1e-5)
    assert len(alone) == 16


def test_the_folder_says_how_its_vectors_are_pooled(folder):
    (mean,) = FolderEncoder(folder).vectors(["red cup"])
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (first,) = FolderEncoder(folder).vectors(["red cup"])
    assert first != pytest.approx(mean, abs=1e-3)


def test_broken_weights_are_named(folder):
    (folder / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(EmbeddingError, match=r"tiny: can't be loaded"):
        FolderEncoder(folder).load()


def test_weights_that_are_missing_are_not_made_up(folder):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights["embeddings.word_embeddings.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EmbeddingError, match=r"its weights lack embeddings\.word_embeddings\.weight"):
        FolderEncoder(folder).load()


def test_the_commands_take_a_folder_and_print_nothing_else(folder, capsys):
    pair = ["The boy broke a cup.", "The boy broke a mug."]
    assert main(["explain", *pair, "--convention", "default", "--embedding", str(folder)]) == 0
    captured = capsys.readouterr()
    assert "by the embedding tiny" in captured.out
    assert captured.err == ""
