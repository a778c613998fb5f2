"""``python -m natlog generate``: sentences in, machine-made pairs out."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from natlog.commands.lines import InputError, read_lines
from natlog.commands.pair_options import add_options, labeller, progress

if TYPE_CHECKING:
    from natlog.generation import MadePair, Rejected
    from natlog.generation.choosing import Quota

BAD_INPUT = 2
OPERATIONS = ("substitute", "extend", "shorten", "conjunction", "disjunction")
COLUMNS = (
    "sentence1", "sentence2", "gold_label", "direction", "operation", "kind", "reversed", "sentence", "start",
    "end", "before", "after", "polarity", "relation", "first", "second", "convention", "engine", "version",
    "parser", "seed",
)  # fmt: skip
_DESCRIPTION = """Make pairs in the manner of HELP (Yanaka et al. 2019): put a more general or more specific
word at a polarised place, drop or add a modifier, a conjunct or an alternative; each pair in both directions.
Labels come from the place's polarity; the calculus checks each pair on its own, and what it reads otherwise
is left out. Modifiers that are put in come from the file's own sentences: the more there are, the better."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("generate", help="make pairs out of sentences", description=_DESCRIPTION)
    parser.add_argument("file", metavar="FILE", help="one sentence a line; - is standard input")
    parser.add_argument(
        "--operations", default=",".join(OPERATIONS), metavar="A,B", help="which (default: %(default)s)"
    )
    parser.add_argument(
        "--per-sentence",
        type=int,
        default=2,
        metavar="N",
        help="at most N changes of a sentence, each of which gives two pairs (default: %(default)s)",
    )
    parser.add_argument(
        "--balance",
        type=int,
        metavar="N",
        help="at most N pairs of each operation, direction and label (default: all)",
    )
    parser.add_argument("--seed", type=int, default=0, help="draws the changes (default: %(default)s)")
    parser.add_argument(
        "--rejected", type=Path, metavar="OUT", help="write what was left out, and why, to a file"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of TSV")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make pairs; 0, or 2 where the input or an option can't be used."""
    from natlog.generation import Operation, Options, maker_for
    from natlog.generation.choosing import Quota
    from natlog.lexicon.embedding import EmbeddingError
    from natlog.lexicon.words import SupplementError

    try:
        wanted = frozenset(Operation(name.strip()) for name in args.operations.split(",") if name.strip())
        if args.per_sentence < 1 or (args.balance is not None and args.balance < 1) or not wanted:
            raise ValueError("at least one operation, one change a sentence and one pair a cell are wanted")
        texts = list(dict.fromkeys(line.strip() for line in read_lines(args.file) if line.strip()))
        by = labeller(args)
        rejected = args.rejected.open("w", encoding="utf-8", newline="") if args.rejected else None
    except (InputError, SupplementError, EmbeddingError, LookupError, OSError, ValueError) as error:
        print(f"generate: {error}", file=sys.stderr)
        return BAD_INPUT
    options = Options(wanted, args.per_sentence, args.seed)
    maker, markings = maker_for(texts, by, options)
    quota, why, seen = Quota(args.balance), Counter[str](), set[tuple[str, str]]()
    writer = None if args.json else _writer(sys.stdout, COLUMNS)
    refused = (
        _writer(rejected, ("sentence", "changed", "operation", "kind", "why", "detail")) if rejected else None
    )
    for made in progress(maker.make(markings), len(markings), "sentences"):
        for pair in made.pairs:
            if (pair.premise, pair.hypothesis) in seen or not quota.take(pair):
                continue
            seen.add((pair.premise, pair.hypothesis))
            row = _row(pair)
            if writer is None:
                print(json.dumps(row, ensure_ascii=False))
            else:
                writer.writerow([row[name] for name in COLUMNS])
        why.update(item.why for item in made.rejected)
        if refused:
            refused.writerows(_refused(item) for item in made.rejected)
    if rejected:
        rejected.close()
    _report(quota, why)
    return 0


def _writer(out: IO[str], columns: tuple[str, ...]) -> Any:
    writer = csv.writer(
        out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None, escapechar="\\"
    )
    writer.writerow(columns)
    return writer


def _row(pair: MadePair) -> dict[str, object]:
    from natlog.tree import to_dict

    row: dict[str, object] = to_dict(pair)
    row["sentence1"], row["sentence2"] = row.pop("premise"), row.pop("hypothesis")
    row["gold_label"], row["reversed"] = row.pop("label"), row.pop("is_reversed")
    return {name: row[name] for name in COLUMNS}


def _refused(item: Rejected) -> tuple[str, ...]:
    return item.sentence, item.changed, item.operation, item.kind, item.why, item.detail


def _report(quota: Quota, why: Counter[str]) -> None:
    """What was made and what was left out, on standard error."""
    for (operation, direction, label), count in sorted(quota.taken.items()):
        print(f"{count:7} {operation}, {direction}, {label}", file=sys.stderr)
    for reason, count in why.most_common():
        print(f"{count:7} left out: {reason}", file=sys.stderr)
