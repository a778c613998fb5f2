"""Hugging Face folders, looked at without loading them: where they may lie, and what they say.

Only plain JSON is read here, so that the web process needs neither torch nor transformers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from apps.inference.labels import ENTAILMENT, LabelError, canonical

NEEDED = ("torch", "transformers", "safetensors")
_CHUNK = 1 << 20


class FolderError(ValueError):
    """A folder that holds no usable model, with the reason in words."""


@dataclass(frozen=True)
class ModelFolder:
    """A sequence-classification model on disk: ``labels[i]`` is output ``i``, in canonical words."""

    path: Path
    labels: tuple[str, ...]


def missing_libraries() -> list[str]:
    """Which of the libraries that run such a folder are not installed here. Imports none of them."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def folder_open(name: str, labels: Sequence[str] = ()) -> ModelFolder:
    """The folder ``name`` below MODELS_DIR; ``labels`` (in order) replace the folder's own names.

    Raises :class:`FolderError` for a folder elsewhere, one without ``config.json`` or safetensors
    weights, and for labels that are no labels of inference.
    """
    path = folder_path(name)
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FolderError(f"“{name}” has no config.json; it is not a Hugging Face folder.") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FolderError(f"“{name}/config.json” cannot be read: {error}") from None
    if not any(path.glob("*.safetensors")):
        # Pickled weights can run code when they are loaded.
        raise FolderError(f"“{name}” holds no *.safetensors weights; pickled weights are not loaded.")
    if not isinstance(config, dict):
        raise FolderError(f"“{name}/config.json” cannot be read: a JSON object is wanted.")
    architectures = config.get("architectures")
    if isinstance(architectures, list) and not any(
        str(a).endswith("ForSequenceClassification") for a in architectures
    ):
        raise FolderError(
            f"“{name}” is a {', '.join(map(str, architectures))}; a sequence-classification model is wanted."
        )
    return ModelFolder(path, _labels_of(config, labels, name))


def folder_path(name: str) -> Path:
    """The folder below MODELS_DIR, links resolved; nothing outside it is ever opened."""
    if "\0" in name or not name.strip():
        raise FolderError("Name a folder below the models' directory.")
    root = Path(settings.MODELS_DIR).resolve()
    path = (root / name).resolve()
    if path == root or not path.is_relative_to(root):
        raise FolderError(f"“{name}” does not lie below the models' directory.")
    if not path.is_dir():
        raise FolderError(f"There is no folder “{name}” in the models' directory.")
    return path


def folders_found() -> list[str]:
    """The names of the folders with a config.json below MODELS_DIR, at most two levels down."""
    root = Path(settings.MODELS_DIR)
    if not root.is_dir():
        return []
    found = [*root.glob("*/config.json"), *root.glob("*/*/config.json")]
    return sorted(path.parent.relative_to(root).as_posix() for path in found)[:200]


def folder_fingerprint(path: Path) -> str:
    """SHA-256 over names and contents of what makes the outputs: weights, configuration, tokeniser."""
    digest = hashlib.sha256()
    for file in sorted(path.iterdir()):
        if not file.is_file() or file.suffix not in (".safetensors", ".json", ".txt", ".model"):
            continue
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


def _labels_of(config: dict[str, object], given: Sequence[str], name: str) -> tuple[str, ...]:
    named = config.get("id2label")
    if isinstance(named, dict) and not all(key.isascii() and key.isdigit() for key in named):
        raise FolderError(f"“{name}/config.json”: the keys of id2label are to be output numbers.")
    words = [str(named[key]) for key in sorted(named, key=int)] if isinstance(named, dict) else []
    if given and words and len(given) != len(words):
        raise FolderError(f"“{name}” has {len(words)} outputs, but {len(given)} labels were given.")
    unclear = f"The outputs of “{name}” ({', '.join(words) or 'unnamed'}) do not say which label they are"
    if not (given or words):
        raise FolderError(f"{unclear}. Give the labels in the order of the outputs.")
    try:
        labels = tuple(canonical(word) for word in (given or words))
    except LabelError as error:
        raise FolderError(f"{unclear}: {error} Give the labels in the order of the outputs.") from None
    if len(set(labels)) != len(labels) or len(labels) < 2 or ENTAILMENT not in labels:
        raise FolderError(
            f"The outputs of “{name}” are {', '.join(labels)}; entailment and at least one other label, each "
            "once, are wanted."
        )
    return labels
