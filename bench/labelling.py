"""Score and time the calculus on the yardsticks; print a table.

    python -m bench.labelling ../shared/data [--embedding FOLDER]

Rules are tuned on the even half of each file; the odd half is only reported. Pairs of the same two
sentences, either way round, stay in one half. With a sentence encoder's folder, also with its opinion on
words that no other source relates (needs `make neural`).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from natlog.calculus import Labeller
from natlog.pair_scores import PairScores, half, score
from natlog.pairs import Pair, read_pairs

YARDSTICKS = (
    ("MED_dev.tsv", 2, ""),
    ("nmonli_dev.jsonl", 2, ""),
    ("pmonli_dev.jsonl", 2, ""),
    ("fragments_monotonicity_simple_dev.jsonl", 3, ""),
    ("fragments_monotonicity_hard_dev.jsonl", 3, ""),
    ("fracas.xml", 2, "1 generalized quantifiers"),
)
SETTINGS: dict[str, dict[str, object]] = {
    "as shipped": {},
    "without supplement": {"supplement": False},
    "unknown = independent": {"unknown": "independent"},
}


def measure(engine: Labeller, pairs: list[Pair], labels: int) -> tuple[PairScores, float]:
    """Scores, and pairs a second, parsing included."""
    begin = time.perf_counter()
    verdicts = list(engine.label_many((pair.premise, pair.hypothesis) for pair in pairs))
    return score(pairs, verdicts, labels), len(pairs) / (time.perf_counter() - begin)


def cell(scores: PairScores) -> str:
    """Accuracy, and by direction where the file names one."""
    parts = [f"{100 * (scores.all.accuracy or 0):.1f}"]
    parts += [f"{name[:4]} {100 * (share.accuracy or 0):.1f}" for name, share in scores.directions.items()]
    return ", ".join(parts)


def main(folder: Path, embedding: Path | None = None) -> None:
    """Print the table."""
    settings: dict[str, dict[str, object]] = dict(SETTINGS)
    if embedding is not None:
        settings["with embedding"] = {"embedding": embedding}
        settings["unknown = independent, with embedding"] = {"unknown": "independent", "embedding": embedding}
    print("| yardstick | setting | all | even half | odd half | pairs/s |")
    print("|---|---|---|---|---|---|")
    for name, labels, genre in YARDSTICKS:
        pairs = [pair for pair in read_pairs(str(folder / name)) if pair.label and genre in pair.genre]
        for title, options in settings.items():
            engine = Labeller(convention="med", **options)  # type: ignore[arg-type]
            engine.label("A dog barks.", "An animal barks.")
            whole, speed = measure(engine, pairs, labels)
            halves = [measure(engine, half(pairs, which), labels)[0] for which in ("even", "odd")]
            cells = " | ".join(cell(scores) for scores in (whole, *halves))
            print(f"| {name} ({whole.all.n}) | {title} | {cells} | {speed:.0f} |", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--embedding", type=Path, metavar="FOLDER")
    given = arguments.parse_args()
    main(given.folder, given.embedding)
