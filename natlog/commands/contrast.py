"""``python -m natlog contrast``: the same pairs under another operator."""

from __future__ import annotations

import argparse
import csv
import sys
from itertools import chain

from natlog.commands.pair_options import BAD_INPUT, add_options, labeller, progress
from natlog.pairs import PairFileError, read_pairs

COLUMNS = (
    "sentence1", "sentence2", "gold_label", "contrast", "before", "after", "original1", "original2",
    "original_label",
)  # fmt: skip
_DESCRIPTION = """Make contrast sets (Yanaka et al. 2019, section 4.3): few → a few, few deleted, no → some
and the like, in both sentences of a pair. The labels, of the new pair and of the original, are the
calculus'. Prints a TSV."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "contrast",
        help="put another operator into pairs",
        description=f"{_DESCRIPTION} Columns: {', '.join(COLUMNS)}.",
    )
    parser.add_argument("pairs", metavar="PAIRS", help="a file of pairs, as for label; - is standard input")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="one contrast, such as 'few deleted' (default: all of contrasts.toml); may be repeated",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the pairs; 0, or 2 where a file, a contrast, the convention or the pipeline can't be used."""
    from natlog.generation.contrasts import contrast_pairs, contrasts
    from natlog.lexicon.embedding import EmbeddingError
    from natlog.lexicon.words import SupplementError

    try:
        if unknown := set(args.only) - set(contrasts()):
            raise LookupError(f"no contrast {min(unknown)!r}; there are: {', '.join(contrasts())}")
        pairs = read_pairs(args.pairs, [])
        engine = labeller(args)
    except (PairFileError, SupplementError, EmbeddingError, LookupError, OSError) as error:
        print(f"contrast: {error}", file=sys.stderr)
        return BAD_INPUT
    made = [(pair, new) for pair in pairs for new in contrast_pairs(pair.premise, pair.hypothesis, args.only)]
    both = chain.from_iterable(
        ((new.premise, new.hypothesis), (pair.premise, pair.hypothesis)) for pair, new in made
    )
    verdicts = progress(engine.label_many(both), 2 * len(made), "pairs")
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    writer.writerow(COLUMNS)
    for (pair, new), after, before in zip(made, verdicts, verdicts, strict=True):
        said = (new.contrast, new.before, new.after, pair.premise, pair.hypothesis, before.label)
        writer.writerow((new.premise, new.hypothesis, after.label, *said))
    print(f"contrast: {len(made)} of {len(pairs)} pairs", file=sys.stderr)
    return 0
