"""``python -m natlog prove``: entailment between formulas, both ways."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from natlog.commands.lines import InputError, read_lines
from natlog.commands.pair_options import BAD_INPUT

if TYPE_CHECKING:
    from natlog.logic.formula import Expression
    from natlog.logic.prover import Prover


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "prove",
        help="prove entailment between formulas, both ways",
        description="Read two TPTP formulas a line with a tab between, and print for each line whether the "
        "second follows from the first, a tab, and whether the first follows from the second: yes, no or "
        "unknown (the time was too short). Empty lines and lines that begin with % are passed over.",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the file; - is standard input")
    parser.add_argument(
        "--prover",
        default="default",
        metavar="NAME",
        help="default (the project's tableau, then Z3), repeatable (the same, bounded by work and not by "
        "time), tableau, z3, e or vampire",
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="the limit for one proof (default: 5)")
    parser.add_argument("--remember", metavar="FILE", help="a file that keeps answers between runs")
    parser.add_argument(
        "--countermodel", action="store_true", help="below each line, a model that shows why not forward"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prove line by line; 0, or 2 where a line is no pair of formulas or the prover can't be used."""
    from pathlib import Path

    from natlog.logic.decision import ProverError
    from natlog.logic.prover import Prover

    try:
        if args.seconds <= 0:
            raise InputError("--seconds: a time above 0 is wanted")
        pairs = list(_pairs(read_lines(args.file), "standard input" if args.file == "-" else args.file))
        if not pairs:
            raise InputError("no formulas found")
        remember = Path(args.remember) if args.remember else None
        prover = Prover(args.prover, seconds=args.seconds, remember=remember)
        for one, other in pairs:
            _print(prover, one, other, args.countermodel)
    except (InputError, LookupError, ProverError, OSError) as error:
        print(f"prove: {error.args[0] if isinstance(error, LookupError) else error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _pairs(lines: Iterable[str], name: str) -> Iterable[tuple[Expression, Expression]]:
    from natlog.logic.notation import NotationError
    from natlog.logic.tptp_notation import parse_sentence

    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("%"):
            continue
        parts = line.split("\t")
        if len(parts) != 2:
            raise InputError(
                f"{name}, line {number}: two formulas with a tab between are wanted, not {len(parts)}"
            )
        formulas, start = [], 0
        for part in parts:
            try:
                formulas.append(parse_sentence(part))
            except NotationError as error:
                place = f"{name}, line {number}, column {start + error.column}"
                raise InputError(f"{place}: {error.reason}") from error
            start += len(part) + 1
        yield formulas[0], formulas[1]


def _print(prover: Prover, one: Expression, other: Expression, countermodel: bool) -> None:
    forward, back = prover.both_ways(one, other)
    print(f"{forward.answer}\t{back.answer}", flush=True)
    if countermodel and forward.countermodel:
        from natlog.logic.model_pictures import to_text

        print("".join(f"  {line}\n" for line in to_text(forward.countermodel).splitlines()), end="")
