"""``python -m natlog label``: judge premise–hypothesis pairs by the monotonicity calculus."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from typing import TYPE_CHECKING

from natlog.commands.pair_options import BAD_INPUT, add_options, labeller, progress
from natlog.pairs import PairFileError, read_pairs

if TYPE_CHECKING:
    from natlog.calculus import Verdict
    from natlog.pairs import Pair

COLUMNS = ("premise", "hypothesis", "label", "direction", "tags", "confidence", "reason")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "label",
        help="label pairs with the monotonicity calculus",
        description="Read pairs (TSV or CSV with sentence1 and sentence2, JSON lines, two bare columns, "
        "FraCaS XML) and print a TSV: " + ", ".join(COLUMNS) + ".",
    )
    parser.add_argument("pairs", metavar="PAIRS", help="the file; - is standard input")
    parser.add_argument(
        "--style", choices=("natlog", "mnli"), default="natlog", help="mnli writes neutral for non-entailment"
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines, edits included")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Label; 0, or 2 where a file, the convention or the pipeline can't be used."""
    from natlog.lexicon.embedding import EmbeddingError
    from natlog.lexicon.words import SupplementError

    try:
        pairs = read_pairs(args.pairs)
        engine = labeller(args)
    except (PairFileError, SupplementError, EmbeddingError, LookupError, OSError) as error:
        print(f"label: {error}", file=sys.stderr)
        return BAD_INPUT
    verdicts = progress(
        engine.label_many((pair.premise, pair.hypothesis) for pair in pairs), len(pairs), "pairs"
    )
    if args.json:
        for pair, verdict in zip(pairs, verdicts, strict=True):
            print(json.dumps(_record(pair, verdict, args.style), ensure_ascii=False))
        return 0
    writer = csv.writer(
        sys.stdout,
        delimiter="\t",
        lineterminator="\n",
        quoting=csv.QUOTE_NONE,
        quotechar=None,
        escapechar="\\",
    )
    writer.writerow(COLUMNS)
    for pair, verdict in zip(pairs, verdicts, strict=True):
        record = _record(pair, verdict, args.style)
        row = [record[name] for name in COLUMNS]
        row[COLUMNS.index("tags")] = ",".join(verdict.tags)
        writer.writerow(" ".join(str(value).split()) for value in row)
    return 0


def _record(pair: Pair, verdict: Verdict, style: str) -> dict[str, object]:
    from natlog.tree import to_dict

    label = "neutral" if style == "mnli" and verdict.label == "non-entailment" else verdict.label
    return {"premise": pair.premise, "hypothesis": pair.hypothesis, **to_dict(verdict), "label": label}
