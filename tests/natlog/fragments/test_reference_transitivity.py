"""Agreement with rows of the published transitivity program, its known faults aside."""

import csv

import pytest

from natlog.fragments.embedding import composite, two_way, verbs
from natlog.fragments.grammar import load
from natlog.fragments.parsing import parse_all
from natlog.fragments.transitivity import relation
from natlog.logic.formula import And, Not, Or, conjunction, disjunction
from natlog.logic.prolog_notation import parse_sentence

LABELS = {"yes": "entailment", "unk": "non-entailment"}


@pytest.fixture(scope="module")
def rows(shared_data):
    path = shared_data / "reference" / "transitivity.tsv"
    if not path.exists():
        pytest.skip(f"no {path}")
    lines = (line for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    return list(csv.DictReader(lines, delimiter="\t"))


def parts(formula, kind):
    return parts(formula.left, kind) + parts(formula.right, kind) if isinstance(formula, kind) else [formula]


def to_the_right(formula):
    """The formula with ∧ and ∨ grouped to the right: the published program groups three names to the left."""
    if isinstance(formula, Not):
        return Not(to_the_right(formula.body))
    for kind, join in ((And, conjunction), (Or, disjunction)):
        if isinstance(formula, kind):
            return join([to_the_right(part) for part in parts(formula, kind)])
    return formula


def test_formulas_and_labels_are_the_published_ones(rows):
    grammar, by_past = load("transitivity"), {verb.past: verb for verb in verbs()}
    for row in rows:
        # The published comma is the token "punct".
        (first,) = (found.meaning() for found in parse_all(grammar, row["s1"].replace("punct", ",")))
        (second,) = (found.meaning() for found in parse_all(grammar, row["s2"]))
        assert to_the_right(first) == to_the_right(parse_sentence(row["fol_s1"])), row["s1"]
        assert second == parse_sentence(row["fol_s2"])
        label = relation(first, second)
        assert (two_way(label), label == "contradiction") == (
            LABELS[row["label"]],
            row["contradicted"] == "yes",
        )
        assert two_way(relation(second, first)) == LABELS[row["label_rev"]]
        verb = by_past[row["verb"]]
        assert verb.kind == row["verb_type"]
        assert two_way(composite(verb.veridical, "entailment")) == LABELS[row["label_f_s1"]]
        assert two_way(composite(verb.veridical, label)) == LABELS[row["label_f_s2"]]
