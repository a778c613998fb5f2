"""The embedding's thresholds with vectors given, and what is said of a folder that can't be used."""

import importlib.util
import json
import math
import subprocess
import sys

import pytest

from natlog.lexicon.embedding import Embedding, EmbeddingError, FolderEncoder, Likeness, cosine


class Angles:
    """An encoder whose phrases are angles in degrees."""

    name = "angles"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def vectors(self, phrases):
        self.asked += phrases
        return [[math.cos(math.radians(float(p))), math.sin(math.radians(float(p)))] for p in phrases]


@pytest.mark.parametrize(
    ("angle", "likeness"),
    [
        ("0", Likeness.SYNONYM),
        ("49", Likeness.SYNONYM),
        ("50", Likeness.UNDECIDED),
        ("81", Likeness.UNDECIDED),
        ("82", Likeness.UNRELATED),
        ("180", Likeness.UNRELATED),
    ],
)
def test_likeness_is_read_off_the_cosine(angle, likeness):
    opinion = Embedding(Angles()).opinion("0", angle)
    assert opinion.likeness is likeness
    assert opinion.similarity == pytest.approx(math.cos(math.radians(float(angle))))
    assert opinion.source == "embedding angles"


def test_a_phrase_is_encoded_once():
    encoder = Angles()
    embedding = Embedding(encoder)
    embedding.opinion("0", "10")
    embedding.opinion("10", "20")
    assert encoder.asked == ["0", "10", "20"]


def test_a_vector_without_length_is_like_nothing():
    assert cosine([0.0, 0.0], [1.0, 0.0]) == 0.0


@pytest.fixture
def folder(tmp_path):
    """A folder that looks like an encoder's, with empty files."""
    path = tmp_path / "looks-right"
    path.mkdir()
    (path / "config.json").write_text("{}")
    (path / "vocab.txt").write_text("[PAD]\n")
    (path / "model.safetensors").write_bytes(b"")
    return path


@pytest.fixture
def libraries(monkeypatch):
    """The libraries are there, or (given names) those are not."""
    found = importlib.util.find_spec

    def are(*missing):
        def find(name, package=None):
            if name in ("torch", "transformers", "safetensors"):
                return None if name in missing else object()
            return found(name, package)

        monkeypatch.setattr("natlog.lexicon.embedding.importlib.util.find_spec", find)

    are()
    return are


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("config.json", "no config.json"),
        ("model.safetensors", r"no \*.safetensors weights"),
        ("vocab.txt", "no tokenizer"),
    ],
)
def test_what_a_folder_lacks_is_named(folder, libraries, gone, message):
    (folder / gone).unlink()
    with pytest.raises(EmbeddingError, match=message) as error:
        FolderEncoder(folder)
    assert str(folder) in str(error.value)


def test_a_folder_that_is_none_is_named(tmp_path):
    with pytest.raises(EmbeddingError, match=r"nowhere: there is no such folder"):
        FolderEncoder(tmp_path / "nowhere")


def test_missing_libraries_are_named_with_the_remedy(folder, libraries):
    libraries("torch", "safetensors")
    with pytest.raises(EmbeddingError, match=r"needs torch, safetensors: not installed.*make neural"):
        FolderEncoder(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "pooling by pooling_mode_max_tokens"),
        ("1_Pooling/config.json", {"pooling_mode": "lasttoken"}, "pooling by lasttoken"),
        ("1_Pooling/config.json", [], "not what a Hugging Face folder has there"),
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "its layer 'Dense'"),
    ],
)
def test_layers_that_would_be_passed_over_are_refused(folder, libraries, name, content, message):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))
    with pytest.raises(EmbeddingError, match=message):
        FolderEncoder(folder)


def test_the_module_and_the_labeller_load_no_torch():
    code = "import sys, natlog.calculus.labeller; print({'torch', 'transformers'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
