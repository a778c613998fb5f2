"""``python -m natlog``: polarity marking and the monotonicity calculus from a shell."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

COMMANDS = (
    "polarize",
    "label",
    "score",
    "explain",
    "compare",
    "generate",
    "prove",
    "counter",
    "contrast",
    "meaning",
    "testbed",
)


def parser() -> argparse.ArgumentParser:
    """The command line, with one subcommand for each module of :mod:`natlog.commands`."""
    top = argparse.ArgumentParser(
        prog="python -m natlog", description="Mark polarity on English and label inference pairs."
    )
    subparsers = top.add_subparsers(required=True, metavar="command")
    for name in COMMANDS:
        importlib.import_module(f"natlog.commands.{name}").add_parser(subparsers)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, or 2 for bad input."""
    args = parser().parse_args(arguments)
    try:
        code: int = args.run(args)
    except BrokenPipeError:
        # The reader of a pipe went away (`| head`): that is no error, and nothing more can be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main())
