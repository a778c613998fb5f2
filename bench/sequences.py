"""Networks that write meanings, trained and tested as SyGNS does, at a size that two cores train in minutes.

python bench/sequences.py [modifiers|negation|productivity|embedding|sizes|curves] [--training one]
                          [--network gru] [--forms fol,clf,vf] [--rows 2000] [--test 200] [--epochs 15]
                          [--seed 2] [--set learning_rate=0.003] [--untrained]

A protocol's file (workers/networks/sequences/protocols) says what is trained and tested on; of its presets
``smoke`` gives the network's options. Rows are drawn by the seed. One line a test and form: exact match; G⇒P,
G⇐P and G⇔P by the prover, with how many proofs had not time enough; COUNTER's F; F of upward and downward
words; and how many meanings were none. ``--untrained`` prints the same of the network as it begins.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PROTOCOLS = ROOT / "workers" / "networks" / "sequences" / "protocols"
HEAD = (
    f"{'test':9} {'form':4} {'rows':>5} {'exact':>6} {'G⇒P':>6} {'G⇐P':>6} {'G⇔P':>6} {'open':>4} "
    f"{'COUNTER':>7} {'up':>6} {'down':>6} {'none':>4}"
)
Row = dict[str, str]


def main() -> None:
    """Train the network on each form, and print what it says of the tests."""
    parser = argparse.ArgumentParser(description="SyGNS at a small size.")
    parser.add_argument("protocol", nargs="?", default="modifiers")
    parser.add_argument("--training", help="the name of one; the file's first where it is left out")
    parser.add_argument("--network", default="gru")
    parser.add_argument("--forms", default="fol,clf,vf")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--test", type=int, default=200)
    parser.add_argument("--pool", type=int, default=30_000)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=JSON")
    parser.add_argument("--untrained", action="store_true")
    chosen = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    protocol = tomllib.loads((PROTOCOLS / f"sygns_{chosen.protocol}.toml").read_text("utf-8"))
    parts = dealt(protocol, chosen)
    print({name: len(rows) for name, rows in parts.items()}, f"seed {chosen.seed}", flush=True)
    print(HEAD, flush=True)
    for form in chosen.forms.split(","):
        report(form, parts, chosen)


def dealt(protocol: Mapping[str, Any], chosen: argparse.Namespace) -> dict[str, list[Row]]:
    """The rows of train, validation and each test; no row is in two."""
    names = [training["name"] for training in protocol["trainings"]]
    name = chosen.training or names[0]
    (training,) = [each for each in protocol["trainings"] if each["name"] == name]
    drawn: dict[str, list[Row]] = {}
    taken: set[str] = set()

    def sample(on: Sequence[Mapping[str, Any]], count: int) -> list[Row]:
        found: list[Row] = []
        for each in on:
            if each["set"] not in drawn:
                drawn[each["set"]] = list(rows_of(protocol["sets"][each["set"]], chosen))
            fit = [row for row in drawn[each["set"]] if row["sentence"] not in taken and has(row, each)]
            found += random.Random(chosen.seed).sample(fit, min(count // len(on), len(fit)))
            taken.update(row["sentence"] for row in found)
        random.Random(chosen.seed).shuffle(found)
        return found

    tests = {
        test["name"]: sample(test["on"], chosen.test)
        for test in protocol["tests"]
        if name in test.get("after", names)
    }
    rows = sample(training["on"], chosen.rows + chosen.rows // 10)
    return {"train": rows[: chosen.rows], "validation": rows[chosen.rows :], **tests}


def has(row: Row, selection: Mapping[str, Any]) -> bool:
    """Whether all that a row has in each column is among the selection's values."""
    return all(set(row[column].split(";")) <= set(v) for column, v in selection.get("where", {}).items())


def rows_of(of: Mapping[str, Any], chosen: argparse.Namespace) -> Iterator[Row]:
    """Sentences of a depth with their meanings and phenomena."""
    from natlog.fragments.sygns import phenomena
    from natlog.fragments.testbeds import SYGNS, MeaningItem

    columns = [column for column in SYGNS.columns if column != "id"]
    for item in SYGNS.draw(chosen.pool, of["depth"], chosen.seed):
        assert isinstance(item, MeaningItem)
        yield dict(zip(columns, item.row(), strict=True)) | phenomena(item.derivation)


def report(form: Any, parts: dict[str, list[Row]], chosen: argparse.Namespace) -> None:
    """Train on one form, and print a line for each test."""
    from natlog.logic.meaning_scores import compared, scores
    from natlog.logic.prover import Prover
    from workers.networks.sequences.options import SequenceOptions
    from workers.networks.sequences.trainer import (
        SequenceMaterial,
        SequenceRow,
        SequenceTrained,
        prepare,
        train,
    )

    as_rows = {
        name: tuple(SequenceRow(row["sentence"], row[form], name) for row in rows)
        for name, rows in parts.items()
    }
    tests = [name for name in parts if name not in ("train", "validation")]
    test_rows = tuple(row for name in tests for row in as_rows[name])
    material = SequenceMaterial(form, as_rows["train"], as_rows["validation"], test_rows)
    usual = {"batch": 32, "learning_rate": 0.003 if chosen.network == "gru" else 0.002, "patience": 0}
    usual |= {} if chosen.network == "gru" else {"warmup": 0.1}
    given = {key: json.loads(value) for key, _, value in (each.partition("=") for each in chosen.set)}
    epochs = 0 if chosen.untrained else chosen.epochs
    options = SequenceOptions.of(chosen.network, {**usual, "epochs": epochs, **given}, small=True)
    started, busy = time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as place:
        (trained,) = (
            step
            for step in train(prepare(material), options, chosen.seed, Path(place))
            if isinstance(step, SequenceTrained)
        )
    spent = f"{time.process_time() - busy:.0f} s of processor time, {time.monotonic() - started:.0f} s"
    prover = Prover(seconds=2)
    for name in tests:
        rows = [
            compared(form, said, row.meaning, prover)
            for row, said in zip(material.test, trained.said, strict=True)
            if row.source == name
        ]
        print(line(name, form, scores(rows)), flush=True)
    print(f"{chosen.network}, {trained.parameters:,} parameters, epoch {trained.best} of {epochs}: {spent}\n")


def line(name: str, form: str, found: Any) -> str:
    """One line of the table."""
    proofs = (found.gold_entails, found.entails_gold, found.equivalent)
    cells = [
        f"{name:9} {form:4} {found.rows:5}",
        percent(found.exact / found.rows if found.rows else None),
        *(percent(each.yes / each.rows if each else None) for each in proofs),
        f"{found.equivalent.unknown:4}" if found.equivalent else "   –",
        f" {percent(found.clauses.f if found.clauses else None)}",
        *(percent(each.f if each else None) for each in (found.upward, found.downward)),
        f"{found.faulty:4}",
    ]
    return " ".join(cells)


def percent(share: float | None) -> str:
    """A share in per cent, six letters wide."""
    return "     –" if share is None else f"{100 * share:6.1f}"


if __name__ == "__main__":
    main()
