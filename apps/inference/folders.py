"""Folders of models (Hugging Face's and ONNX), looked at without loading them: where they may lie, and what
they say.

Only plain JSON is read here, so that the web process needs neither torch nor transformers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from apps.datasets.labels import ENTAILMENT
from apps.inference.labels import LabelError, canonical

NEEDED = ("torch", "transformers", "safetensors")
ONNX_FILES = ("model.onnx", "tokenizer.json")
_READ = (".safetensors", ".onnx", ".onnx_data", ".json", ".txt", ".model")
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


def folder_open(name: str, labels: Sequence[str] = (), *, onnx: bool = False) -> ModelFolder:
    """The folder ``name`` below MODELS_DIR; ``labels`` (in order) replace the folder's own names.

    Raises :class:`FolderError` for a folder elsewhere, one without ``config.json`` or weights (safetensors;
    with ``onnx`` a ``model.onnx`` and its ``tokenizer.json``), and labels that are none of inference.
    """
    path = folder_path(name)
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FolderError(
            _("“%(name)s” has no config.json; it is not a Hugging Face folder.") % {"name": name}
        ) from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FolderError(_unreadable(name, str(error))) from None
    _weights_checked(path, name, onnx)
    if not isinstance(config, dict):
        raise FolderError(_unreadable(name, _("a JSON object is wanted")))
    architectures = config.get("architectures")
    if isinstance(architectures, list) and not any(
        str(a).endswith("ForSequenceClassification") for a in architectures
    ):
        raise FolderError(
            _("“%(name)s” is a %(kind)s; a sequence-classification model is wanted.")
            % {"name": name, "kind": ", ".join(map(str, architectures))}
        )
    return ModelFolder(path, _labels_of(config, labels, name))


def _weights_checked(path: Path, name: str, onnx: bool) -> None:
    if onnx:
        missing = [file for file in ONNX_FILES if not (path / file).is_file()]
        if missing:
            raise FolderError(
                _("“%(name)s” has no %(files)s; “manage.py model_export” makes an ONNX folder.")
                % {"name": name, "files": ", ".join(missing)}
            )
    elif not any(path.glob("*.safetensors")):
        # Pickled weights can run code when they are loaded.
        raise FolderError(
            _("“%(name)s” holds no *.safetensors weights; pickled weights are not loaded.") % {"name": name}
        )


def folder_path(name: str) -> Path:
    """The folder below MODELS_DIR, links resolved; nothing outside it is ever opened."""
    if "\0" in name or not name.strip():
        raise FolderError(_("Name a folder below the models' directory."))
    root = Path(settings.MODELS_DIR).resolve()
    path = (root / name).resolve()
    if path == root or not path.is_relative_to(root):
        raise FolderError(_("“%(name)s” does not lie below the models' directory.") % {"name": name})
    if not path.is_dir():
        raise FolderError(_("There is no folder “%(name)s” in the models' directory.") % {"name": name})
    return path


def folders_found(*, onnx: bool = False) -> list[str]:
    """The names of the folders with a config.json below MODELS_DIR, at most two levels down; with ``onnx``
    those that hold a model.onnx, else those that don't, or hold safetensors too."""
    root = Path(settings.MODELS_DIR)
    if not root.is_dir():
        return []
    found = [path.parent for path in (*root.glob("*/config.json"), *root.glob("*/*/config.json"))]
    chosen = [path for path in found if _is_of(path, onnx)]
    return sorted(path.relative_to(root).as_posix() for path in chosen)[:200]


def _is_of(path: Path, onnx: bool) -> bool:
    has_onnx = (path / "model.onnx").is_file()
    return has_onnx if onnx else not has_onnx or any(path.glob("*.safetensors"))


def folder_fingerprint(path: Path, beat: Callable[[], None] = lambda: None) -> str:
    """SHA-256 over names and contents of what makes the outputs: weights, configuration, tokeniser.
    ``beat`` is called as the reading goes on."""
    digest = hashlib.sha256()
    for file in sorted(path.iterdir()):
        if not file.is_file() or file.suffix not in _READ:
            continue
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
                beat()
    return digest.hexdigest()


def _unreadable(name: str, reason: str) -> str:
    return _("“%(name)s/config.json” cannot be read: %(reason)s") % {"name": name, "reason": reason}


def _labels_of(config: dict[str, object], given: Sequence[str], name: str) -> tuple[str, ...]:
    named = config.get("id2label")
    if isinstance(named, dict) and not all(key.isascii() and key.isdigit() for key in named):
        raise FolderError(_unreadable(name, _("the keys of id2label are to be output numbers")))
    words = [str(named[key]) for key in sorted(named, key=int)] if isinstance(named, dict) else []
    if given and words and len(given) != len(words):
        raise FolderError(
            _("“%(name)s” has %(outputs)d outputs, but %(labels)d labels were given.")
            % {"name": name, "outputs": len(words), "labels": len(given)}
        )
    try:
        if not (given or words):
            raise LabelError(_("They have no names."))
        labels = tuple(canonical(word) for word in (given or words))
    except LabelError as error:
        raise FolderError(
            _(
                "The outputs of “%(name)s” do not say which labels they are. %(reason)s "
                "Give the labels in the order of the outputs."
            )
            % {"name": name, "reason": error}
        ) from None
    if len(set(labels)) != len(labels) or len(labels) < 2 or ENTAILMENT not in labels:
        raise FolderError(
            _(
                "The outputs of “%(name)s” are %(labels)s; entailment and at least one other label, "
                "each once, are wanted."
            )
            % {"name": name, "labels": ", ".join(labels)}
        )
    return labels
