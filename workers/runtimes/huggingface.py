"""Sequence-classification folders through ``transformers``, on the processor, offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.inference.folders import FolderError, folder_fingerprint, folder_open, missing_libraries
from workers.runtimes.runtime import Output, Unavailable

# Longer pairs are cut, the longer of the two sentences first.
MAXIMUM_TOKENS = 512


class HuggingFace:
    """A model of one folder; ``labels[i]`` is what its output ``i`` means. ValueError for a misfit."""

    chunk = 32

    def __init__(self, path: str, labels: Sequence[str]) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self._torch = torch
        self.labels = tuple(labels)
        self._tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        self._model, loading = AutoModelForSequenceClassification.from_pretrained(
            path,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
        self._model.eval()
        if loading["missing_keys"]:  # the library would fill them at random and go on
            names = ", ".join(sorted(loading["missing_keys"])[:3])
            raise ValueError(_("its weights lack %(names)s") % {"names": names})
        if self._model.config.num_labels != len(self.labels):
            raise ValueError(
                _("it has %(outputs)d outputs, but %(labels)d labels were given")
                % {"outputs": self._model.config.num_labels, "labels": len(self.labels)}
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
            _("The worker cannot run Hugging Face models: %(names)s not installed (“make neural”).")
            % {"names": ", ".join(missing)}
        )
    try:
        folder = folder_open(config["folder"], config["labels"])
    except FolderError as error:
        raise Unavailable(str(error)) from error
    if folder_fingerprint(folder.path) != fingerprint:
        raise Unavailable(
            _("The files of “%(name)s” changed since the model was registered; register it anew.")
            % {"name": config["folder"]}
        )
    try:
        return HuggingFace(str(folder.path), folder.labels)
    except (OSError, ValueError, ImportError) as error:
        raise Unavailable(
            _("“%(name)s” cannot be loaded: %(reason)s") % {"name": config["folder"], "reason": error}
        ) from error
