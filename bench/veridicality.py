"""What the calculus reads, and how much of that is right; print tables.

    python -m bench.veridicality ../shared/data

Rules were tuned on the transitivity file's even rows and on SICK's TRAIN and TRIAL; its odd rows and TEST are
only reported, as are the odd halves of the other files. A pair that is not read counts as non-entailment in
the accuracy of all.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterable
from pathlib import Path

from natlog.calculus import Labeller, Verdict
from natlog.pair_scores import fold, half
from natlog.pairs import LeftOut, Pair, read_pairs

Judged = list[tuple[Pair, Verdict]]


def rows(path: Path, first: str, second: str, label: str, genre: str) -> list[Pair]:
    """The pairs of a table with columns of these names."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Pair(row[first], row[second], row[label].strip().lower(), row[genre]) for row in table]


def judged(engine: Labeller, pairs: Iterable[Pair]) -> Judged:
    """Each pair with its verdict."""
    pairs = list(pairs)
    return list(zip(pairs, engine.label_many((p.premise, p.hypothesis) for p in pairs), strict=True))


def line(name: str, found: Judged, labels: int) -> str:
    """A row: accuracy, share not read, accuracy of what is read, and of what has no unknown word."""

    def accuracy(some: Judged) -> str:
        right = sum(fold(pair.label, labels) == fold(verdict.label, labels) for pair, verdict in some)
        return f"{100 * right / len(some):.1f}" if some else "–"

    read = [item for item in found if item[1].read]
    known = [item for item in read if all(edit.known for edit in item[1].edits)]
    unread = 100 * (len(found) - len(read)) / len(found) if found else 0
    unknown = 100 * (len(read) - len(known)) / len(found) if found else 0
    cells = (accuracy(found), f"{unread:.1f}", accuracy(read), f"{unknown:.1f}", accuracy(known))
    return f"| {name} ({len(found)}) | {' | '.join(cells)} |"


def main(folder: Path) -> None:
    """Print the tables."""
    med, plain = Labeller(convention="med"), Labeller(convention="med", unknown="independent")
    print("| pairs | right of all | not read | right of what is read | unknown word | right of the rest |")
    print("|---|---|---|---|---|---|")
    human = rows(folder / "transitivity_human.tsv", "sentence1", "sentence2", "gold_label", "genre")
    kinds: dict[str, Callable[[Pair], bool]] = {
        "f(s1) → s1": lambda pair: ".fpp." in pair.genre,
        "f(s1) → s2": lambda pair: ".fph." in pair.genre,
    }
    for name, wanted in kinds.items():
        for start, part in ((0, "even"), (1, "odd")):
            found = judged(med, filter(wanted, human[start::2]))
            print(line(f"transitivity, {name}, {part} rows", found, 2), flush=True)
    sick = rows(folder / "sick_corrected.csv", "sentence_A", "sentence_B", "entailment_label", "SemEval_set")
    for part, test in (("TRAIN and TRIAL", False), ("TEST", True)):
        found = judged(plain, (pair for pair in sick if (pair.genre == "TEST") is test))
        for labels in (3, 2):
            print(line(f"SICK corrected, {part}, {labels} labels", found, labels), flush=True)
    for file, labels in (
        ("MED_dev.tsv", 2),
        ("nmonli_dev.jsonl", 2),
        ("pmonli_dev.jsonl", 2),
        ("fragments_monotonicity_simple_dev.jsonl", 3),
        ("fragments_monotonicity_hard_dev.jsonl", 3),
        ("fracas.xml", 3),
    ):
        left_out: list[LeftOut] = []
        pairs = [pair for pair in read_pairs(str(folder / file), left_out) if pair.label]
        for part in ("even", "odd"):
            print(line(f"{file}, {part} half", judged(med, half(pairs, part)), labels), flush=True)
        if left_out:
            print(f"| {file}, listed as not read ({len(left_out)}) | – | 100.0 | – | – | – |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    main(parser.parse_args().folder)
