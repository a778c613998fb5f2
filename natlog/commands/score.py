"""``python -m natlog score``: the marker and the labeller against files that people have marked."""

from __future__ import annotations

import argparse

from natlog.commands import score_pairs, score_polarity


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command and what can be scored."""
    parser = subparsers.add_parser("score", help="score against hand-marked sentences or labelled pairs")
    kinds = parser.add_subparsers(required=True, metavar="what")
    score_polarity.add_parser(kinds)
    score_pairs.add_parser(kinds)
