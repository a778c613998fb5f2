"""What products in bfloat16 gain while an encoder learns, and what they cost it.

    python -m bench.precision [--pairs 3000] [--epochs 2]

MiniLM learns from systematicity's pairs of depth 1, in float32 and in bfloat16 in turn, on one thread,
as an experiment's trainings do; beside the seconds stands what it has right of as many pairs that it did not
see. On a processor without such products (AVX-512 BF16, AMX) bfloat16 gains nothing. Needs `make neural`.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from pathlib import Path
from typing import Any


def main() -> None:
    """Print a line for each precision, and the ratio of their seconds."""
    parser = argparse.ArgumentParser(description="An encoder's training in float32 and in bfloat16.")
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--epochs", type=int, default=2)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    material = drawn(options.pairs)
    print(f"{options.pairs} pairs, {options.epochs} epochs\n{'precision':10} {'s':>7} {'right':>7}")
    seconds = {}
    for precision in ("float32", "bfloat16"):
        seconds[precision], right = learn(material, precision, options.epochs)
        print(f"{precision:10} {seconds[precision]:7.1f} {100 * right:6.1f}%", flush=True)
    print(f"float32 / bfloat16: {seconds['float32'] / seconds['bfloat16']:.2f}")


def drawn(pairs: int) -> Any:
    """So many rows to learn from, and as many to be tested on."""
    from natlog.fragments.systematicity import draw
    from workers.networks.trainer import Material, Row

    labels = ("entailment", "non-entailment")
    rows = [
        Row(item.premise, item.hypothesis, labels[not item.entails], source="D1")
        for item in draw(2 * pairs, 1, 1)
    ]
    random.Random(1).shuffle(rows)
    return Material(labels, tuple(rows[:pairs]), (), tuple(rows[pairs:]))


def learn(material: Any, precision: str, epochs: int) -> tuple[float, float]:
    """The seconds of all epochs, and the share of the test that is right."""
    from workers.networks.options import Options
    from workers.networks.trainer import Trained, prepare, train

    options = Options.of(
        "minilm",
        {"epochs": epochs, "patience": 0, "batch": 16, "learning_rate": 1e-4, "precision": precision},
    )
    with tempfile.TemporaryDirectory() as folder:
        prepared: Any
        *_, prepared = prepare(material, options)
        *_, trained = train(prepared, options, 1, Path(folder))
    assert isinstance(trained, Trained)
    right, pairs = trained.scores["D1"]["all"]
    return sum(epoch.seconds for epoch in trained.epochs), right / pairs


if __name__ == "__main__":
    main()
