"""Fit the confidence of the calculus on the even halves, or see how it comes true on the odd ones.

    python -m bench.confidence ../shared/data [--fit] [--plot docs/images/confidence.svg]

Even halves (SICK: TRAIN and TRIAL; the transitivity file: even rows) are what is fitted on; odd halves
(SICK: TEST) are only reported. With ``--fit`` the weights in ``natlog/calculus/confidence.json`` are fitted
anew first (needs scipy). A label is right where it is the file's own, of three labels where the file has
three. What is not read gives no label and is left out; its number stands beside.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench.reliability_plot import draw
from bench.veridicality import rows
from natlog import VERSION
from natlog.calculus import Labeller
from natlog.calculus.confidence import MODEL, TROUBLE, confidence, signs, weights
from natlog.calculus.evidence import Evidence
from natlog.calibration import THRESHOLDS, bins, calibration_error, reach, threshold_for
from natlog.pair_scores import fold, half
from natlog.pairs import Pair, read_pairs
from natlog.parsing import load_parser
from natlog.polarity import mark
from natlog.tree import Tree

FILES = {
    "MED_dev.tsv": 2,
    "sick_corrected.csv": 3,
    "transitivity_human.tsv": 2,
    "nmonli_dev.jsonl": 2,
    "pmonli_dev.jsonl": 2,
    "fragments_monotonicity_simple_dev.jsonl": 3,
    "fragments_monotonicity_hard_dev.jsonl": 3,
    "fracas.xml": 3,
}
"""The files, with how many labels they have."""

READ_UNDER_DEFAULT = frozenset({"sick_corrected.csv", "fracas.xml"})
"""Files whose writers were not asked for something more specific: fitted and reported under ``default``, in
which unknown words are independent. The others are fitted under both conventions, reported under ``med``."""

EVENNESS = 0.35
"""A file of n pairs weighs n ** (1 - EVENNESS): no file is the model's whole world."""

SHRINKAGE = 5.0
"""The ridge penalty on all weights but the base."""

AIMS = {"MED_dev.tsv": 0.97, "sick_corrected.csv": 0.93}
"""The precision asked of what is read."""


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict that was read: its evidence, whether its label is the file's, of three and of two."""

    file: str
    convention: str
    evidence: Evidence
    right: bool
    right_of_two: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """The cases of one file's half under one convention, and how many verdicts were not read."""

    cases: list[Case]
    unread: int


def halves(folder: Path, name: str) -> tuple[list[Pair], list[Pair]]:
    """The part of a file that is fitted on, and the part that is reported."""
    if name == "sick_corrected.csv":
        pairs = rows(folder / name, "sentence_A", "sentence_B", "entailment_label", "SemEval_set")
        return [p for p in pairs if p.genre != "TEST"], [p for p in pairs if p.genre == "TEST"]
    if name == "transitivity_human.tsv":
        pairs = rows(folder / name, "sentence1", "sentence2", "gold_label", "genre")
        return pairs[::2], pairs[1::2]
    pairs = [pair for pair in read_pairs(str(folder / name), []) if pair.label]
    return half(pairs, "even"), half(pairs, "odd")


def judged(engine: Labeller, name: str, pairs: list[Pair], trees: dict[str, Tree]) -> Seen:
    """The verdicts on some pairs of a file, as cases; ``trees`` keeps parses, which no convention changes."""
    new = dict.fromkeys(text for p in pairs for text in (p.premise, p.hypothesis) if text not in trees)
    trees.update(zip(new, load_parser().pipe(new), strict=True))
    marked = lru_cache(maxsize=4096)(lambda text: mark(trees[text], engine.convention))
    cases, unread = [], 0
    for pair in pairs:
        verdict = engine.label_marked(marked(pair.premise), marked(pair.hypothesis))
        if not verdict.read or verdict.evidence is None:
            unread += 1
            continue
        right, of_two = (fold(pair.label, n) == fold(verdict.label, n) for n in (FILES[name], 2))
        cases.append(Case(name, engine.convention, verdict.evidence, right, of_two))
    return Seen(cases, unread)


