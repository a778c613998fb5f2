"""What the commands on pairs share: their options, the labeller these make, a progress line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from natlog.calculus import Labeller

Item = TypeVar("Item")

BAD_INPUT = 2


def add_parser_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--parser``, the same in every command that parses."""
    parser.add_argument("--parser", metavar="NAME", help="an installed English spaCy pipeline, or its folder")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the switches of the calculus to a command."""
    parser.add_argument(
        "--convention", default="med", metavar="NAME", help="a set of conventions (default: %(default)s)"
    )
    add_parser_option(parser)
    parser.add_argument("--no-supplement", action="store_true", help="word relations from WordNet alone")
    parser.add_argument(
        "--supplement",
        action="append",
        default=[],
        metavar="FILE",
        type=Path,
        help="more word relations (word TAB relation TAB word TAB source); may be repeated",
    )
    parser.add_argument(
        "--embedding",
        metavar="FOLDER",
        type=Path,
        help="a sentence encoder (Hugging Face folder; needs `make neural`): a vote on words whose "
        "relation no other source knows (default: none)",
    )
    parser.add_argument(
        "--unknown",
        choices=("independent", "specific"),
        help="what to make of words whose relation no source knows: nothing, or, as MED's writers were "
        "asked, something more specific (default: specific for convention med, else independent)",
    )
    parser.add_argument("--no-existential-import", action="store_true", help="let *every* be true of nothing")
    parser.add_argument(
        "--no-coreference", action="store_true", help="don't take *a dog* of both sentences for the same dog"
    )


def probability(text: str) -> float:
    """A number in [0, 1], as an option gives it."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number between 0 and 1")
    return value


def labeller(args: argparse.Namespace) -> Labeller:
    """The labeller that the options ask for. Raises LookupError, OSError, SupplementError, EmbeddingError."""
    from natlog.calculus import Labeller
    from natlog.calculus.labeller import DEFAULT_PARSER
    from natlog.lexicon.conventions import load_convention
    from natlog.lexicon.embedding import Embedding, FolderEncoder
    from natlog.parsing import load_parser

    load_convention(args.convention)
    load_parser(args.parser or DEFAULT_PARSER)
    encoder = FolderEncoder(args.embedding) if args.embedding else None
    if encoder is not None:
        encoder.load()  # so that bad weights are named before anything is printed
    return Labeller(
        parser=args.parser or DEFAULT_PARSER,
        convention=args.convention,
        supplement=not args.no_supplement,
        existential_import=not args.no_existential_import,
        coreference=not args.no_coreference,
        unknown=args.unknown,
        extra=args.supplement,
        embedding=Embedding(encoder) if encoder is not None else None,
    )


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass the items on, counting them on a terminal (never into a file or pipe)."""
    shown = sys.stderr.isatty()
    for number, item in enumerate(items, 1):
        yield item
        if shown and (number % 25 == 0 or number == total):
            filled = 30 * number // max(total, 1)
            bar = "█" * filled + "·" * (30 - filled)
            print(f"\r{bar} {number} of {total} {what}", end="", file=sys.stderr, flush=True)
    if shown and total:
        print(file=sys.stderr)
