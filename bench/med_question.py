"""MED's question asked again: what does training in one direction do to the other?

    python -m bench.med_question DATA --machine PAIRS.tsv [--network minilm] [--seeds 3]
        [--base 1500] [--added 600] [--sizes 50,100,200,500] [--ratio-size 500] [--epochs 2]
        [--curve-epochs 4] [--med 0] [--sick 1000] [--only table,curves] [--out FOLDER]
        [--tell] [--draw FIGURE.svg]

SICK with corrected labels (its TRAIN part) stands in for MNLI, pairs of ``python -m natlog generate`` for
HELP. Tables 6 and 7 of MED: SICK alone, with machine-made pairs, and each by the hypothesis alone; Figure 2:
machine-made pairs (i) of upward and (ii) of downward places alone by size, (iii) by the ratio of both at one
size. Everything is tested on MED by direction and on SICK's TEST part, of which nothing is learnt: a pair
with the same sentences, or a premise, of the test is left out. Each finished cell (one training, one seed) is
a line of ``FOLDER/cells.jsonl``, and what is there is not done again; another protocol is another folder.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from apps.inference.mixing import DOWNWARD, UPWARD, Mixture, Overlap, Portion, Row, mix

if TYPE_CHECKING:
    from workers.networks.options import Options
    from workers.networks.trainer import Trained

MED, SICK, MACHINE = "MED", "SICK TEST", "machine-made"
DIRECTIONS = (UPWARD, DOWNWARD, "non-monotone", "all")
#: MED, Tables 6 and 7 (in %): BERT trained on MNLI, and with HELP; "–Hyp" by the hypothesis alone.
PAPER = {
    "MNLI": (82.7, 22.8, 52.7, 44.7),
    "MNLI–Hyp": (34.3, 18.3, 31.5, 24.4),
    "MNLI+HELP": (76.0, 70.3, 59.9, 71.6),
    "MNLI+HELP–Hyp": (61.3, 30.5, 34.9, 41.1),
}


@dataclass(frozen=True)
class Cell:
    """One training set: so many rows of SICK, so many machine-made ones, and their upward share."""

    base: int
    added: int = 0
    upward: float | None = None
    hypothesis_only: bool = False

    @property
    def name(self) -> str:
        parts = [f"SICK {self.base}"] if self.base else []
        if self.added and self.upward is None:
            parts.append(f"machine {self.added}")
        elif self.added:
            parts.append(f"machine {self.added} ↑{100 * (self.upward or 0):g} %")
        return " + ".join(parts) + (", hypothesis alone" if self.hypothesis_only else "")


def cells_of(args: argparse.Namespace) -> list[Cell]:
    """Every cell that is asked for, the table's first."""
    found = []
    if "table" in args.only:
        for alone in (False, True):
            found += [Cell(args.base, hypothesis_only=alone), Cell(args.base, args.added, 0.5, alone)]
        found += [Cell(args.base, args.added, 1.0), Cell(args.base, args.added, 0.0)]
    if "curves" in args.only:
        found += [Cell(0, size, share) for share in (1.0, 0.0) for size in args.sizes]
        found += [Cell(0, args.ratio_size, share) for share in args.ratios]
    return [cell for cell in dict.fromkeys(found) if args.cell in ("", cell.name)]


# ---- Rows -----------------------------------------------------------------------------------


def table_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def two_way(label: str) -> str:
    return "entailment" if label.lower() == "entailment" else "non-entailment"


def sick_rows(data: Path, part: str, source: str) -> list[Row]:
    """A part of SICK with its corrected labels."""
    return [
        Row(row["sentence_A"], row["sentence_B"], two_way(row["entailment_label"]), "", source)
        for row in table_rows(data / "sick_corrected.csv")
        if row["SemEval_set"] == part
    ]


def med_rows(data: Path) -> list[Row]:
    """MED with the direction that stands in a row's genre."""
    ways = {"upward_monotone": UPWARD, "downward_monotone": DOWNWARD, "non_monotone": "non-monotone"}
    return [
        Row(
            row["sentence1"],
            row["sentence2"],
            two_way(row["gold_label"]),
            next((way for word, way in ways.items() if word in row["genre"]), ""),
            MED,
        )
        for row in table_rows(data / "MED_dev.tsv")
    ]


def machine_rows(path: Path) -> list[Row]:
    """What ``python -m natlog generate`` made."""
    return [
        Row(row["sentence1"], row["sentence2"], two_way(row["gold_label"]), row["direction"], MACHINE)
        for row in table_rows(path)
    ]


def some(rows: Sequence[Row], count: int) -> list[Row]:
    """``count`` rows drawn as sets are (0: all), the directions in the proportion that they are there."""
    if not count or count >= len(rows):
        return list(rows)
    found = []
    for way in sorted({row.direction for row in rows}):
        of_way = [row for row in rows if row.direction == way]
        share = round(count * len(of_way) / len(rows))
        mixed = mix(Mixture((Portion("", count=max(2, share)),), validation=0.0), [of_way])
        found += mixed.rows["train"]
    return found