def fitted(cases: list[Case]) -> dict[str, dict[str, float]]:
    """The weights, by label: logistic regressions in which signs of trouble never raise the odds."""
    import numpy as np
    from scipy.optimize import minimize

    sizes = Counter((case.file, case.convention) for case in cases)
    names = list(signs(Evidence("entailment")))
    model = {}
    for label, trouble in TROUBLE.items():
        some = [case for case in cases if case.evidence.label == label]
        table = [[1.0, *signs(case.evidence).values()] for case in some]
        matrix = np.array(table).reshape(len(some), len(names) + 1)
        right = np.array([float(case.right) for case in some])
        weight = np.array([float(sizes[case.file, case.convention]) ** -EVENNESS for case in some])
        weight *= len(weight) / weight.sum()
        ridge = np.array([0.0, *[SHRINKAGE] * len(names)])

        def loss(
            b: Any, x: Any = matrix, y: Any = right, w: Any = weight, r: Any = ridge
        ) -> tuple[float, Any]:
            odds = x @ b
            lost = (w * (np.logaddexp(0, odds) - y * odds)).sum() + (r * b * b).sum() / 2
            return lost, x.T @ (w * (1 / (1 + np.exp(-odds)) - y)) + r * b

        bounds = [(None, None), *((None, 0.0) if name in trouble else (None, None) for name in names)]
        best = minimize(loss, np.zeros(len(names) + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
        model[label] = {
            name: round(float(value), 3) + 0.0 for name, value in zip(["base", *names], best, strict=True)
        }
    return model


def use(model: dict[str, dict[str, float]]) -> None:
    """Weigh evidence by this model from now on."""
    known = weights()
    known.clear()
    known.update(model)


def figures(seen: Seen) -> dict[str, Any]:
    """What the confidences of one half come to."""
    values = [confidence(case.evidence) for case in seen.cases]
    right = [case.right for case in seen.cases]
    return {
        "n": len(values),
        "not_read": seen.unread,
        "accuracy": round(sum(right) / len(right), 4),
        "mean_confidence": round(sum(values) / len(values), 4),
        "ece": round(calibration_error(values, right) or 0.0, 4),
        "ece_of_two": round(calibration_error(values, [case.right_of_two for case in seen.cases]) or 0.0, 4),
        "bins": [[b.n, round(b.confidence, 3), round(b.accuracy, 3)] for b in bins(values, right)],
        "thresholds": {
            str(t): [round(r.coverage or 0, 4), r.precision and round(r.precision, 4)]
            for t in THRESHOLDS
            for r in [reach(values, right, t)]
        },
    }


def reading_line(name: str, even: Seen, odd: Seen) -> str:
    """The threshold at which the even half reaches the precision asked for, and what it gives on the odd."""
    aim = AIMS[name]
    values = [confidence(case.evidence) for case in even.cases]
    cells = []
    for labels, of in ((FILES[name], "right"), (2, "right_of_two")):
        threshold = threshold_for(values, [getattr(case, of) for case in even.cases], aim)
        if threshold is None:
            cells.append(f"| {name} | {labels} | {aim:.0%} | never | | |")
            continue
        left = reach(
            [confidence(case.evidence) for case in odd.cases],
            [getattr(case, of) for case in odd.cases],
            threshold,
        )
        cells.append(
            f"| {name} | {labels} | {aim:.0%} | {threshold:.3f} | {100 * (left.precision or 0):.1f} "
            f"| {100 * left.n / (left.all + odd.unread):.1f} |"
        )
    return "\n".join(dict.fromkeys(cells))


def line(name: str, found: dict[str, Any]) -> str:
    """A row of the table."""
    cells = [
        f"{100 * cover:.0f}: {100 * precision:.1f}" if precision else "0"
        for cover, precision in found["thresholds"].values()
    ]
    return (
        f"| {name} ({found['n']}) | {found['not_read']} | {100 * found['accuracy']:.1f} "
        f"| {100 * found['mean_confidence']:.1f} | {found['ece']:.3f} | {found['ece_of_two']:.3f} "
        f"| {' | '.join(cells)} |"
    )


HEAD = (
    "| pairs | not read | right | mean confidence | ECE | ECE, two labels | "
    + " | ".join(f"≥ {threshold}" for threshold in THRESHOLDS)
    + " |\n|"
    + "---|" * (6 + len(THRESHOLDS))
)


def without_file(even: dict[tuple[str, str], Seen], odd: dict[tuple[str, str], Seen]) -> None:
    """For each file, the model fitted on all the others, on its odd half."""
    kept = {label: dict(by_label) for label, by_label in weights().items()}
    print(f"\nEach file by a model that never saw it:\n\n{HEAD}")
    for name in FILES:
        use(fitted([case for key, seen in even.items() if key[0] != name for case in trained(key, seen)]))
        print(line(name, figures(odd[name, reported(name)])))
    use(kept)


def reported(name: str) -> str:
    """The convention under which a file is reported."""
    return "default" if name in READ_UNDER_DEFAULT else "med"


def trained(key: tuple[str, str], seen: Seen) -> Iterable[Case]:
    """The cases of a half that the model is fitted on."""
    return seen.cases if key[1] == "default" or key[0] not in READ_UNDER_DEFAULT else ()


def main(args: argparse.Namespace) -> None:
    """Fit where asked, then print the tables and draw the plot."""
    even: dict[tuple[str, str], Seen] = {}
    odd: dict[tuple[str, str], Seen] = {}
    for name in FILES:
        tuned, held = halves(args.folder, name)
        trees: dict[str, Tree] = {}
        for convention in ("default", "med"):
            engine = Labeller(convention=convention)
            if convention == "default" or name not in READ_UNDER_DEFAULT:
                even[name, convention] = judged(engine, name, tuned, trees)
            odd[name, convention] = judged(engine, name, held, trees)
    if args.fit:
        use(fitted([case for key, seen in even.items() for case in trained(key, seen)]))
    found = {name: figures(odd[name, reported(name)]) for name in FILES}
    if args.fit:
        write(even, found)
    print(f"Odd halves; at thresholds coverage and precision in % of what is read.\n\n{HEAD}")
    for name in FILES:
        print(line(f"{name}, {reported(name)}", found[name]))
    print("\nUnder the other convention:\n\n" + HEAD)
    for key, seen in odd.items():
        if key[1] != reported(key[0]):
            print(line(", ".join(key), figures(seen)))
    print(
        "\n| pairs | labels | asked | threshold (even half) | precision (odd half) | coverage of all |\n"
        + "|---" * 6
        + "|"
    )
    for name in AIMS:
        key = (name, reported(name))
        print(reading_line(name, even[key], odd[key]))
    without_file(even, odd)
    if args.plot:
        args.plot.write_text(draw({name: found[name]["bins"] for name in FILES}), encoding="utf-8")


def write(even: dict[tuple[str, str], Seen], found: dict[str, Any]) -> None:
    """The model beside its module, with what it was fitted on and what it reaches."""
    model = {
        "about": "Weights in log-odds by label; made by bench/confidence.py --fit",
        "natlog": VERSION,
        "parser": load_parser().name,
        "fitted_on_even_halves": {", ".join(key): len(seen.cases) for key, seen in even.items()},
        "weights": weights(),
        "odd_halves": found,
    }
    MODEL.write_text(json.dumps(model, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fit", action="store_true", help="fit the weights anew, and store them")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the reliability curves as SVG")
    main(parser.parse_args())
