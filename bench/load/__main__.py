"""Measure annotators at work and print tables; docs/load.md says how and what came out.

python -m bench.load --annotators 8 --seconds 10 --database sqlite --against none --only load
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from . import at_once, polarlab, table
from .browser import BenchError
from .databases import database, why_not
from .doccano import Doccano
from .label_studio import LabelStudio
from .loop import measure
from .pairs import pairs_of
from .processes import memory_mb
from .rivals import Rival

SERVER = "postgres://postgres@127.0.0.1:5432"
RIVALS: dict[str, type[Rival]] = {"doccano": Doccano, "label-studio": LabelStudio}
LIMITS = (1, 3)
TARGET = 3
PEOPLE_OF_EXPORT = 3
PARTS = ("load", "at-once", "export", "large")


def main() -> None:
    options = _options()
    # So that a bench that is told to stop ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to stop"))
    with tempfile.TemporaryDirectory(prefix="polarlab-load-") as name:
        folder = Path(name)
        rivals = list(_rivals(options, folder))
        if "postgresql" in options.database and (reason := why_not(options.postgres)):
            print(f"PostgreSQL skipped: {reason}")
            options.database.remove("postgresql")
        if "load" in options.only:
            _load(options, folder, rivals)
        if "at-once" in options.only:
            _at_once(options, folder, rivals)
        if "export" in options.only:
            _export(options, folder, rivals)
        if "large" in options.only:
            _large(options, folder)


def _rivals(options: argparse.Namespace, folder: Path) -> Iterator[Rival]:
    """Those that are asked for and can be installed, with their environments in place."""
    for name in options.against:
        rival = RIVALS[name](options.cache, folder)
        if reason := rival.install():
            print(f"{rival.name} skipped: {reason}")
        else:
            yield rival


@contextmanager
def _place(
    options: argparse.Namespace, folder: Path, kind: str, items: int
) -> Iterator[tuple[polarlab.Installation, int]]:
    """Polarlab on a fresh database with a dataset of so many pairs."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as own,
        database(kind, "polarlab_load", Path(own), options.postgres) as (url, name),
    ):
        place = polarlab.installation(kind, url, name, Path(own))
        most = max(*options.annotators, at_once.PEOPLE)
        yield place, place.do("fill", items=items, pairs=options.pairs, annotators=most)["dataset"]


def _load(options: argparse.Namespace, folder: Path, rivals: Sequence[Rival]) -> None:
    print(f"\nClosed loop on {options.items:,} pairs, no time to think, {options.seconds:g} s a row\n")
    table.load_heading()
    for kind in options.database:
        with _place(options, folder, kind, options.items) as (place, dataset):
            for script in options.script:
                for annotators in options.annotators:
                    made = polarlab.campaign(place, dataset, annotators)
                    table.load_row(polarlab.load(place, made, options.seconds, script=script))
    for rival in rivals:
        for kind in options.database:
            _served(options, folder, rival, kind, partial(_rival_load, options, rival, kind))


def _rival_load(options: argparse.Namespace, rival: Rival, kind: str, name: str) -> None:
    """A project of its own for each row."""
    pairs = pairs_of(options.items, Path(options.pairs) if options.pairs else None)
    for annotators in options.annotators:
        project = rival.add_project(pairs, TARGET)
        people = rival.annotators(project, annotators)
        meter = (rival.roots, name)
        row = measure(people, program=rival.name, database=kind, meter=meter, seconds=options.seconds)
        row.memory = memory_mb(rival.roots)
        stored, beyond = rival.stored(project), rival.beyond(project, TARGET)
        row.check = "ok" if stored == row.accepted else f"{row.accepted} accepted, {stored} stored"
        row.check += f", {beyond} items beyond" if beyond else ""
        table.load_row(row)


def _at_once(options: argparse.Namespace, folder: Path, rivals: Sequence[Rival]) -> None:
    print(f"\n{at_once.PEOPLE} people ask and send in one instant, {options.rounds} rounds\n")
    table.at_once_heading()
    for kind in options.database:
        with _place(options, folder, kind, 1) as (place, _dataset):
            for limit in LIMITS:
                table.at_once_row(at_once.polarlab(place, limit, options.rounds))
    for rival in rivals:
        for kind in options.database:
            _served(options, folder, rival, kind, partial(_rival_at_once, options, rival, kind))


