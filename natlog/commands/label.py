"""``python -m natlog label``: judge premise–hypothesis pairs by the monotonicity calculus."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from natlog.commands.pair_options import BAD_INPUT, add_options, labeller, probability, progress
from natlog.pairs import LeftOut, Pair, PairFileError, read_pairs

if TYPE_CHECKING:
    from natlog.calculus import Verdict

NOT_READ = "not read"
"""The label of a pair that the calculus does not read."""

NOT_SURE = "not sure"
"""The label of a pair whose verdict is below the confidence asked for."""

COLUMNS = ("premise", "hypothesis", "label", "direction", "tags", "confidence", "reason")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "label",
        help="label pairs with the monotonicity calculus",
        description="Read pairs (TSV or CSV with sentence1 and sentence2, JSON lines, two bare columns, "
        "FraCaS XML) and print a TSV: " + ", ".join(COLUMNS) + ". A pair, or a problem of several premises, "
        f"that the calculus does not read has the label '{NOT_READ}' and what was not read as its reason.",
    )
    parser.add_argument("pairs", metavar="PAIRS", help="the file; - is standard input")
    parser.add_argument(
        "--style",
        choices=("natlog", "mnli"),
        default="natlog",
        help="mnli writes neutral for non-entailment, - for not read and not sure",
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines, edits included")
    parser.add_argument(
        "--at-least",
        type=probability,
        default=0.0,
        metavar="P",
        help=f"verdicts of a confidence below P are '{NOT_SURE}' (default: all are given)",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Label; 0, or 2 where a file, the convention or the pipeline can't be used."""
    from natlog.lexicon.embedding import EmbeddingError
    from natlog.lexicon.words import SupplementError

    try:
        left_out: list[LeftOut] = []
        pairs = read_pairs(args.pairs, left_out)
        engine = labeller(args)
    except (PairFileError, SupplementError, EmbeddingError, LookupError, OSError) as error:
        print(f"label: {error}", file=sys.stderr)
        return BAD_INPUT
    verdicts = progress(
        engine.label_many((pair.premise, pair.hypothesis) for pair in pairs), len(pairs), "pairs"
    )
    records = (
        _record(pair, verdict, args.style, args.at_least)
        for pair, verdict in zip(pairs, verdicts, strict=True)
    )
    unread, unsure = _print(chain(records, (_unlabelled(item, args.style) for item in left_out)), args.json)
    of_all = f"of {len(pairs) + len(left_out)}"
    if unread:
        print(f"label: {unread} {of_all} not read", file=sys.stderr)
    if unsure:
        print(f"label: {unsure} {of_all} not sure (confidence below {args.at_least:g})", file=sys.stderr)
    return 0


def _print(records: Iterable[dict[str, Any]], as_json: bool) -> tuple[int, int]:
    """Print every record; how many of them were not read, and how many were not sure enough."""
    writer = csv.writer(
        sys.stdout,
        delimiter="\t",
        lineterminator="\n",
        quoting=csv.QUOTE_NONE,
        quotechar=None,
        escapechar="\\",
    )
    if not as_json:
        writer.writerow(COLUMNS)
    unread = unsure = 0
    for record in records:
        unread += bool(record["unread"])
        unsure += not record["sure"]
        if as_json:
            print(json.dumps(record, ensure_ascii=False))
            continue
        row = [record[name] for name in COLUMNS]
        row[COLUMNS.index("tags")] = ",".join(record["tags"])
        writer.writerow(" ".join(str(value).split()) for value in row)
    return unread, unsure


def _record(pair: Pair, verdict: Verdict, style: str, at_least: float = 0.0) -> dict[str, Any]:
    from natlog.calculus.confidence import doubts
    from natlog.tree import to_dict

    sure = not verdict.read or verdict.confidence >= at_least
    label = _styled((verdict.label if sure else NOT_SURE) if verdict.read else NOT_READ, style)
    account = {**to_dict(verdict), "label": label, "sure": sure}
    account["doubts"] = list(doubts(verdict.evidence)) if verdict.evidence else []
    return {"premise": pair.premise, "hypothesis": pair.hypothesis, **account}


def _unlabelled(item: LeftOut, style: str) -> dict[str, Any]:
    from natlog.calculus import Verdict

    verdict = Verdict(
        "non-entailment", "", (), 0.0, f"not read: {item.why}", monotonicity=False, unread=(item.why,)
    )
    return _record(Pair(" ".join(item.premises), item.hypothesis, line=item.line), verdict, style)


def _styled(label: str, style: str) -> str:
    return (
        {"non-entailment": "neutral", NOT_READ: "-", NOT_SURE: "-"}.get(label, label)
        if style == "mnli"
        else label
    )
