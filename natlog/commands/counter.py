"""``python -m natlog counter``: DRSs in clausal form against gold ones."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from natlog.commands.lines import InputError, read_lines
from natlog.commands.pair_options import BAD_INPUT

if TYPE_CHECKING:
    from natlog.logic.clause_files import Clause, ClauseList
    from natlog.logic.counter import ClauseMatch, ClauseScore


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "counter",
        help="score DRSs in clausal form against gold ones (COUNTER)",
        description="Precision, recall and F of matching clauses over all DRSs of two files. A DRS is a "
        "clause a line, or clauses with [SEP] between; an empty line ends it.",
    )
    parser.add_argument("given", metavar="PRED", help="the DRSs to score; - is standard input")
    parser.add_argument("gold", metavar="GOLD", help="the gold DRSs, as many and in the same order")
    parser.add_argument(
        "--keep-references",
        action="store_true",
        help="count REF clauses that another clause of the box repeats",
    )
    parser.add_argument(
        "--no-check", action="store_true", help="score DRSs of PRED that are not well-formed, too"
    )
    parser.add_argument("--restarts", type=int, default=12, help="climbs for each DRS (default: 12)")
    parser.add_argument(
        "--clauses", action="store_true", help="show matched and unmatched clauses of each DRS"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, fractions")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score; 0, or 2 where a file is no list of DRSs, or they are not as many."""
    from natlog.logic.counter import compare, total

    try:
        given, gold = _read(args.given), _read(args.gold)
        if len(given) != len(gold):
            raise InputError(f"{args.given} has {len(given)} DRSs, {args.gold} has {len(gold)}")
        if args.restarts < 1:
            raise InputError("--restarts: at least one climb is wanted")
    except InputError as error:
        print(f"counter: {error}", file=sys.stderr)
        return BAD_INPUT
    matches = [
        compare(
            one.clauses,
            other.clauses,
            keep_references=args.keep_references,
            check=not args.no_check,
            restarts=args.restarts,
        )
        for one, other in zip(given, gold, strict=True)
    ]
    if args.clauses and not args.json:
        for number, match in enumerate(matches, 1):
            print(_clauses(number, match))
    print(_shown(total([match.score for match in matches]), len(matches), args.json))
    return 0


def _read(name: str) -> list[ClauseList]:
    from natlog.logic.clause_files import ClauseFileError, parse_clause_lists

    shown = "standard input" if name == "-" else name
    try:
        found = parse_clause_lists(read_lines(name))
    except ClauseFileError as error:
        raise InputError(f"{shown}, {error}") from error
    if not found:
        raise InputError(f"{shown}: no DRS in it")
    return found


def _clauses(number: int, match: ClauseMatch) -> str:
    """A DRS's clauses: = matched with the gold clause beside, - in PRED alone, + in GOLD alone."""
    score = match.score
    lines = [f"DRS {number}: {score.matched} of {score.given} given, {score.gold} gold"]
    width = max((len(_text(one)) for one, _ in match.matched), default=0)
    lines += [f"  = {_text(one):<{width}}   {_text(other)}" for one, other in match.matched]
    lines += [f"  - {_text(clause)}" for clause in match.only_given]
    lines += [f"  + {_text(clause)}" for clause in match.only_gold]
    return "\n".join(lines) + "\n"


def _text(clause: Clause) -> str:
    return " ".join(clause)


def _shown(score: ClauseScore, n: int, as_json: bool) -> str:
    values = {"precision": score.precision, "recall": score.recall, "f": score.f}
    counts = {"matched": score.matched, "given": score.given, "gold": score.gold, "n": n}
    if as_json:
        return json.dumps(values | counts)
    lines = [f"{name:<10}{'–' if value is None else f'{value:.4f}':>7}" for name, value in values.items()]
    return "\n".join([*lines, f"{score.matched} clauses match of {score.given}, gold {score.gold}, {n} DRSs"])
