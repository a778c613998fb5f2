"""``python -m natlog compare``: where the CCG and the dependency route disagree about polarity."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from natlog.commands.derivations import read_derivations
from natlog.commands.lines import InputError
from natlog.commands.polarize import BAD_INPUT, add_marking_options, chosen_parser

if TYPE_CHECKING:
    from natlog.parsing.ccg import DerivationError
    from natlog.polarity.comparison import Agreement, Comparison
    from natlog.tree import Tree


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "compare",
        help="compare polarity on CCG derivations with polarity on spaCy parses",
        description="Read CCG derivations (C&C XML, Jigg XML, AUTO), mark the same sentences on both routes, "
        "and print how many tokens agree and the sentences that don't.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="derivation files; - is standard input")
    parser.add_argument("--format", choices=("candc", "jigg", "auto"), help="default: found from the content")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_marking_options(parser, "default")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare; 0, or 2 where a file, the convention or the parser can't be used."""
    from natlog.polarity.comparison import agreement, compare

    trees: list[Tree] = []
    failed: list[DerivationError] = []
    try:
        parser = chosen_parser(args)
        for name in args.files:
            read, unread = read_derivations(name, args.format)
            trees += read
            failed += unread
    except (InputError, LookupError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return BAD_INPUT
    for problem in failed:
        print(f"compare: {problem}", file=sys.stderr)
    comparisons = compare(trees, parser, args.convention)
    counts = agreement(comparisons)
    print(_json(comparisons, counts) if args.json else _text(comparisons, counts))
    return BAD_INPUT if failed else 0


def _text(comparisons: list[Comparison], counts: Agreement) -> str:
    share = counts.token_share
    if share is None:
        return "no sentence to compare"
    lines = [
        f"tokens     {counts.agreeing_tokens} of {counts.tokens} agree ({100 * share:.1f} %)",
        f"sentences  {counts.agreeing_sentences} of {counts.sentences} agree in every token",
    ]
    return "\n".join([*lines, *(f"\n{item}" for item in comparisons if item.differing)])


def _json(comparisons: list[Comparison], counts: Agreement) -> str:
    return json.dumps(
        {
            "tokens": counts.token_share,
            "n": counts.tokens,
            "sentences": counts.sentences,
            "agreeing_sentences": counts.agreeing_sentences,
            "disagreements": [
                {
                    "sentence": item.derivation.tree.text,
                    "tokens": [item.derivation.tree.tokens[index].text for index in item.differing],
                    "ccg": str(item.derivation),
                    "dependencies": str(item.dependencies),
                }
                for item in comparisons
                if item.differing
            ],
        },
        ensure_ascii=False,
        indent=2,
    )
