"""Whether every sentence ends: thousands out of a small grammar, each with a limit that is kept from outside.

    python -m bench.endings [--sentences 20000] [--limit 10] [--seed 0]

Each sentence is parsed, marked under every convention, profiled, drawn, labelled against the one before
it, and changed by every generator, in a process of its own, a batch at a time. A batch that overruns is
killed and done again sentence by sentence, so that the culprits are named. Exits with 1 where there are any.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from bench.grammar import sentences

if TYPE_CHECKING:
    from natlog.calculus import Labeller

BATCH = 100
AT_ONCE = 6
"""So many times a sentence's limit is a batch's: a sentence takes a hundredth of a second."""
START = 120.0
"""Seconds that a process has to load its parser and word lists."""


def work(labeller: Labeller, texts: list[str]) -> None:
    """All that natlog does with sentences, once each. Raises AssertionError where a token has no sign."""
    from natlog.calculus.svg import tree_svg
    from natlog.generation import Maker, Options, Stock
    from natlog.generation.structure import Structure
    from natlog.lexicon.conventions import conventions
    from natlog.parsing import load_parser
    from natlog.polarity import mark
    from natlog.profile import profile

    trees = list(load_parser(labeller.parser_name).pipe(texts))
    for convention in conventions():
        for tree in trees:
            assert len(mark(tree, convention).signs) == len(tree.tokens)
    markings = [mark(tree, labeller.convention) for tree in trees]
    structures = [Structure(marking) for marking in markings]
    maker = Maker(Stock(structures), labeller, Options())
    before = markings[0]
    for marking, structure in zip(markings, structures, strict=True):
        profile(marking)
        tree_svg(marking)
        labeller.label_marked(before, marking)
        for _ in maker.changes(structure):
            pass
        before = marking


def serve(pipe: Connection) -> None:
    """A process that works on what comes through the pipe, and answers "" or what went wrong."""
    from natlog.calculus import Labeller

    labeller = Labeller()
    work(labeller, ["Every dog barked."])
    pipe.send("")
    for texts in iter(pipe.recv, None):
        try:
            work(labeller, texts)
            pipe.send("")
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")


class Worker:
    """The process that works, and its replacement by a new one whenever it overruns.

    ``serve`` is what it runs, started by ``method`` (as :mod:`multiprocessing` names them).
    """

    def __init__(self, serve: Callable[[Connection], None] = serve, method: str = "spawn") -> None:
        self._serve, self._context = serve, multiprocessing.get_context(method)
        self._start()

    def _start(self) -> None:
        self._pipe, other = self._context.Pipe()
        self._process = self._context.Process(target=self._serve, args=(other,), daemon=True)
        self._process.start()
        other.close()
        if not self._pipe.poll(START):
            raise TimeoutError(f"no parser after {START:.0f} s")
        self._pipe.recv()

    def try_out(self, texts: list[str], limit: float) -> str:
        """What went wrong with these sentences within so many seconds; "" for nothing."""
        self._pipe.send(texts)
        try:
            if self._pipe.poll(limit):
                return str(self._pipe.recv())
            found = f"took longer than {limit:g} s"
        except EOFError:
            found = "the process died"
        self.stop()
        self._start()
        return found

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


@dataclass(slots=True)
class Outcome:
    """How many sentences were tried, in how many seconds, and what went wrong with which."""

    tried: int = 0
    seconds: float = 0.0
    culprits: list[tuple[str, str]] = field(default_factory=list)


def try_all(texts: Iterator[str], limit: float, worker: Worker) -> Outcome:
    """Every sentence tried, each within ``limit`` seconds (of the clock)."""
    outcome, start = Outcome(), time.perf_counter()
    try:
        while batch := list(islice(texts, BATCH)):
            if worker.try_out(batch, AT_ONCE * limit):
                found = [(text, worker.try_out([text], limit)) for text in batch]
                outcome.culprits += [(text, wrong) for text, wrong in found if wrong]
            outcome.tried += len(batch)
            if outcome.tried % 1000 == 0:
                print(f"{outcome.tried} …", file=sys.stderr, flush=True)
    finally:
        worker.stop()
    outcome.seconds = time.perf_counter() - start
    return outcome


def main() -> None:
    """Print how many sentences ended, and each that did not."""
    options = argparse.ArgumentParser(description="Sentences of a small grammar, each with a time limit.")
    options.add_argument("--sentences", type=int, default=20_000)
    options.add_argument("--limit", type=float, default=10.0, help="seconds for a sentence")
    options.add_argument("--seed", type=int, default=0)
    args = options.parse_args()
    outcome = try_all(sentences(args.sentences, args.seed), args.limit, Worker())
    print(f"{outcome.tried} sentences in {outcome.seconds:.0f} s, {len(outcome.culprits)} did not end well")
    for text, wrong in outcome.culprits:
        print(f"  {wrong}: {text}")
    sys.exit(bool(outcome.culprits))


if __name__ == "__main__":
    main()
