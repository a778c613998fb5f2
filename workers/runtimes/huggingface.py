"""Sequence-classification folders through ``transformers``, offline: on a CUDA card, or on the processor.

A chunk's pairs are tokenised once, all together, and read in batches of like lengths.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.inference.folders import FolderError, folder_fingerprint, folder_open, missing_libraries
from apps.jobs import signs_of_life
from workers.runtimes.batches import Pace, by_length
from workers.runtimes.runtime import Output, Unavailable

# Longer pairs are cut, the longer of the two sentences first.
MAXIMUM_TOKENS = 512
# What a batch holds with its padding. More is no quicker on a processor, whose caches are small.
TOKENS_A_BATCH = 512
TOKENS_A_BATCH_ON_A_CARD = 32_768


class HuggingFace:
    """A model of one folder; ``labels[i]`` is what its output ``i`` means. ValueError for a misfit."""

    def __init__(self, path: str, labels: Sequence[str]) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self._torch = torch
        torch.set_num_threads(settings.MODEL_THREADS)
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._pace = Pace()
        self.labels = tuple(labels)
        self._tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        self._model, loading = AutoModelForSequenceClassification.from_pretrained(
            path,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
        self._model.eval().to(self._device)
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
        padding = self._tokenizer.pad_token_id
        self._fillers = {"input_ids": padding, "token_type_ids": self._tokenizer.pad_token_type_id}
        on_a_card = self._device.type == "cuda"
        self._tokens = TOKENS_A_BATCH_ON_A_CARD if on_a_card else TOKENS_A_BATCH
        if padding is None or self._model.config.pad_token_id is None:
            self._tokens = 1  # such a model can't tell padding from words: one pair at a time

    @property
    def chunk(self) -> int:
        return self._pace.chunk

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        if not pairs:
            return []
        begun = time.perf_counter()
        encoded = self._tokenizer(
            [premise for premise, _ in pairs],
            [hypothesis for _, hypothesis in pairs],
            truncation="longest_first",
            max_length=self._length,
            return_attention_mask=True,
        )
        lengths = [len(tokens) for tokens in encoded["input_ids"]]
        found: dict[int, Output] = {}
        for places in by_length(lengths, self._tokens):
            signs_of_life.item_begins(len(places))
            inputs = {
                name: self._padded(name, [rows[place] for place in places]) for name, rows in encoded.items()
            }
            with self._torch.inference_mode():
                logits = self._model(**inputs).logits.float()
                rows = self._torch.softmax(logits, dim=-1).tolist()
            found.update(zip(places, map(self._output, rows), strict=True))
        self._pace.took(len(pairs), time.perf_counter() - begun)
        return [found[place] for place in range(len(pairs))]

    def _padded(self, name: str, rows: Sequence[Sequence[int]]) -> Any:
        """One input of a batch (sequences × the longest's tokens), padded on the tokenizer's side."""
        longest = max(map(len, rows))
        filler = self._fillers.get(name, 0)
        if self._tokenizer.padding_side == "left":
            whole = [[filler] * (longest - len(row)) + list(row) for row in rows]
        else:
            whole = [list(row) + [filler] * (longest - len(row)) for row in rows]
        return self._torch.tensor(whole, device=self._device)

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