@dataclass(frozen=True)
class Rows:
    """What cells draw from, and what they are tested on."""

    sick: Sequence[Row]
    machine: Sequence[Row]
    test: Sequence[Row]

    def mixed(self, cell: Cell) -> tuple[dict[str, list[Row]], list[Overlap]]:
        """A cell's parts. No validation part: the number of epochs is fixed, as in MED."""
        portions = [Portion("SICK", count=cell.base)] if cell.base else []
        sources = [self.sick] if cell.base else []
        if cell.added:
            portions.append(Portion(MACHINE, count=cell.added, upward=cell.upward))
            sources.append(self.machine)
        mixture = Mixture(tuple(portions), without_premises=True, validation=0.0)
        mixed = mix(mixture, sources, test=self.test)
        return mixed.rows, mixed.overlap


# ---- Training -------------------------------------------------------------------------------


def run(
    cell: Cell, rows: Rows, options: Options, seed: int, place: Path, *, curve_epochs: int
) -> dict[str, Any]:
    """Train and test one cell with one seed; taken up at the last epoch where it was broken off."""
    from workers.networks import trainer

    parts, _overlap = rows.mixed(cell)
    as_rows = {name: tuple(trainer.Row(*row) for row in part) for name, part in parts.items()}
    material = trainer.Material(("entailment", "non-entailment"), **as_rows)
    options = replace(options, hypothesis_only=cell.hypothesis_only)
    if not cell.base:
        options = replace(options, epochs=curve_epochs)
    begun = time.monotonic()
    prepared = next(filter(None, trainer.prepare(material, options)))
    done = max((int(folder.name[6:]) for folder in place.glob("epoch-*")), default=0)
    trained: Trained | None = None
    for told in trainer.train(prepared, options, seed, place, epochs_done=done):
        if isinstance(told, trainer.Trained):
            trained = told
    assert trained is not None
    shutil.rmtree(place)
    return {
        "cell": cell.name,
        "seed": seed,
        "rows": len(material.train),
        "scores": trained.scores,
        "train accuracy": trained.epochs[-1].train_accuracy,
        "seconds": round(time.monotonic() - begun, 1),
    }


def stored(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


# ---- Telling --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """Mean and standard deviation (None of one seed) over seeds, in %."""

    mean: float
    sd: float | None
    seeds: int

    def __str__(self) -> str:
        return f"{self.mean:.1f}" + (f" ± {self.sd:.1f}" if self.sd is not None else "")


def figure(found: Sequence[Mapping[str, Any]], source: str, key: str) -> Figure | None:
    counts = [cell["scores"].get(source, {}).get(key) for cell in found]
    shares = [100 * right / pairs for right, pairs in filter(None, counts)]
    if not shares:
        return None
    return Figure(mean(shares), stdev(shares) if len(shares) > 1 else None, len(shares))


def by_cell(found: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    cells: dict[str, list[Mapping[str, Any]]] = {}
    for one in found:
        cells.setdefault(one["cell"], []).append(one)
    return cells


def table(found: Sequence[Mapping[str, Any]], cells: Sequence[Cell], test: Sequence[Row]) -> Iterator[str]:
    """The results as Markdown, beside the paper's."""
    yield "| trained on | ↑ | ↓ | = | MED | SICK TEST | seeds |"
    yield "|---|---|---|---|---|---|---|"
    for name, shares in PAPER.items():
        yield f"| *paper: BERT, {name}* | {' | '.join(map(str, shares))} | | |"
    for share in ("always entailment", "always non-entailment"):
        shown = [_constant(test, share.removeprefix("always "), MED, way) for way in DIRECTIONS]
        shown.append(_constant(test, share.removeprefix("always "), SICK, "all"))
        yield f"| *{share}* | {' | '.join(shown)} | |"
    grouped = by_cell(found)
    for cell in cells:
        of_cell = grouped.get(cell.name, [])
        if of_cell:
            shown = [str(figure(of_cell, MED, way) or "–") for way in DIRECTIONS]
            shown += [str(figure(of_cell, SICK, "all") or "–"), str(len(of_cell))]
            yield f"| {cell.name} | {' | '.join(shown)} |"


def _constant(test: Sequence[Row], label: str, source: str, way: str) -> str:
    rows = [row for row in test if row.source == source and way in ("all", row.direction)]
    return f"{100 * sum(row.label == label for row in rows) / len(rows):.1f}" if rows else "–"


# ---- The command ----------------------------------------------------------------------------


def main() -> None:
    args = _arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from workers.networks.options import Options

    test = [*some(med_rows(args.data), args.med), *some(sick_rows(args.data, "TEST", SICK), args.sick)]
    rows = Rows(sick_rows(args.data, "TRAIN", "SICK"), machine_rows(args.machine), test)
    given = {"epochs": args.epochs, "patience": 0, "threads": args.threads, "batch": args.batch}
    if args.learning_rate:
        given["learning_rate"] = args.learning_rate
    options = Options.of(args.network, given, small=True)
    cells = cells_of(args)
    out: Path = args.out
    out.mkdir(parents=True, exist_ok=True)
    _tell_protocol(args, rows, cells, options, out)
    lines = out / "cells.jsonl"
    for seed in range(1, args.seeds + 1):
        for number, cell in enumerate(cells):
            done = {(one["cell"], one["seed"]) for one in stored(lines)}
            if args.tell or (cell.name, seed) in done:
                continue
            result = run(
                cell,
                rows,
                options,
                seed,
                out / f"seed-{seed}-cell-{number}",
                curve_epochs=args.curve_epochs,
            )
            with lines.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result, ensure_ascii=False) + "\n")
            told = {way: str(figure([result], MED, way) or "–") for way in DIRECTIONS}
            print(f"{cell.name}, seed {seed}: {told}, {result['seconds']} s", flush=True)
    found = stored(lines)
    print("\n".join(table(found, cells, test)))
    if args.draw:
        from bench.med_question_plot import draw

        args.draw.write_text(draw(_panels(args, by_cell(found))), encoding="utf-8")


