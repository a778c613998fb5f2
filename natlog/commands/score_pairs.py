"""``python -m natlog score pairs``: the calculus against a file's own labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from natlog.commands.pair_options import BAD_INPUT, add_options, labeller, progress
from natlog.pairs import LeftOut, PairFileError, read_pairs

if TYPE_CHECKING:
    from natlog.pair_scores import Calibration, PairScores, Share


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command, as ``pairs`` below ``score``."""
    parser = subparsers.add_parser(
        "pairs",
        help="labels of pairs against a file's own",
        description="Label the pairs of a file (any layout that label reads) and print accuracy by "
        "direction, genre and tag, the confusion table and two baselines.",
    )
    parser.add_argument("pairs", metavar="PAIRS", help="the file; - is standard input")
    parser.add_argument(
        "--labels", type=int, choices=(2, 3), default=2, help="two (entailment against the rest) or three"
    )
    parser.add_argument(
        "--split", choices=("even", "odd"), help="one half of the file; swapped pairs stay together"
    )
    parser.add_argument(
        "--genre", metavar="TEXT", help="only pairs whose genre contains this (FraCaS: the section)"
    )
    parser.add_argument(
        "--errors", type=int, default=0, metavar="N", help="print N wrong pairs with the reason"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, fractions in place of per cent")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score; 0, or 2 where a file, the convention or the pipeline can't be used."""
    from natlog.lexicon.embedding import EmbeddingError
    from natlog.lexicon.words import SupplementError
    from natlog.pair_scores import calibration, fold, half, score

    try:
        left_out: list[LeftOut] = []
        pairs = [pair for pair in read_pairs(args.pairs, left_out) if pair.label]
        if not pairs:
            raise PairFileError(f"{args.pairs}: no pair has a label (column gold_label or label)")
        if args.genre:
            pairs = [pair for pair in pairs if args.genre.lower() in pair.genre.lower()]
        if args.split:
            pairs = half(pairs, args.split)
        if not pairs:
            raise PairFileError(f"{args.pairs}: no pair is left after --genre and --split")
        engine = labeller(args)
    except (PairFileError, SupplementError, EmbeddingError, LookupError, OSError) as error:
        print(f"score pairs: {error}", file=sys.stderr)
        return BAD_INPUT
    sentences = ((pair.premise, pair.hypothesis) for pair in pairs)
    verdicts = list(progress(engine.label_many(sentences), len(pairs), "pairs"))
    scores = score(pairs, verdicts, args.labels)
    sureness = calibration(pairs, verdicts, args.labels)
    print(_json(scores, sureness, left_out) if args.json else _text(scores, sureness, left_out))
    wrong = (
        (pair, verdict)
        for pair, verdict in zip(pairs, verdicts, strict=True)
        if fold(pair.label, args.labels) != fold(verdict.label, args.labels)
    )
    if not args.json:
        for (pair, verdict), _ in zip(wrong, range(args.errors), strict=False):
            print(f"\n{pair.premise}\n{pair.hypothesis}")
            print(f"  gold {pair.label}, given {verdict.label}: {verdict.reason}")
    return 0


def _json(scores: PairScores, sureness: Calibration, left_out: list[LeftOut]) -> str:
    return json.dumps(
        {
            "accuracy": scores.all.accuracy,
            "n": scores.all.n,
            "read": {"n": scores.read.n, "accuracy": scores.read.accuracy},
            "confidence": _calibration(sureness),
            "left_out": dict(Counter(item.why for item in left_out)),
            "by_direction": {name: share.accuracy for name, share in scores.directions.items()},
            "by_genre": {name: share.accuracy for name, share in scores.genres.items()},
            "by_tag": {name: share.accuracy for name, share in scores.tags.items()},
            "counts": {
                "by_direction": {name: share.n for name, share in scores.directions.items()},
                "by_genre": {name: share.n for name, share in scores.genres.items()},
                "by_tag": {name: share.n for name, share in scores.tags.items()},
            },
            "confusion": [
                {"gold": gold, "given": given, "n": n}
                for (gold, given), n in sorted(scores.confusion.items())
            ],
            "baselines": {"majority": scores.majority.accuracy, "always_downward": scores.downward.accuracy},
            "direction": scores.direction_agreement.accuracy,
            "tagging": {
                tag: {"precision": precision, "recall": recall}
                for tag, (precision, recall) in scores.tagging.items()
            },
        },
        ensure_ascii=False,
        indent=2,
    )


def _calibration(sureness: Calibration) -> dict[str, Any]:
    return {
        "calibration_error": sureness.error,
        "bins": [{"n": b.n, "confidence": b.confidence, "accuracy": b.accuracy} for b in sureness.bins],
        "thresholds": [
            {"at_least": r.threshold, "n": r.n, "coverage": r.coverage, "precision": r.precision}
            for r in sureness.reaches
        ],
    }


def _text(scores: PairScores, sureness: Calibration, left_out: list[LeftOut]) -> str:
    width = max([20, *(len(name) for name in scores.genres)])
    lines = [_line("all", scores.all, width), _line("of what is read", scores.read, width)]
    unread = scores.all.n - scores.read.n
    lines += [f"{'not read':<{width}}  {unread:>7}  of {scores.all.n}, in all as non-entailment"]
    if left_out:
        reasons = Counter(item.why for item in left_out)
        parts = ", ".join(f"{count} {why}" for why, count in reasons.most_common())
        lines += [f"{'left out':<{width}}  {len(left_out):>7}  of {len(left_out) + scores.all.n}: {parts}"]
    lines += ["", *_confidence(sureness, width), ""]
    for title, groups in (("direction", scores.directions), ("genre", scores.genres), ("tag", scores.tags)):
        if groups:
            lines += [f"by {title}", *(_line(name, share, width) for name, share in groups.items()), ""]
    lines += ["baselines", _line("majority label", scores.majority, width)]
    lines += [_line("always downward", scores.downward, width), ""]
    if scores.direction_agreement.n:
        lines += [_line("direction found", scores.direction_agreement, width), ""]
    if scores.tagging:
        lines.append(f"{'tags found':<{width}}  precision  recall")
        for tag, (precision, recall) in scores.tagging.items():
            lines.append(f"{tag:<{width}}  {_percent(precision):>9}  {_percent(recall):>6}")
        lines.append("")
    names = sorted({name for pair in scores.confusion for name in pair})
    lines.append(f"{'gold, across: given':<{width}}" + "".join(f"{name:>16}" for name in names))
    for gold in names:
        cells = "".join(f"{scores.confusion.get((gold, given), 0):>16}" for given in names)
        lines.append(f"{gold:<{width}}{cells}")
    return "\n".join(lines)


def _confidence(sureness: Calibration, width: int) -> list[str]:
    """Whether the confidence of what was read comes true, and what thresholds leave."""
    error = "–" if sureness.error is None else f"{sureness.error:.3f}"
    lines = [f"confidence of what is read: expected calibration error {error}"]
    for item in sureness.reaches:
        share = f"{item.n} of {item.all} ({_percent(item.coverage)})"
        lines.append(f"{f'at least {item.threshold:g}':<{width}}  {_percent(item.precision):>7}  of {share}")
    return lines


def _line(name: str, share: Share, width: int) -> str:
    return f"{name:<{width}}  {_percent(share.accuracy):>7}  {share.right} of {share.n}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
