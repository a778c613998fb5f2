"""ONNX folders through onnxruntime and tokenizers: an encoder without torch."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.inference.folders import FolderError, folder_fingerprint, folder_open
from apps.jobs import signs_of_life
from workers.runtimes.batches import Pace, by_length
from workers.runtimes.runtime import Output, Pending, Unavailable

# Longer pairs are cut, the longer of the two sentences first.
MAXIMUM_TOKENS = 512
# What a batch holds with its padding.
TOKENS_A_BATCH = 512
TOKENS_A_BATCH_ON_A_CARD = 32_768


class Onnx:
    """A model of one folder; ``labels[i]`` is what its output ``i`` means. ValueError for a misfit.

    What the graph may ask for: ``input_ids``, ``attention_mask``, ``token_type_ids``; its first output are
    the logits, one row a pair.
    """

    def __init__(self, path: Path, labels: Sequence[str]) -> None:
        import numpy
        from onnxruntime import InferenceSession, SessionOptions, get_available_providers
        from tokenizers import Tokenizer

        self._numpy = numpy
        self._pace = Pace()
        self.labels = tuple(labels)
        self._tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_longest(path), strategy="longest_first")
        self._filler = _filler(path, self._tokenizer)
        options = SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = 1, 1
        card = [name for name in ("CUDAExecutionProvider",) if name in get_available_providers()]
        # A batch on each thread: small matrices gain less by being divided between them.
        self._side_by_side = 1 if card else settings.MODEL_THREADS
        self._tokens = TOKENS_A_BATCH_ON_A_CARD if card else TOKENS_A_BATCH
        self._session = InferenceSession(
            str(path / "model.onnx"), options, providers=[*card, "CPUExecutionProvider"]
        )
        self._inputs = {item.name: item.type for item in self._session.get_inputs()}
        unknown = self._inputs.keys() - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            raise ValueError(_("it asks for %(names)s") % {"names": ", ".join(sorted(unknown))})
        outputs = self._logits([self._tokenizer.encode("a", "b")]).shape[-1]
        if outputs != len(self.labels):
            raise ValueError(
                _("it has %(outputs)d outputs, but %(labels)d labels were given")
                % {"outputs": outputs, "labels": len(self.labels)}
            )

    @property
    def chunk(self) -> int:
        return self._pace.chunk

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output | Pending]:
        begun = time.perf_counter()
        encoded = self._tokenizer.encode_batch(list(pairs))
        found: dict[int, Output | Pending] = {}
        batches = list(by_length([len(item.ids) for item in encoded], self._tokens))
        with ThreadPoolExecutor(self._side_by_side) as pool:
            for begin in range(0, len(batches), self._side_by_side):
                these = batches[begin : begin + self._side_by_side]
                signs_of_life.item_begins(sum(map(len, these)))
                read = pool.map(self._logits, ([encoded[place] for place in places] for places in these))
                for places, rows in zip(these, read, strict=True):
                    found.update(zip(places, map(self._output, rows), strict=True))
        self._pace.took(len(pairs), time.perf_counter() - begun)
        return [found[place] for place in range(len(pairs))]

    def _logits(self, encoded: Sequence[Any]) -> Any:
        """(pairs, labels)."""
        longest = max(len(item.ids) for item in encoded)
        sources = {
            "input_ids": ([item.ids for item in encoded], self._filler),
            "attention_mask": ([item.attention_mask for item in encoded], 0),
            "token_type_ids": ([item.type_ids for item in encoded], 0),
        }
        fed = {
            name: self._numpy.array(
                [[*row, *[sources[name][1]] * (longest - len(row))] for row in sources[name][0]],
                dtype="int32" if kind == "tensor(int32)" else "int64",
            )
            for name, kind in self._inputs.items()
        }
        return self._session.run(None, fed)[0]

    def _output(self, row: Any) -> Output | Pending:
        numbers = row.astype("float64")
        if not self._numpy.isfinite(numbers).all():
            return Pending(_("the model's outputs are no numbers"))
        powers = self._numpy.exp(numbers - numbers.max())
        scores = dict(zip(self.labels, (powers / powers.sum()).tolist(), strict=True))
        return Output(max(scores, key=lambda label: scores[label]), scores)


def _json(path: Path) -> dict[str, Any]:
    """A small file's object; empty where there is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found if isinstance(found, dict) else {}


def _longest(path: Path) -> int:
    """The number of tokens that the model takes."""
    told = (
        _json(path / "config.json").get("max_position_embeddings"),
        _json(path / "tokenizer_config.json").get("model_max_length"),
    )
    return min(MAXIMUM_TOKENS, *(number for number in told if isinstance(number, int) and number > 0))


def _filler(path: Path, tokenizer: Any) -> int:
    """The number of the token that fills shorter pairs up; the mask hides it."""
    number = _json(path / "config.json").get("pad_token_id")
    return number if isinstance(number, int) else tokenizer.token_to_id("[PAD]") or 0


def load(config: Mapping[str, Any], fingerprint: str) -> Onnx:
    name = {"name": config["folder"]}
    try:
        folder = folder_open(config["folder"], config["labels"], onnx=True)
    except FolderError as error:
        raise Unavailable(str(error)) from error
    if folder_fingerprint(folder.path) != fingerprint:
        raise Unavailable(
            _("The files of “%(name)s” changed since the model was registered; register it anew.") % name
        )
    try:
        return Onnx(folder.path, folder.labels)
    except Exception as error:  # each library has its own: of a bad graph, of a bad tokenizer
        raise Unavailable(_("“%(name)s” cannot be loaded: %(reason)s") % {**name, "reason": error}) from error
