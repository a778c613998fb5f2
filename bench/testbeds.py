"""The testbeds measured: agreement with the published rows, proofs of our own labels, speed, the calculus.

python -m bench.testbeds [DATA] [--only agreement,proofs,speed,calculus] [--proofs 10000] [--pairs 1000]

DATA is the folder of real files; without it there is no agreement to measure.
"""

from __future__ import annotations

import argparse
import ast
import csv
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from natlog.fragments import licensed, sygns, systematicity, transitivity
from natlog.fragments.claims import examine
from natlog.fragments.embedding import composite, two_way, verbs
from natlog.fragments.grammar import load
from natlog.fragments.meanings import meaning_of, meaning_of_sentence
from natlog.fragments.parsing import OutsideFragment, parse_all
from natlog.logic import prolog_notation, tptp_notation
from natlog.logic.formula import And, Expression, Not, Or, alpha_equivalent, conjunction, disjunction
from natlog.logic.prover import Prover

PARTS = ("agreement", "proofs", "speed", "calculus")
LABELS = {"yes": "entailment", "unk": "non-entailment"}


def rows(data: Path, name: str) -> list[dict[str, str]]:
    """The rows of a reference file."""
    lines = (data / "reference" / f"{name}.tsv").read_text("utf-8").splitlines()
    return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def count_agreements(counts: Counter[str], checks: dict[str, bool]) -> None:
    """Count what was compared, and what agreed."""
    for name, agrees in checks.items():
        counts[name] += 1
        counts[f"{name}, agreeing"] += agrees


def show(title: str, counts: Counter[str]) -> None:
    """A line for each thing compared."""
    print(f"\n{title}")
    for name, count in counts.items():
        if not name.endswith(", agreeing"):
            agreeing = counts.get(f"{name}, agreeing")
            print(f"  {name:40} " + (f"{agreeing:6} of {count}" if agreeing is not None else f"{count:6}"))


def regrouped(formula: Expression) -> Expression:
    """∧ and ∨ grouped to the right: the published transitivity program groups three names to the left."""
    if isinstance(formula, Not):
        return Not(regrouped(formula.body))
    for kind, join in ((And, conjunction), (Or, disjunction)):
        if isinstance(formula, kind):
            return join([regrouped(part) for part in _parts(formula, kind)])
    return formula


def _parts(formula: Any, kind: Any) -> list[Any]:
    return (
        _parts(formula.left, kind) + _parts(formula.right, kind) if isinstance(formula, kind) else [formula]
    )


def in_english(sentence: str) -> str | None:
    """A published sentence with the verb forms of English, or None where that does not help.

    Its grammar lets a base form follow "or" and "and" after a past form ("that ran or sleep"), a past form
    "did not".
    """
    grammar = load(sygns.NAME)
    other: dict[str, str] = {}
    for kind in ("IV", "TV"):
        for base, past in zip(grammar.words(f"{kind}.base"), grammar.words(f"{kind}.past"), strict=True):
            other |= {base: past, past: base}
    for _ in range(3):
        try:
            parse_all(grammar, sentence)
        except OutsideFragment as error:
            words = sentence.split()
            word = words[error.word - 1]
            if word not in other:
                return None
            words[error.word - 1] = other[word]
            sentence = " ".join(words)
        else:
            return sentence
    return None


def agree_sygns(data: Path) -> None:
    grammar, counts = load(sygns.NAME), Counter[str]()
    for row in rows(data, sygns.NAME):
        counts["rows"] += 1
        sentence = in_english(row["sentence"])
        if sentence is None:
            counts["rows outside the fragment"] += 1
            continue
        counts["rows whose verb form is no English, read in its right form"] += sentence != row["sentence"]
        assert len(parse_all(grammar, sentence)) == 1
        found = meaning_of_sentence(grammar, sentence)
        _, fol, clf, vf, _, _ = found.row()
        polarity = [(word, int(direction == "up")) for word, direction in found.polarity]
        published = dict(item.split(":") for item in row["tags"].split(";"))
        tags = {tag: "yes" if shown else "no" for tag, shown in found.tags.items()}
        checks = {
            "formula, up to α-equivalence": alpha_equivalent(
                found.formula, prolog_notation.parse_sentence(row["fol_prolog"])
            ),
            "formula, letter by letter": fol == row["fol"],
            "clauses, against clf_corrected": clf == row["clf_corrected"],
            "clauses, against clf_published": clf == row["clf_published"],
            "variable-free form": vf == row["vf"],
            "polarity of the formula": polarity == ast.literal_eval(row["pol_from_fol"]),
        }
        checks |= {f"tag {tag}": tags[tag] == published[tag] for tag in tags}
        count_agreements(counts, checks)
    show("SyGNS", counts)