def _rival_at_once(options: argparse.Namespace, rival: Rival, kind: str, _name: str) -> None:
    if isinstance(rival, LabelStudio):
        for limit in LIMITS:
            table.at_once_row(at_once.label_studio(rival, kind, limit, options.rounds))
    elif isinstance(rival, Doccano):
        table.at_once_row(at_once.doccano(rival, kind, options.rounds))


def _export(options: argparse.Namespace, folder: Path, rivals: Sequence[Rival]) -> None:
    print(f"\n{options.items:,} pairs with three judgements each, from the request to the file\n")
    table.export_heading()
    for kind in options.database:
        with _place(options, folder, kind, 1) as (place, _dataset), place.working():
            table.export_row("Polarlab, a release", kind, place.do("export", items=options.items))
    for rival in rivals:
        for kind in options.database:
            _served(options, folder, rival, kind, partial(_rival_export, options, rival, kind))


def _rival_export(options: argparse.Namespace, rival: Rival, kind: str, _name: str) -> None:
    project = rival.add_answered(pairs_of(options.items), PEOPLE_OF_EXPORT)
    begin = time.perf_counter()
    size = rival.export(project, rival.folder / "export")
    found = {"seconds": time.perf_counter() - begin, "bytes": size, "pairs": options.items}
    table.export_row(rival.name, kind, found | {"judgements": options.items * PEOPLE_OF_EXPORT})


def _large(options: argparse.Namespace, folder: Path) -> None:
    sizes = f"{options.items:,} pairs, and with {options.large:,} that have five answers each"
    print(f"\n{at_once.PEOPLE} annotators with {sizes}\n")
    table.load_heading()
    for kind in options.database:
        with _place(options, folder, kind, options.items) as (place, dataset):
            for script in options.script:
                small = polarlab.campaign(place, dataset, at_once.PEOPLE)
                table.load_row(polarlab.load(place, small, options.seconds, script=script))
            made = place.do("large", items=options.large, annotators=at_once.PEOPLE)
            for script in options.script:
                made["links"] = place.do("links", annotators=at_once.PEOPLE)
                row = polarlab.load(place, made, options.seconds, script=script, name="Polarlab, large")
                table.load_row(row)


def _served(
    options: argparse.Namespace, folder: Path, rival: Rival, kind: str, use: Callable[[str], None]
) -> None:
    """``use`` a program's server on a fresh database, with people; it is given the database's name.

    What goes wrong with a program that is only compared with is said, and the rest is measured.
    """
    base = rival.home.name.replace("-", "_")
    try:
        with database(kind, base, folder, options.postgres) as (url, name), rival.serving(url):
            rival.add_people(max(*options.annotators, at_once.PEOPLE))
            use(name)
    except (BenchError, RuntimeError, OSError) as error:
        print(f"{rival.name} on {kind} left out: {str(error).strip().splitlines()[-1]}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Annotators at work, measured.")
    parser.add_argument("--annotators", type=_numbers, default=[1, 8, 32], help="1,8,32")
    parser.add_argument("--seconds", type=float, default=8, help="of each row, after a fifth to warm up")
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--pairs", default="", help="a table with sentence1 and sentence2; else made pairs")
    parser.add_argument(
        "--database", type=_kinds, default=["sqlite", "postgresql"], help="sqlite, postgresql, both"
    )
    parser.add_argument(
        "--postgres", default=SERVER, help="the server on which the bench makes its databases"
    )
    parser.add_argument(
        "--script",
        type=_modes,
        default=[True, False],
        help="on, off, both: an answer and the next card in one",
    )
    parser.add_argument("--against", type=_names, default=list(RIVALS), help="doccano,label-studio or none")
    parser.add_argument("--cache", type=Path, default=_cache(), help="where their environments are kept")
    parser.add_argument("--rounds", type=int, default=20, help="of people who ask at once")
    parser.add_argument(
        "--large", type=int, default=200_000, help="items of the large case, five answers each"
    )
    parser.add_argument("--only", type=_names, default=list(PARTS), help=",".join(PARTS))
    options = parser.parse_args()
    if unknown := {*options.only, *options.against} - {*PARTS, *RIVALS}:
        sys.exit(f"not known: {', '.join(sorted(unknown))}")
    return options


def _cache() -> Path:
    return Path(os.environ.get("POLARLAB_VAR") or "var").resolve() / "bench"


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _names(text: str) -> list[str]:
    return [] if text == "none" else text.split(",")


def _kinds(text: str) -> list[str]:
    return ["sqlite", "postgresql"] if text == "both" else [text]


def _modes(text: str) -> list[bool]:
    return {"on": [True], "off": [False], "both": [True, False]}[text]


if __name__ == "__main__":
    main()
