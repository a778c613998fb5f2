"""``python -m natlog polarize``: sentences in, polarity out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import tee
from typing import TYPE_CHECKING

from natlog.commands.lines import InputError, read_lines
from natlog.commands.pair_options import add_parser_option
from natlog.lexicon.conventions import UnknownConvention, conventions, load_convention

if TYPE_CHECKING:
    from natlog.parsing import SpacyParser
    from natlog.tree import Constituent, Marking, Step, Tree

BAD_INPUT = 2
_DESCRIPTION = """Mark the polarity of every token: one sentence a line in, one line out, each token with ↑
(a more general word keeps the truth), ↓ (a more specific one does) or = (neither)."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("polarize", help="mark polarity on sentences", description=_DESCRIPTION)
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="one sentence a line; - (the default) is standard input",
    )
    parser.add_argument("--tokens", action="store_true", help="take the line's own tokens, split at spaces")
    parser.add_argument(
        "--ccg",
        action="store_true",
        help="FILE holds CCG derivations (C&C XML, Jigg XML or AUTO): mark these",
    )
    parser.add_argument("--tree", action="store_true", help="print the constituents below each sentence")
    parser.add_argument("--why", action="store_true", help="print the operators behind each token's sign")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    add_marking_options(parser, "default")
    parser.set_defaults(run=run)


def add_marking_options(parser: argparse.ArgumentParser, convention: str) -> None:
    """Add the options that choose how a sentence is parsed and marked."""
    parser.add_argument(
        "--convention",
        default=convention,
        metavar="NAME",
        help=f"a set of switches: {', '.join(conventions())} (default: %(default)s)",
    )
    add_parser_option(parser)


def chosen_parser(args: argparse.Namespace) -> SpacyParser:
    """The parser that the options ask for, the convention checked. Raises LookupError."""
    from natlog.parsing import DEFAULT_MODEL, load_parser

    load_convention(args.convention)
    return load_parser(args.parser or DEFAULT_MODEL)


def run(args: argparse.Namespace) -> int:
    """Mark every line; 0, or 2 where the input, the convention or the parser can't be used."""
    from natlog.polarity import mark

    if args.ccg:
        return _run_on_derivations(args)
    try:
        parser = chosen_parser(args)
        lines, copies = tee(read_lines(args.file))
        trees = _trees(parser, lines, args.tokens)
        for line in _counted(copies, args.file):
            if not line.strip():
                print("{}" if args.json else "")
                continue
            marking = mark(next(trees), args.convention)
            print(as_json(marking) if args.json else as_text(marking, tree=args.tree, why=args.why))
    except (InputError, UnknownConvention, LookupError) as error:
        print(f"polarize: {error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _run_on_derivations(args: argparse.Namespace) -> int:
    """Mark every derivation; what can't be read is reported and left out."""
    from natlog.commands.derivations import read_derivations
    from natlog.polarity import mark

    try:
        load_convention(args.convention)
        trees, failed = read_derivations(args.file)
    except (InputError, UnknownConvention) as error:
        print(f"polarize: {error}", file=sys.stderr)
        return BAD_INPUT
    for tree in trees:
        marking = mark(tree, args.convention)
        print(as_json(marking) if args.json else as_text(marking, tree=args.tree, why=args.why))
    for problem in failed:
        print(f"polarize: {problem}", file=sys.stderr)
    return BAD_INPUT if failed else 0


def _trees(parser: SpacyParser, lines: Iterator[str], tokens: bool) -> Iterator[Tree]:
    sentences = (line for line in lines if line.strip())
    if tokens:
        return parser.pipe_tokens(line.split() for line in sentences)
    return parser.pipe(sentences)


def _counted(lines: Iterable[str], name: str) -> Iterator[str]:
    """Pass lines on, showing how far a file is read; only on a terminal, and never for standard input."""
    if name == "-" or not sys.stderr.isatty():
        yield from lines
        return
    from natlog.commands.pair_options import progress

    yield from progress(lines, sum(1 for _ in read_lines(name)), "sentences")


def as_text(marking: Marking, tree: bool = False, why: bool = False) -> str:
    """A marking for people: the sentence, and if asked its constituents and reasons, indented."""
    parts = [str(marking)]
    if tree:
        parts += [_constituent(marking, item) for item in marking.constituents]
    if why:
        width = max((len(token.text) for token in marking.tree.tokens), default=0)
        parts += [
            f"  {token.text:<{width}} {sign} {_chain(steps)}".rstrip()
            for token, sign, steps in zip(marking.tree.tokens, marking.signs, marking.token_why, strict=True)
        ]
    return "\n".join(parts)


def _constituent(marking: Marking, item: Constituent) -> str:
    depth = sum(
        1
        for other in marking.constituents
        if (other.start, -other.end) < (item.start, -item.end) and other.end >= item.end
    )
    return f"  {'  ' * depth}{item.label}{item.polarity} {marking.tree.span_text(item.start, item.end)}"


def _chain(steps: tuple[Step, ...]) -> str:
    """The operators behind a sign, outermost first: ``No (scope ↓) · every (first ↓)``."""
    return " · ".join(f"{step.surface or step.operator} ({step.argument} {step.effect})" for step in steps)


def as_json(marking: Marking) -> str:
    """A marking as one line of JSON: sentence, tokens, constituents, and what parsed and marked them."""
    tree = marking.tree
    return json.dumps(
        {
            "text": tree.text,
            "kind": tree.kind.value,
            "parser": tree.parser,
            "confidence": tree.confidence,
            "repairs": list(tree.repairs),
            "convention": marking.convention,
            "tokens": [
                {"text": token.text, "start": token.start, "end": token.end, "polarity": str(sign)}
                | {"why": [_step(step) for step in steps]}
                for token, sign, steps in zip(tree.tokens, marking.signs, marking.token_why, strict=True)
            ],
            "constituents": [
                {
                    "label": item.label,
                    "start": item.start,
                    "end": item.end,
                    "text": tree.span_text(item.start, item.end),
                    "polarity": str(item.polarity),
                    "why": [_step(step) for step in item.why],
                }
                for item in marking.constituents
            ],
        },
        ensure_ascii=False,
    )


def _step(step: Step) -> dict[str, object]:
    return {
        "operator": step.operator,
        "surface": step.surface,
        "tokens": list(step.tokens),
        "argument": step.argument,
        "effect": str(step.effect),
    }