def agree_systematicity(data: Path) -> None:
    grammar, counts = load(systematicity.NAME), Counter[str]()
    for row in rows(data, systematicity.NAME):
        counts["rows"] += 1
        formulas = []
        for text in ("premise", "hypothesis"):
            (found,) = parse_all(grammar, row[text].replace("emptydet", "several"))
            formulas.append(found.meaning())
        quantifiers = row["quantifiers"].replace("emptydet", "several").split(";")
        upward = sum(quantifier in systematicity.DOWNWARD for quantifier in quantifiers) % 2 == 0
        general = row["function"] in ("lex.n", "lex.iv", "disj")
        checks = {
            f"formula of the {text}, up to α-equivalence": alpha_equivalent(
                formula, tptp_notation.parse_sentence(row[f"fol_{text}"])
            )
            for text, formula in zip(("premise", "hypothesis"), formulas, strict=True)
        }
        checks |= {
            "direction": upward == (row["direction"] == "up"),
            "label": (upward is general) == (row["label"] == "yes"),
            "label back": (upward is not general) == (row["label_rev"] == "yes"),
        }
        count_agreements(counts, checks)
    show("Systematicity", counts)


def agree_transitivity(data: Path) -> None:
    grammar, counts = load(transitivity.NAME), Counter[str]()
    by_past = {verb.past: verb for verb in verbs()}
    for row in rows(data, transitivity.NAME):
        counts["rows"] += 1
        (first,) = (found.meaning() for found in parse_all(grammar, row["s1"].replace("punct", ",")))
        (second,) = (found.meaning() for found in parse_all(grammar, row["s2"]))
        published, label = prolog_notation.parse_sentence(row["fol_s1"]), transitivity.relation(first, second)
        verb = by_past[row["verb"]]
        checks = {
            "formula of s1, but for grouping": regrouped(first) == regrouped(published),
            "formula of s1, grouping too": first == published,
            "formula of s2": second == prolog_notation.parse_sentence(row["fol_s2"]),
            "label": two_way(label) == LABELS[row["label"]],
            "label back": two_way(transitivity.relation(second, first)) == LABELS[row["label_rev"]],
            "contradiction": (label == "contradiction") == (row["contradicted"] == "yes"),
            "verb's kind": verb.kind == row["verb_type"],
            "label of f(s1) → s1": two_way(composite(verb.veridical, "entailment"))
            == LABELS[row["label_f_s1"]],
            "label of f(s1) → s2": two_way(composite(verb.veridical, label)) == LABELS[row["label_f_s2"]],
        }
        count_agreements(counts, checks)
    show("Transitivity", counts)


def prove(title: str, claims: Iterable[Any]) -> None:
    """What a prover says of claims, with the time in this process."""
    prover, counts, start = Prover(), Counter[str](), time.process_time()
    for claim in claims:
        counts[examine(claim, prover).value] += 1
    spent, total = time.process_time() - start, counts.total()
    found = ", ".join(f"{count} {value}" for value, count in sorted(counts.items()))
    print(f"  {title:44} {found}; {total / spent:.0f} proofs a CPU second", flush=True)


