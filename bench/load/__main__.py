"""Measure annotators at work and print tables; docs/load.md says how and what came out.

python -m bench.load --annotators 8 --seconds 10 --database sqlite --against none
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from . import polarlab, table
from .databases import database, why_not

SERVER = "postgres://postgres@127.0.0.1:5432"


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="polarlab-load-") as folder:
        table.load_heading()
        for kind in options.database:
            if kind == "postgresql" and (reason := why_not(options.postgres)):
                print(f"PostgreSQL skipped: {reason}")
                continue
            with database(kind, "polarlab_load", Path(folder), options.postgres) as (url, name):
                place = polarlab.installation(kind, url, name, Path(folder))
                _load(options, place)


def _load(options: argparse.Namespace, place: polarlab.Installation) -> None:
    most = max(options.annotators)
    dataset = place.do("fill", items=options.items, pairs=options.pairs, annotators=most)["dataset"]
    for script in options.script:
        for annotators in options.annotators:
            table.load_row(polarlab.load(place, dataset, annotators, options.seconds, script=script))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Annotators at work, measured.")
    parser.add_argument("--annotators", type=_numbers, default=[1, 8, 32], help="1,8,32")
    parser.add_argument("--seconds", type=float, default=10, help="of each row, after a fifth to warm up")
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--pairs", default="", help="a table with sentence1 and sentence2; else made pairs")
    parser.add_argument(
        "--database", type=_kinds, default=["sqlite", "postgresql"], help="sqlite, postgresql, both"
    )
    parser.add_argument("--postgres", default=SERVER, help="the server on which the bench makes its database")
    parser.add_argument(
        "--script",
        type=_modes,
        default=[True, False],
        help="on, off, both: an answer and the next card in one",
    )
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _kinds(text: str) -> list[str]:
    return {"both": ["sqlite", "postgresql"]}.get(text) or [text]


def _modes(text: str) -> list[bool]:
    return {"on": [True], "off": [False], "both": [True, False]}[text]


if __name__ == "__main__":
    main()
