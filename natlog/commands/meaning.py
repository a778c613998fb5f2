"""``python -m natlog meaning``: sentences of a fragment in, their meanings out."""

from __future__ import annotations

import argparse
import csv
import sys

from natlog.commands.lines import InputError, read_lines

BAD_INPUT = 2
FRAGMENTS = ("systematicity", "sygns", "transitivity")
_DESCRIPTION = """Read one sentence of the fragment a line and print a TSV: sentence, fol (NLTK's notation),
clf (clauses of the DRS, [SEP] between them), vf (variable-free, Polish), polarity (word:up or word:down for
each predicate) and tags; - where the fragment has no such form. A sentence outside the fragment is refused
with its line and word on standard error, and the exit code is 2; the others are printed."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "meaning",
        help="what sentences of a fragment mean",
        description=_DESCRIPTION,
    )
    parser.add_argument("fragment", choices=FRAGMENTS)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="default: standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print meanings; 0, or 2 where a sentence or the file can't be read."""
    from natlog.fragments.grammar import load
    from natlog.fragments.meanings import COLUMNS, meaning_of_sentence
    from natlog.fragments.parsing import OutsideFragment

    grammar = load(args.fragment)
    writer = csv.writer(
        sys.stdout,
        delimiter="\t",
        lineterminator="\n",
        quoting=csv.QUOTE_NONE,
        quotechar=None,
        escapechar="\\",
    )
    writer.writerow(COLUMNS)
    code = 0
    try:
        for number, line in enumerate(read_lines(args.file), 1):
            if not line.strip():
                continue
            try:
                writer.writerow(meaning_of_sentence(grammar, line.strip()).row())
            except OutsideFragment as error:
                print(f"meaning: line {number}, {error}", file=sys.stderr)
                code = BAD_INPUT
    except InputError as error:
        print(f"meaning: {error}", file=sys.stderr)
        return BAD_INPUT
    return code
