"""Whether the networks learn: each trained on SICK's TRAIN part at small sizes, accuracy on its TRIAL part.

python -m bench.network_learning ../shared/data [--only esim,kim] [--epochs 6] [--seed 1] [--hypothesis-only]
                                 [--pairs 1000]

Three labels, random word vectors of 100 that are updated, Adam at 0.001, 32 pairs a batch in random order; an
encoder begins with its pretrained weights, at its own rate. ``--pairs`` takes so many of TRAIN. The accuracy
is that of the last epoch; nothing is chosen by it. The most frequent label of TRAIN stands beside it.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from workers.networks import NETWORKS, named

ATTENTION = "decomposable-attention,esim,bimpm,kim"
DIMENSIONS = 100
BATCH = 32


def main() -> None:
    """Print a line for each network."""
    parser = argparse.ArgumentParser(description="Accuracy of small networks on SICK's TRIAL part.")
    parser.add_argument("folder", type=Path, help="where sick_corrected.csv lies")
    parser.add_argument("--only", default=ATTENTION, help="keys of networks, separated by commas")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hypothesis-only", action="store_true")
    parser.add_argument("--pairs", type=int, help="learn from so many pairs of TRAIN, drawn at random")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    train, trial = (part_of(options.folder / "sick_corrected.csv", name) for name in ("TRAIN", "TRIAL"))
    if options.pairs:
        train = random.Random(options.seed).sample(train, options.pairs)
    usual = Counter(label for _, label in train).most_common(1)[0][0]
    share = sum(label == usual for _, label in trial) / len(trial)
    print(
        f"{len(train)} pairs to learn from, {len(trial)} to be tried on; always {usual}: {100 * share:.1f} %"
    )
    print(f"{'network':24} {'on TRAIN':>9} {'on TRIAL':>9} {'CPU s':>8}")
    for key in options.only.split(","):
        start = time.process_time()
        learnt, right = learn(key, train, trial, options)
        print(
            f"{key:24} {100 * learnt:8.1f}% {100 * right:8.1f}% {time.process_time() - start:8.0f}",
            flush=True,
        )


def part_of(path: Path, part: str) -> list[tuple[tuple[str, str], str]]:
    """The pairs of one part with their labels."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["SemEval_set"].strip() == part]
    return [((row["sentence_A"], row["sentence_B"]), row["entailment_label"].strip()) for row in rows]


def learn(key: str, train: list[Any], trial: list[Any], options: argparse.Namespace) -> tuple[float, float]:
    """Train one network; the share of TRAIN and of TRIAL that it then has right."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    kind = NETWORKS[key]
    reader = named(kind.reader).fit([pair for pair, _ in train], hypothesis_only=options.hypothesis_only)
    labels = sorted({label for _, label in train})
    parts = {
        name: (reader.examples([pair for pair, _ in rows]), torch.tensor([labels.index(y) for _, y in rows]))
        for name, rows in (("train", train), ("trial", trial))
    }
    source = kind.training.get("vectors", "random")
    vectors = reader.vectors(source=source, dimensions=DIMENSIONS, seed=options.seed)
    sizes = {**kind.sizes, **kind.small}
    network = named(kind.place)(vectors=vectors, labels=len(labels), **sizes)
    network.begins(parts["train"][0])
    rate = kind.training["learning_rate"] if source == "encoder" else 0.001
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)

    def batches(examples: list[Any], order: list[int]) -> Any:
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            yield chosen, network(reader.batch([examples[number] for number in chosen]))

    def accuracy(examples: list[Any], gold: Any) -> float:
        network.eval()
        with torch.no_grad():
            right = [
                (logits.argmax(1) == gold[some]).sum()
                for some, logits in batches(examples, list(range(len(examples))))
            ]
        network.train()
        return float(sum(right)) / len(examples)

    examples, gold = parts["train"]
    for _epoch in range(options.epochs):
        for chosen, logits in batches(examples, torch.randperm(len(examples)).tolist()):
            optimizer.zero_grad()
            functional.cross_entropy(logits, gold[chosen]).backward()
            optimizer.step()
    return accuracy(*parts["train"]), accuracy(*parts["trial"])


if __name__ == "__main__":
    main()
