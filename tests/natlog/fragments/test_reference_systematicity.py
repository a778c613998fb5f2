"""Agreement with rows of the published systematicity program."""

import csv

import pytest

from natlog.fragments.grammar import load
from natlog.fragments.parsing import parse_all
from natlog.fragments.systematicity import DOWNWARD, UPWARD
from natlog.logic.formula import alpha_equivalent
from natlog.logic.tptp_notation import parse_sentence


@pytest.fixture(scope="module")
def rows(shared_data):
    path = shared_data / "reference" / "systematicity.tsv"
    if not path.exists():
        pytest.skip(f"no {path}")
    lines = (line for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    return list(csv.DictReader(lines, delimiter="\t"))[::3]


def test_formulas_are_the_published_ones(rows):
    grammar = load("systematicity")
    for row in rows:
        for text, formula in (("premise", "fol_premise"), ("hypothesis", "fol_hypothesis")):
            # "several" has this name inside the published program.
            (derivation,) = parse_all(grammar, row[text].replace("emptydet", "several"))
            assert alpha_equivalent(derivation.meaning(), parse_sentence(row[formula])), row[text]


def test_directions_and_labels_are_the_published_ones(rows):
    for row in rows:
        quantifiers = row["quantifiers"].replace("emptydet", "several").split(";")
        assert all(quantifier in UPWARD + DOWNWARD for quantifier in quantifiers)
        upward = sum(quantifier in DOWNWARD for quantifier in quantifiers) % 2 == 0
        assert upward == (row["direction"] == "up")
        general = row["function"] in ("lex.n", "lex.iv", "disj")
        assert (row["label"] == "yes") == (upward is general)
        assert (row["label_rev"] == "yes") == (upward is not general)