def proofs(n: int) -> None:
    """Our own labels, with marks at all depths and with counting."""
    print("\nOwn labels proved")
    for depth in systematicity.DEPTHS:
        items = systematicity.draw(n // 5, depth, 1)
        prove(f"systematicity, marks, depth {depth}", (claim for item in items for claim in item.claims()))
    for variant in systematicity.VARIANTS[1:]:
        items = systematicity.draw(n // 20, None, 1, variant)
        prove(f"systematicity, marks, {variant}", (claim for item in items for claim in item.claims()))
    bases = (item for item in transitivity.draw(n, None, 1) if item.verb is None)
    prove("transitivity, s1 → s2 and its negation", (claim for item in bases for claim in item.claims()))
    for depth in systematicity.DEPTHS:
        items = systematicity.draw(max(n // 50, 4) if depth < 3 else max(n // 1000, 4), depth, 1)
        prove(
            f"systematicity, counting, depth {depth}",
            (claim for item in items for claim in item.claims("counting")),
        )


def speed() -> None:
    """CPU seconds of one process."""
    print("\nSpeed, in CPU seconds of one process")
    grammar = load(sygns.NAME)
    start = time.process_time()
    sentences = [derivation for _, derivation in sygns.draw(5000, 1)]
    drawn = time.process_time()
    for derivation in sentences:
        meaning_of(grammar, derivation).row()
    made = time.process_time()
    texts = [derivation.text for derivation in sentences]
    begun = time.process_time()
    for text in texts:
        meaning_of_sentence(grammar, text).row()
    read = time.process_time()
    print(f"  SyGNS, drawn with all meanings and polarity  {5000 / (made - start):.0f} sentences a second")
    print(f"  … of drawn derivations, without drawing      {5000 / (made - drawn):.0f}")
    print(f"  … out of text, with parsing                  {5000 / (read - begun):.0f}")
    start = time.process_time()
    count = sum(1 for item in systematicity.draw(320_000, None, 1) if item.row())
    print(f"  systematicity, {count} pairs               {time.process_time() - start:.1f} s")


def calculus(n: int) -> None:
    """Where the calculus' label and the proof differ, by kind."""
    from natlog.calculus import Labeller

    labeller = Labeller()
    for title, pairs in (
        ("systematicity", _systematicity_pairs(n)),
        ("SyGNS, pairs that its sentences license", _licensed_pairs(n)),
        ("transitivity", _transitivity_pairs(n)),
    ):
        texts, kinds, labels = zip(*pairs, strict=True)
        counts, wrong = Counter[str](), Counter[str]()
        examples: dict[str, str] = {}
        for verdict, kind, label, pair in zip(labeller.label_many(texts), kinds, labels, texts, strict=True):
            counts[kind] += 1
            given = two_way(verdict.label) if verdict.read else "not read"
            if given != label:
                wrong[f"{kind}: {label}, {given}"] += 1
                examples.setdefault(f"{kind}: {label}, {given}", " / ".join(pair))
        print(f"\n{title}: {wrong.total()} of {counts.total()} differ (kind: proved, given)")
        for name, count in wrong.most_common():
            print(f"  {count:4} of {counts[name.rpartition(':')[0]]:4}  {name}\n        {examples[name]}")


Labelled = tuple[tuple[str, str], str, str]


def _systematicity_pairs(n: int) -> Iterator[Labelled]:
    for item in systematicity.draw(n, None, 2):
        label = "entailment" if item.entails else "non-entailment"
        kinds = [kind for kind in ("bare center", "center", "peripheral") if kind in item.kinds]
        yield (item.premise, item.hypothesis), ", ".join([f"depth {item.depth}", *kinds[:1]]), label


def _licensed_pairs(n: int) -> Iterator[Labelled]:
    prover = Prover()
    for pair in licensed.draw(n, 2):
        answer = prover.prove(pair.premise.meaning(), pair.hypothesis.meaning()).answer
        depth = max(pair.premise.depth, pair.hypothesis.depth)
        label = {"yes": "entailment", "no": "non-entailment"}.get(answer, answer)
        yield pair.texts, f"depth {depth}, {pair.kind}", label


def _transitivity_pairs(n: int) -> Iterator[Labelled]:
    for item in transitivity.draw(n, None, 2):
        row = item.row()
        yield (row[2], row[3]), f"{item.kind}{f', {item.verb.kind}' if item.verb else ''}", row[4]


def main() -> None:
    """Print what is asked for."""
    options = argparse.ArgumentParser(description="Measure the testbeds.")
    options.add_argument("data", nargs="?", type=Path)
    options.add_argument("--only", default=",".join(PARTS))
    options.add_argument("--proofs", type=int, default=10_000)
    options.add_argument("--pairs", type=int, default=1000)
    chosen = options.parse_args()
    only = chosen.only.split(",")
    steps: dict[str, Callable[[], object]] = {
        "proofs": lambda: proofs(chosen.proofs),
        "speed": speed,
        "calculus": lambda: calculus(chosen.pairs),
    }
    if "agreement" in only and chosen.data:
        for agree in (agree_systematicity, agree_sygns, agree_transitivity):
            agree(chosen.data)
    for name in only:
        if name in steps:
            steps[name]()


if __name__ == "__main__":
    main()
