"""Sequence-classification folders through ``transformers``, on the processor, offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.inference.folders import FolderError, folder_fingerprint, folder_open, missing_libraries
from workers.runtimes.runtime import Output, Unavailable

# Longer pairs are cut, the longer of the two sentences first.
MAXIMUM_TOKENS = 512


class HuggingFace:
    """A model of one folder; ``labels[i]`` is what its output ``i`` means."""

    chunk = 32

    def __init__(self, path: str, labels: Sequence[str]) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self._torch = torch
        self.labels = tuple(labels)
        self._tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        self._model = AutoModelForSequenceClassification.from_pretrained(
            path, local_files_only=True, trust_remote_code=False, use_safetensors=True
        ).eval()
        if self._model.config.num_labels != len(self.labels):
            raise Unavailable(
                f"The model has {self._model.config.num_labels} outputs, but {len(self.labels)} labels."
            )
        positions = getattr(self._model.config, "max_position_embeddings", MAXIMUM_TOKENS)
        self._length = min(MAXIMUM_TOKENS, positions, self._tokenizer.model_max_length)

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        encoded = self._tokenizer(
            [premise for premise, _ in pairs],
            [hypothesis for _, hypothesis in pairs],
            padding=True,
            truncation="longest_first",
            max_length=self._length,
            return_tensors="pt",
        )
        with self._torch.inference_mode():
            rows = self._torch.softmax(self._model(**encoded).logits.float(), dim=-1).tolist()
        return [self._output(row) for row in rows]

    def _output(self, probabilities: Sequence[float]) -> Output:
        scores = dict(zip(self.labels, probabilities, strict=True))
        return Output(max(scores, key=lambda label: scores[label]), scores)


def load(config: Mapping[str, Any], fingerprint: str) -> HuggingFace:
    missing = missing_libraries()
    if missing:
        raise Unavailable(
            f"The worker cannot run Hugging Face models: {', '.join(missing)} not installed (“make neural”)."
        )
    try:
        folder = folder_open(config["folder"], config["labels"])
    except FolderError as error:
        raise Unavailable(str(error)) from error
    if folder_fingerprint(folder.path) != fingerprint:
        raise Unavailable(
            f"The files of “{config['folder']}” changed since the model was registered; register it anew."
        )
    try:
        return HuggingFace(str(folder.path), folder.labels)
    except (OSError, ValueError, ImportError) as error:
        raise Unavailable(f"“{config['folder']}” cannot be loaded: {error}") from error
