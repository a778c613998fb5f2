"""What polarity costs: parsing with repairs, and marking, against the bare spaCy pipeline.

    python -m bench.polarity FILE [--sentences 3000] [--rounds 3]

FILE has one sentence a line. All run in this process on the same sentences and components (tok2vec, tagger,
parser, attribute ruler, lemmatizer), in turn, and the quickest round of each counts. Times are CPU seconds,
so that other work on the machine matters less. What the parser remembers of words is dropped before each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from natlog.parsing import SpacyParser
from natlog.parsing.annotation import Annotation
from natlog.parsing.spacy import DEFAULT_MODEL
from natlog.polarity import mark


def seconds(work: Callable[[], Iterable[object]]) -> float:
    """CPU seconds to run through what ``work`` yields."""
    start = time.process_time()
    for _ in work():
        pass
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description="Speed of parsing and marking against spaCy alone.")
    options.add_argument("file", type=Path)
    options.add_argument("--sentences", type=int, default=3000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--parser", default=DEFAULT_MODEL)
    args = options.parse_args()
    texts = args.file.read_text(encoding="utf-8").splitlines()[: args.sentences]
    parser = SpacyParser(args.parser)
    pipeline = parser._nlp
    trees = list(parser.pipe(texts))
    times: dict[str, list[float]] = {"nlp.pipe alone": [], "parse and repair": [], "mark": []}
    for _ in range(args.rounds):
        times["nlp.pipe alone"].append(seconds(lambda: pipeline.pipe(texts, batch_size=256)))
        parser._annotation = Annotation(pipeline)
        times["parse and repair"].append(seconds(lambda: parser.pipe(texts)))
        times["mark"].append(seconds(lambda: (mark(tree) for tree in trees)))
    best = {name: min(taken) for name, taken in times.items()}
    print(f"{len(texts)} sentences, {parser.name}, best of {args.rounds}")
    print(f"{'':<18}{'seconds':>9}{'sentences/s':>13}")
    for name, taken in best.items():
        print(f"{name:<18}{taken:>9.2f}{len(texts) / taken:>13.0f}")
    both = best["parse and repair"] + best["mark"]
    share = 100 * best["nlp.pipe alone"] / both
    print(f"{'parse and mark':<18}{both:>9.2f}{len(texts) / both:>13.0f}   {share:.0f} % of nlp.pipe alone")


if __name__ == "__main__":
    main()
