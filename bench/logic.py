"""What the logic core costs: proofs, COUNTER, and conversions between meanings.

    python -m bench.logic REFERENCE [--rounds 3] [--processes 2]

REFERENCE is the folder of the published programs' rows. Times are CPU seconds of this process, the quickest
round of each, so that other work on the machine matters less; the proofs by several processes are also timed
by the clock.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

from natlog.logic import clausal_form, drs, nltk_notation, prolog_notation, tptp_notation, variable_free
from natlog.logic.clause_files import ClauseList, parse_clause_lists
from natlog.logic.counter import compare
from natlog.logic.external_provers import find_e
from natlog.logic.formula import Expression, rename
from natlog.logic.polarity import polarity_of_formula
from natlog.logic.prover import Prover

Pair = tuple[Expression, Expression]
DRSS = ("p1_boxer210_dev200", "p6_sygns_published_vs_corrected")


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a reference file."""
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def quickest(work: Callable[[], object], rounds: int) -> float:
    """CPU seconds of the quickest round."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def systematicity(folder: Path) -> list[Pair]:
    """Premise and hypothesis of each pair that needs no knowledge of words."""
    return [
        (
            tptp_notation.parse_sentence(row["fol_premise"]),
            tptp_notation.parse_sentence(row["fol_hypothesis"]),
        )
        for row in rows(folder / "systematicity.tsv")
        if not row["function"].startswith("lex")
    ]


def proved(pairs: list[Pair], engine: str = "default") -> Counter[str]:
    """Both directions of each pair, by a prover that remembers nothing yet: answers."""
    prover = Prover(engine)
    return Counter(proof.answer for pair in pairs for proof in prover.both_ways(*pair))


def meanings(formulas: list[Expression]) -> None:
    """Everything but the composition: numbered formula in print, clauses, variable-free form, polarity."""
    for formula in formulas:
        renamed = rename(formula)
        nltk_notation.to_nltk(renamed)
        clausal_form.to_clauses(drs.drs_of_renamed(renamed))
        str(variable_free.variable_free_of(formula))
        polarity_of_formula(renamed)


def matched(given: list[ClauseList], gold: list[ClauseList]) -> None:
    """COUNTER over two files."""
    for one, other in zip(given, gold, strict=True):
        compare(one.clauses, other.clauses, check=False)


def by_clock(pairs: list[Pair], processes: int) -> float:
    """Pairs a second, both directions, by several processes."""
    # Four times over, by provers that remember nothing of each other: the pool is at work for a while.
    shares = [pairs[start::processes] for start in range(processes)] * 4
    with get_context("spawn").Pool(processes) as pool:
        pool.map(proved, [pairs[:1]] * processes)
        start = time.perf_counter()
        pool.map(proved, shares, chunksize=1)
        return 4 * len(pairs) / (time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description="Speed of proofs, COUNTER and conversions.")
    options.add_argument("reference", type=Path)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--processes", type=int, default=2)
    args = options.parse_args()
    pairs = systematicity(args.reference)
    print(f"{len(pairs)} systematicity pairs, both directions: {dict(proved(pairs))}")
    taken = quickest(lambda: proved(pairs), args.rounds)
    print(f"{'default prover, pairs a CPU second':<52}{len(pairs) / taken:>10.0f}")
    rate = by_clock(pairs, args.processes)
    print(f"{f'… by {args.processes} processes, pairs a second by the clock':<52}{rate:>10.0f}")
    few = pairs[::10]
    taken = quickest(lambda: proved(few, "z3"), args.rounds)
    print(f"{'Z3 alone, pairs a CPU second':<52}{len(few) / taken:>10.0f}")
    if find_e():
        start = time.perf_counter()
        proved(few, "e")
        rate = len(few) / (time.perf_counter() - start)
        print(f"{'E, a process a proof, pairs a second by the clock':<52}{rate:>10.0f}")
    formulas = [
        prolog_notation.parse_sentence(row["fol_prolog"]) for row in rows(args.reference / "sygns.tsv")
    ]
    taken = quickest(lambda: meanings(formulas), args.rounds)
    print(f"{'formula, clauses, variable-free form, polarity a CPU s':<55}{len(formulas) / taken:>7.0f}")
    for name in DRSS:
        sides = [
            parse_clause_lists((args.reference / "counter" / f"{name}.{side}.clf").read_text().splitlines())
            for side in ("prod", "gold")
        ]
        taken = quickest(lambda sides=sides: matched(*sides), args.rounds)
        print(f"{f'COUNTER, {name}, {len(sides[0])} DRSs, CPU seconds':<55}{taken:>7.2f}")


if __name__ == "__main__":
    main()
