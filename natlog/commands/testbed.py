"""``python -m natlog testbed``: generate the data of a testbed."""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from natlog.fragments.testbeds import Item, Testbed

BAD_INPUT = 2
NAMES = ("systematicity", "sygns", "transitivity")
_DESCRIPTION = """Generate the data of a testbed: monotonicity pairs (systematicity), sentences with their
meanings (sygns), pairs with clause-embedding verbs (transitivity). The same seed makes the same bytes. The
columns are in
docs/natlog-testbeds.md, and printed by --columns."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("testbed", help="generate a testbed's data", description=_DESCRIPTION)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument(
        "--n", type=int, default=1000, metavar="N", help="how many rows (default: %(default)s)"
    )
    parser.add_argument(
        "--depth",
        type=int,
        metavar="D",
        help="systematicity: embedded clauses and the main one, 1 to 5; sygns: relative clauses, 0 to 4; "
        "transitivity: at most so many connectives, 1 to 6 (default: all)",
    )
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--variant",
        choices=("plain", "fronted adverb", "fronted preposition", "object"),
        default="plain",
        help="systematicity: the frame of an extra test set (default: %(default)s)",
    )
    parser.add_argument(
        "--frames",
        choices=("someone", "forty"),
        default="someone",
        help='transitivity: "Someone f that s", or forty other main clauses in turn (default: %(default)s)',
    )
    parser.add_argument(
        "--pairs",
        metavar="FILE",
        help="transitivity: embed the labelled pairs of this file, not Boolean ones",
    )
    parser.add_argument(
        "--part",
        metavar="COLUMN=VALUE",
        help="only the file's rows with this value (SICK: SemEval_set=TRAIN)",
    )
    parser.add_argument(
        "--check",
        nargs="?",
        choices=("marks", "counting"),
        const="marks",
        help="prove what each row claims, and say what came of it; the exit code is 1 where one is refuted. "
        "counting takes the numbers of systematicity's quantifiers as numbers",
    )
    parser.add_argument("--columns", action="store_true", help="say what the columns hold, and stop")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Generate; 0, 1 where a check fails, or 2 where an option can't be used."""
    from natlog.fragments.drawing import TooFew
    from natlog.fragments.testbeds import TESTBEDS
    from natlog.pairs import PairFileError

    testbed = TESTBEDS[args.name]
    if args.columns:
        for column, says in testbed.columns.items():
            print(f"{column:12} {says}")
        return 0
    if args.n < 1:
        return _refuse("--n: at least one row is wanted")
    if args.depth is not None and args.depth not in testbed.depths:
        return _refuse(f"--depth: {args.name} has depths {testbed.depths[0]} to {testbed.depths[-1]}")
    try:
        # All is drawn before anything is written, so that a refusal leaves no half file.
        items = list(_items(args, testbed))
        with ExitStack() as stack:
            out = (
                stack.enter_context(args.out.open("w", encoding="utf-8", newline=""))
                if args.out
                else sys.stdout
            )
            writer = csv.writer(
                out,
                delimiter="\t",
                lineterminator="\n",
                quoting=csv.QUOTE_NONE,
                quotechar=None,
                escapechar="\\",
            )
            writer.writerow(testbed.columns)
            writer.writerows((number, *item.row()) for number, item in enumerate(items, 1))
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}")
    except (TooFew, PairFileError, LookupError) as error:
        return _refuse(str(error))
    return _checked(items, args.check) if args.check else 0


def _items(args: argparse.Namespace, testbed: Testbed) -> Iterator[Item]:
    """The items that the options ask for."""
    from natlog.fragments import embedding, naturalistic, systematicity, transitivity

    if args.name == systematicity.NAME:
        return systematicity.draw(args.n, args.depth, args.seed, args.variant)
    if args.name != transitivity.NAME:
        return testbed.draw(args.n, args.depth, args.seed)
    frames = embedding.templates() if args.frames == "forty" else (embedding.someone(),)
    if not args.pairs:
        return transitivity.draw(args.n, args.depth, args.seed, frames)
    from natlog.parsing import load_parser

    pairs = naturalistic.pairs_of(args.pairs, args.part)
    return naturalistic.draw(pairs, load_parser(), args.n, args.seed, frames)


def _refuse(why: str) -> int:
    print(f"testbed: {why}", file=sys.stderr)
    return BAD_INPUT


def _checked(items: list[Item], kind: str) -> int:
    """Prove the claims of the items and say on standard error what came of it; 1 where one is refuted."""
    from natlog.fragments.claims import Finding, examine
    from natlog.fragments.systematicity import Item as Pair
    from natlog.logic.prover import Prover

    prover, counts = Prover(), Counter[str]()
    for number, item in enumerate(items, 1):
        for claim in (
            item.claims("counting") if isinstance(item, Pair) and kind == "counting" else item.claims()
        ):
            found = examine(claim, prover)
            counts[found.value] += 1
            if found is not Finding.CONFIRMED:
                print(f"testbed: row {number} is {found.value}", file=sys.stderr)
    for value, count in sorted(counts.items()):
        print(f"{count:8} proofs: {value}", file=sys.stderr)
    return int(counts[Finding.REFUTED.value] > 0)
