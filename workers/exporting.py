"""An ONNX folder out of a Hugging Face one: written, run beside the original, and kept only if it says the
same."""

from __future__ import annotations

import importlib.util
import json
import shutil
import warnings
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from apps.inference.folders import NEEDED, ModelFolder
from workers.runtimes.huggingface import HuggingFace
from workers.runtimes.onnx import Onnx
from workers.smoke import smoke_sentences

#: The most that a probability may differ by.
CLOSE = 1e-4
OPSET = 17
#: What torch writes the file with; running one does not need it.
WRITER = "onnx"


class ExportError(Exception):
    """Nothing was written, with the reason in words."""


@dataclass(frozen=True)
class Exported:
    """``pairs`` were compared; ``apart`` is the largest difference of probabilities, ``bytes`` the size."""

    pairs: int
    apart: float
    bytes: int


def model_export(folder: ModelFolder, out: Path) -> Exported:
    """Write ``folder`` as an ONNX folder ``out``, which must not be there. Compared on :func:`plain_pairs`:
    the same labels, probabilities within ``CLOSE``; else :class:`ExportError`, and nothing is left behind."""
    missing = [name for name in (*NEEDED, WRITER) if importlib.util.find_spec(name) is None]
    if missing:
        raise ExportError(f"Exporting needs {', '.join(missing)}; “make neural” installs it.")
    if out.exists():
        raise ExportError(f"{out} is there already; nothing is overwritten.")
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = out.with_name(out.name + ".part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    try:
        _write(folder, draft)
        exported = _compared(folder, draft)
        draft.rename(out)
    except ExportError:
        raise
    except Exception as error:  # of torch, of transformers, of onnxruntime: each has its own
        raise ExportError(f"It could not be exported: {type(error).__name__}: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return exported


def plain_pairs() -> list[tuple[str, str]]:
    """Fifty pairs of plain sentences of several lengths, and one that has to be cut."""
    sentences = smoke_sentences()
    pairs = list(product(sentences, sentences))[::2][:49]
    return [*pairs, (" ".join(sentences) * 40, sentences[0])]


def _write(folder: ModelFolder, draft: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder.path, local_files_only=True, trust_remote_code=False)
    if not tokenizer.is_fast:
        raise ExportError("Its tokenizer has no fast form (tokenizer.json), which runs without transformers.")
    model = AutoModelForSequenceClassification.from_pretrained(
        folder.path, local_files_only=True, trust_remote_code=False, use_safetensors=True
    ).eval()
    encoded = tokenizer(*map(list, zip(*plain_pairs()[:2], strict=True)), padding=True, return_tensors="pt")
    names = [name for name in ("input_ids", "attention_mask", "token_type_ids") if name in encoded]

    class Logits(torch.nn.Module):  # type: ignore[misc]
        """The model with its inputs in order, and nothing but logits to say."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: Any) -> Any:
            return self.model(**dict(zip(names, inputs, strict=True))).logits

    axes = {**{name: {0: "pairs", 1: "tokens"} for name in names}, "logits": {0: "pairs"}}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's, on itself; what comes out is compared below
        torch.onnx.export(
            Logits().eval(),
            tuple(encoded[name] for name in names),
            str(draft / "model.onnx"),
            input_names=names,
            output_names=["logits"],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    tokenizer.save_pretrained(draft)
    config = json.loads((folder.path / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = dict(enumerate(folder.labels))
    config["label2id"] = {label: number for number, label in enumerate(folder.labels)}
    (draft / "config.json").write_text(json.dumps(config, indent=1, sort_keys=True), encoding="utf-8")


def _compared(folder: ModelFolder, draft: Path) -> Exported:
    from workers.runtimes.runtime import Output

    pairs, apart = plain_pairs(), 0.0
    wanted = HuggingFace(str(folder.path), folder.labels).predict(pairs)
    for before, after in zip(wanted, Onnx(draft, folder.labels).predict(pairs), strict=True):
        if not isinstance(after, Output) or before.label != after.label:
            raise ExportError(f"The exported model says something else: {before} became {after}.")
        apart = max(apart, *(abs(before.scores[label] - after.scores[label]) for label in before.scores))
    if not apart <= CLOSE:
        raise ExportError(f"The exported model's probabilities are {apart:.2g} off; {CLOSE:g} is allowed.")
    return Exported(len(pairs), apart, (draft / "model.onnx").stat().st_size)
