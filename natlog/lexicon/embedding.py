"""A sentence encoder's opinion of two words or short phrases that no other source relates.

Similarity is not entailment: antonyms, sisters and kinds lie as near to a word as its synonyms do, and
nothing in a vector says which of two words is the more general. So the opinion is a modest one: two
phrases say about the same, or have nothing to do with each other, or (mostly) nothing. Figures:
``docs/natlog-calculus.md``.
"""

from __future__ import annotations

import enum
import importlib.util
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

NEEDED = ("torch", "transformers", "safetensors")

SYNONYM_FROM = 0.65
"""Cosine from which two phrases are taken to say about the same. Tuned with all-MiniLM-L6-v2 on the even
halves, and on WordNet: it passes 24 % of synonyms, 5 % of hyponyms and 3 % of co-hyponyms."""

UNRELATED_BELOW = 0.15
"""Cosine below which two phrases have nothing to do with each other. It passes 21 % of pairs drawn at
random, 2 % of synonyms, 5 % of hyponyms and 8 % of co-hyponyms of WordNet."""

CONFIDENCE = 0.4
"""How sure an opinion is: little more than the 0.3 of *unknown*."""

LONGEST = 32
"""Tokens of a phrase that are read; short phrases are compared, never sentences."""

READ_MODULES = ("Transformer", "Pooling", "Normalize")
"""The layers of a sentence-transformers folder that are read (a cosine needs no normalising)."""

POOLINGS = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token"}


class EmbeddingError(ValueError):
    """A folder that can't be used as an encoder, or a library that it needs; the message says which."""


class Likeness(enum.Enum):
    """What similarity says of two phrases; ``UNDECIDED`` is no opinion."""

    SYNONYM = "synonym-like"
    UNRELATED = "unrelated"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Opinion:
    """An embedding's opinion of two phrases; ``similarity`` is their cosine, in [-1, 1]."""

    likeness: Likeness
    similarity: float
    source: str


class Encoder(Protocol):
    """What turns phrases into vectors, one a phrase, all of the same length."""

    @property
    def name(self) -> str: ...

    def vectors(self, phrases: Sequence[str]) -> list[list[float]]: ...


class Embedding:
    """A third opinion by an encoder; its thresholds are cosines and belong to the encoder's own scale."""

    def __init__(
        self,
        encoder: Encoder,
        synonym_from: float = SYNONYM_FROM,
        unrelated_below: float = UNRELATED_BELOW,
    ) -> None:
        self.encoder = encoder
        self.source = f"embedding {encoder.name}"
        self._synonym_from = synonym_from
        self._unrelated_below = unrelated_below
        self._vectors: dict[str, list[float]] = {}

    def opinion(self, first: str, second: str) -> Opinion:
        """What the encoder thinks of two phrases; case doesn't count."""
        one, two = " ".join(first.lower().split()), " ".join(second.lower().split())
        wanted = [phrase for phrase in dict.fromkeys((one, two)) if phrase not in self._vectors]
        if wanted:
            self._vectors.update(zip(wanted, self.encoder.vectors(wanted), strict=True))
        similarity = cosine(self._vectors[one], self._vectors[two])
        if similarity >= self._synonym_from:
            likeness = Likeness.SYNONYM
        elif similarity < self._unrelated_below:
            likeness = Likeness.UNRELATED
        else:
            likeness = Likeness.UNDECIDED
        return Opinion(likeness, similarity, self.source)


def cosine(one: Sequence[float], two: Sequence[float]) -> float:
    """The cosine of the angle between two vectors; 0 where one of them has no length.

    >>> cosine([1.0, 0.0], [2.0, 0.0])
    1.0
    """
    lengths = math.hypot(*one) * math.hypot(*two)
    return sum(a * b for a, b in zip(one, two, strict=True)) / lengths if lengths else 0.0


