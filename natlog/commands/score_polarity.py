"""``python -m natlog score polarity``: marking against hand-marked sentences."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from natlog.commands.lines import InputError, read_lines
from natlog.commands.polarize import BAD_INPUT, add_marking_options, chosen_parser

if TYPE_CHECKING:
    from natlog.polarity.scores import Count, GoldSentence, PolarityScore
    from natlog.tree import Marking


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command, as ``polarity`` below ``score``."""
    parser = subparsers.add_parser(
        "polarity",
        help="polarity marks against hand-marked sentences",
        description="Accuracy by token, key token (nouns, verbs, adjectives, determiners, numerals) and "
        "whole sentence. The file has one sentence a line, each token followed by ↑, ↓ or =.",
    )
    parser.add_argument("gold", metavar="GOLD", help="the hand-marked file; - is standard input")
    parser.add_argument("--errors", action="store_true", help="print the wrong sentences, gold beside given")
    parser.add_argument("--json", action="store_true", help="print JSON, fractions in place of per cent")
    add_marking_options(parser, "udep2mono")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score; 0, or 2 where the file, the convention or the parser can't be used."""
    from natlog.polarity import mark
    from natlog.polarity.scores import GoldFileError, parse_gold, score_polarity

    try:
        name = "standard input" if args.gold == "-" else args.gold
        gold = parse_gold(read_lines(args.gold), name)
        if not gold:
            raise GoldFileError(f"{name}: no sentence in it")
        parser = chosen_parser(args)
    except (InputError, GoldFileError, LookupError) as error:
        print(f"score polarity: {error}", file=sys.stderr)
        return BAD_INPUT
    trees = parser.pipe_tokens(sentence.words for sentence in gold)
    score = score_polarity(gold, (mark(tree, args.convention) for tree in trees))
    print(_json(score) if args.json else _table(score, args.convention))
    if args.errors and not args.json:
        for sentence, marking in score.wrong:
            print(f"\nline {sentence.line}\n  {_compared(sentence, marking)}")
    return 0


def _json(score: PolarityScore) -> str:
    return json.dumps(
        {
            "tokens": score.tokens.fraction,
            "key_tokens": score.key_tokens.fraction,
            "sentences": score.sentences.fraction,
            "n": score.sentences.of,
            "n_tokens": score.tokens.of,
            "n_key_tokens": score.key_tokens.of,
        }
    )


def _table(score: PolarityScore, convention: str) -> str:
    rows = (("tokens", score.tokens), ("key tokens", score.key_tokens), ("sentences", score.sentences))
    lines = [f"convention {convention}", f"{'':<11}{'right':>7}{'of':>7}{'%':>8}"]
    lines += [f"{name:<11}{count.right:>7}{count.of:>7}{_percent(count):>8}" for name, count in rows]
    return "\n".join(lines)


def _percent(count: Count) -> str:
    return "–" if count.fraction is None else f"{100 * count.fraction:.1f}"


def _compared(sentence: GoldSentence, marking: Marking) -> str:
    """The gold line, with what was given in brackets where it differs."""
    return " ".join(
        f"{word}{sign}" if sign is given else f"{word}{sign}[{given}]"
        for word, sign, given in zip(sentence.words, sentence.signs, marking.signs, strict=True)
    )
