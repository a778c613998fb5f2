"""An ONNX folder made of a Hugging Face one: it says the same, or it isn't made."""

import importlib.util

import pytest
from django.core.management import CommandError, call_command

from workers import exporting

LIBRARIES = ("torch", "transformers", "safetensors", "onnx")
MISSING = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
needs_all = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (docs/models.md)")
pytestmark = pytest.mark.neural


@pytest.fixture
def models(settings, tmp_path):
    settings.MODELS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def tiny(models):
    """A Hugging Face folder of a random BERT."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder = models / "tiny"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "is", "dog", "cat", "the", "man", "in", "on"]
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(3)
    labels = ("entailment", "neutral", "contradiction")
    model = BertForSequenceClassification(
        BertConfig(
            vocab_size=len(words),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=64,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
        )
    )
    torch.nn.init.normal_(model.classifier.weight, std=2.0)
    model.save_pretrained(folder)
    return folder


@needs_all
def test_the_exported_folder_says_the_same_and_is_told_so(tiny, models, capsys):
    call_command("model_export", "tiny", "tiny-onnx")
    told = capsys.readouterr().out
    assert "50 pairs: same labels" in told
    assert sorted(path.name for path in models.iterdir()) == ["tiny", "tiny-onnx"]
    assert {"model.onnx", "tokenizer.json", "config.json"} <= {
        path.name for path in (models / "tiny-onnx").iterdir()
    }


@needs_all
@pytest.mark.parametrize("spoil", ["labels", "probabilities"])
def test_one_that_says_something_else_is_refused_and_nothing_is_left(tiny, models, monkeypatch, spoil):
    from workers.runtimes import Output

    def differently(self, pairs):
        outputs = exporting.HuggingFace(str(tiny), self.labels).predict(pairs)
        if spoil == "labels":
            return [Output("entailment", output.scores) for output in outputs]
        return [Output(o.label, {k: v + 2e-4 for k, v in o.scores.items()}) for o in outputs]

    monkeypatch.setattr(exporting.Onnx, "predict", differently)
    with pytest.raises(CommandError, match=r"says something else|probabilities are 0.0002 off"):
        call_command("model_export", "tiny", "tiny-onnx")
    assert [path.name for path in models.iterdir()] == ["tiny"]


@needs_all
def test_nothing_is_overwritten(tiny, models):
    (models / "there").mkdir()
    with pytest.raises(CommandError, match="nothing is overwritten"):
        call_command("model_export", "tiny", "there")


def test_without_a_library_it_says_which(models, monkeypatch):
    from apps.inference.folders import ModelFolder

    monkeypatch.setattr(exporting.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(exporting.ExportError, match="torch, transformers, safetensors, onnx"):
        exporting.model_export(ModelFolder(models, ("entailment", "neutral")), models / "o")


def test_the_fifty_pairs_differ_in_length_and_one_is_cut():
    pairs = exporting.plain_pairs()
    assert len(set(pairs)) == 50
    assert len({len(premise) for premise, _hypothesis in pairs}) > 5 and len(pairs[-1][0].split()) > 512