class FolderEncoder:
    """A sentence encoder in a local folder (Hugging Face layout, safetensors weights), on the processor.

    Making one looks at the folder and the libraries only, and raises :class:`EmbeddingError` where
    something is missing; the weights are read at the first phrase, or by :meth:`load`. Nothing is ever
    fetched, and no code of the folder's is run.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name or folder.resolve().name
        self._check()
        self._pooling = self._read_pooling()
        self._loaded: tuple[Any, Any] | None = None

    def _check(self) -> None:
        if not self.folder.is_dir():
            raise EmbeddingError(f"{self.folder}: there is no such folder (an encoder's is wanted)")
        for pattern, what in (("config.json", "config.json"), ("*.safetensors", "*.safetensors weights")):
            if not any(self.folder.glob(pattern)):
                raise EmbeddingError(f"{self.folder}: no {what}; a Hugging Face encoder's folder is wanted")
        if not any(self.folder.glob("tokenizer*.json")) and not (self.folder / "vocab.txt").exists():
            raise EmbeddingError(f"{self.folder}: no tokenizer (tokenizer.json or vocab.txt)")
        missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            names = ", ".join(missing)
            raise EmbeddingError(f"an embedding needs {names}: not installed here (see `make neural`)")

    def _read_pooling(self) -> str:
        """How token vectors make one; the mean, where the folder doesn't say (Reimers and Gurevych 2019)."""
        modules = self._json("modules.json", [])
        for module in modules:
            kind = str(module.get("type", "")).rpartition(".")[2]
            if kind not in READ_MODULES:
                raise EmbeddingError(f"{self.folder}: its layer {kind!r} is none of those that are read here")
        config = self._json("1_Pooling/config.json", {})
        if "pooling_mode" in config:
            modes = [config["pooling_mode"]]
        else:
            modes = [
                key for key, value in config.items() if key.startswith("pooling_mode_") and value is True
            ]
        names = {key: name for name, key in POOLINGS.items()}
        chosen = [names.get(mode, mode) for mode in modes] or ["mean"]
        if len(chosen) > 1 or chosen[0] not in POOLINGS:
            raise EmbeddingError(f"{self.folder}: pooling by {', '.join(map(str, chosen))} is not read here")
        return str(chosen[0])

    def _json(self, name: str, otherwise: Any) -> Any:
        path = self.folder / name
        if not path.exists():
            return otherwise
        try:
            found = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise EmbeddingError(f"{path}: {error}") from None
        if not isinstance(found, type(otherwise)):
            raise EmbeddingError(f"{path}: not what a Hugging Face folder has there")
        return found

    def load(self) -> tuple[Any, Any]:
        """The tokenizer and the model, read once. Raises :class:`EmbeddingError` for unusable files."""
        if self._loaded is not None:
            return self._loaded
        from transformers import AutoModel, AutoTokenizer

        options = {"local_files_only": True, "trust_remote_code": False}
        try:
            with _quiet():
                tokenizer = AutoTokenizer.from_pretrained(str(self.folder), **options)
                model, loading = AutoModel.from_pretrained(
                    str(self.folder), use_safetensors=True, output_loading_info=True, **options
                )
        except Exception as error:  # the libraries raise many kinds, those of their Rust parts among them
            raise EmbeddingError(f"{self.folder}: can't be loaded: {error}") from error
        # The library fills what is missing at random and goes on; the pooler is not used here.
        lacking = sorted(key for key in loading["missing_keys"] if not key.startswith("pooler."))
        if lacking:
            raise EmbeddingError(f"{self.folder}: its weights lack {', '.join(lacking[:3])}")
        if model.config.is_encoder_decoder:
            raise EmbeddingError(f"{self.folder}: a {type(model).__name__} is no encoder alone")
        self._loaded = tokenizer, model.eval()
        return self._loaded

    def vectors(self, phrases: Sequence[str]) -> list[list[float]]:
        """One vector a phrase, in order, of the model's hidden size."""
        import torch

        tokenizer, model = self.load()
        encoded = tokenizer(
            list(phrases), padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        )
        with torch.inference_mode():
            hidden = model(**encoded).last_hidden_state
        if self._pooling == "cls":
            pooled = hidden[:, 0]
        else:
            mask = encoded["attention_mask"].unsqueeze(-1)
            pooled = (hidden * mask).sum(1) / mask.sum(1)
        rows: list[list[float]] = pooled.float().tolist()
        return rows


@contextmanager
def _quiet() -> Iterator[None]:
    """The library's progress bars and reports kept off a command's own output."""
    from transformers.utils import logging

    verbosity, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if shown:
            logging.enable_progress_bar()
