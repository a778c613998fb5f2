"""Measure annotators at work and print tables; docs/load.md says how and what came out.

python -m bench.load --annotators 8 --seconds 10 --database sqlite --against none --only load
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from .databases import why_not
from .doccano import Doccano
from .label_studio import LabelStudio
from .rivals import Rival
from .runs import Run

SERVER = "postgres://postgres@127.0.0.1:5432"
RIVALS: dict[str, type[Rival]] = {"doccano": Doccano, "label-studio": LabelStudio}
DATABASES = ("sqlite", "postgresql")
PARTS = ("load", "late", "at-once", "export", "large")


def main() -> None:
    options = _options()
    # So that a bench that is told to stop ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to stop"))
    postgres = "postgresql" in {*options.database, *options.rivals_on}
    if postgres and (reason := why_not(options.postgres)):
        print(f"PostgreSQL skipped: {reason}")
        for kinds in (options.database, options.rivals_on):
            kinds[:] = [kind for kind in kinds if kind != "postgresql"]
    with tempfile.TemporaryDirectory(prefix="polarlab-load-", ignore_cleanup_errors=True) as folder:
        run = Run(options, Path(folder))
        try:
            for kind in options.database:
                run.polarlab(kind)
            for name in options.against:
                _compare(run, RIVALS[name](options.cache, Path(folder)), options.rivals_on)
        finally:
            run.show()


def _compare(run: Run, rival: Rival, kinds: list[str]) -> None:
    if reason := rival.install():
        print(f"{rival.name} skipped: {reason}")
        return
    for kind in kinds:
        run.rival(rival, kind)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Annotators at work, measured.")
    add = parser.add_argument
    add("--only", type=_of(PARTS), default=list(PARTS), help=",".join(PARTS))
    add("--annotators", type=_numbers, default=[1, 8, 32], help="1,8,32")
    add("--seconds", type=float, default=6, help="of each row, after a fifth more to warm up")
    add("--items", type=int, default=5000)
    add("--large", type=int, default=200_000, help="items of the large case, with five answers each")
    add("--rounds", type=int, default=20, help="of people who ask at once")
    add("--pairs", default="", help="a table with the columns sentence1 and sentence2; else made pairs")
    add("--database", type=_of(DATABASES), default=list(DATABASES), help=f"{','.join(DATABASES)} or both")
    add("--postgres", default=SERVER, help="the server on which the bench makes its databases")
    add("--gunicorn", default="", help="options beside the Dockerfile's, to try them")
    add("--script", type=_modes, default=[True, False], help="on, off, both: the page's script at work")
    add("--against", type=_of(tuple(RIVALS)), default=list(RIVALS), help=f"{','.join(RIVALS)} or none")
    add("--rivals-on", type=_of(DATABASES), default=["postgresql"], help="their databases")
    add("--cache", type=Path, default=_cache(), help="where their environments are kept")
    return parser.parse_args()


def _cache() -> Path:
    return Path(os.environ.get("POLARLAB_VAR") or "var").resolve() / "bench"


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _of(known: tuple[str, ...]):
    def names(text: str) -> list[str]:
        words = {"none": [], "both": list(known)}.get(text, text.split(","))
        if unknown := set(words) - set(known):
            raise argparse.ArgumentTypeError(f"not known: {', '.join(sorted(unknown))}")
        return words

    return names


def _modes(text: str) -> list[bool]:
    return {"on": [True], "off": [False], "both": [True, False]}[text]


if __name__ == "__main__":
    main()