def _panels(
    args: argparse.Namespace, grouped: Mapping[str, Sequence[Mapping[str, Any]]]
) -> list[tuple[str, list[tuple[str, Mapping[str, Figure]]]]]:
    """Figure 2: three panels, each of points with what was reached on MED by direction."""
    panels = []
    for title, cells, names in (
        ("(i) upward alone", [Cell(0, size, 1.0) for size in args.sizes], args.sizes),
        ("(ii) downward alone", [Cell(0, size, 0.0) for size in args.sizes], args.sizes),
        (
            f"(iii) {args.ratio_size} pairs, % upward",
            [Cell(0, args.ratio_size, share) for share in args.ratios],
            [f"{100 * share:g}" for share in args.ratios],
        ),
    ):
        points = []
        for cell, name in zip(cells, names, strict=True):
            found = grouped.get(cell.name, [])
            reached = {way: figure(found, MED, way) for way in (UPWARD, DOWNWARD)}
            if found:
                points.append((str(name), {way: one for way, one in reached.items() if one}))
        panels.append((title, points))
    return panels


def _tell_protocol(
    args: argparse.Namespace, rows: Rows, cells: Sequence[Cell], options: Options, out: Path
) -> None:
    """What is done exactly, beside the cells; another protocol in the same folder is refused."""
    _parts, overlap = rows.mixed(max(cells, key=lambda cell: (cell.base > 0) + (cell.added > 0)))
    protocol = {
        "network": args.network,
        "epochs without SICK": args.curve_epochs,
        "options": options.stored(),
        "test": {source: sum(row.source == source for row in rows.test) for source in (MED, SICK)},
        "cells": [cell.name for cell in cells],
        "overlap": [vars(one) for one in overlap],
    }
    path = out / "protocol.json"
    text = json.dumps(protocol, indent=1, ensure_ascii=False)
    if path.exists() and json.loads(path.read_text("utf-8"))["options"] != protocol["options"]:
        sys.exit(f"{path} is of other options; name another folder by --out")
    path.write_text(text, encoding="utf-8")
    print(text, flush=True)


def _arguments() -> argparse.Namespace:
    def listed(kind: Any) -> Any:
        return lambda text: [kind(part) for part in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of real files")
    parser.add_argument("--machine", type=Path, required=True, help="pairs of python -m natlog generate")
    parser.add_argument("--network", default="minilm")
    parser.add_argument("--out", type=Path, default=Path("var/med_question"))
    parser.add_argument("--base", type=int, default=1500, help="rows of SICK")
    parser.add_argument("--added", type=int, default=600, help="machine-made rows beside them")
    parser.add_argument("--sizes", type=listed(int), default=[50, 100, 200, 500])
    parser.add_argument("--ratio-size", type=int, default=500)
    parser.add_argument("--ratios", type=listed(float), default=[0.0, 0.25, 0.5, 0.75, 1.0])
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--curve-epochs", type=int, default=4, help="of the cells without SICK")
    parser.add_argument("--learning-rate", type=float, help="another than the network's own")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--med", type=int, default=0, help="pairs of MED to be tested on (0: all)")
    parser.add_argument("--sick", type=int, default=1000, help="pairs of SICK TEST (0: all)")
    parser.add_argument("--only", type=listed(str), default=["table", "curves"])
    parser.add_argument("--cell", default="", metavar="NAME", help="one cell alone, by its name")
    parser.add_argument("--tell", action="store_true", help="train nothing, tell what is there")
    parser.add_argument("--draw", type=Path, help="the figure as SVG")
    return parser.parse_args()


if __name__ == "__main__":
    main()
