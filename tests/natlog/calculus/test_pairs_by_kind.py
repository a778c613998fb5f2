"""Pairs by kind, marked by hand before the rules: forms that say the same, and where an edit stands."""

from pathlib import Path

import pytest

from natlog.calculus import Labeller

NAMES = {"E": "entailment", "N": "non-entailment", "C": "contradiction"}
FILES = [("equivalences.tsv", "default"), ("equivalences.tsv", "med"), ("structure.tsv", "default")]


def rows(name):
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            one, two, label = line.split("\t")
            yield one, two, "E" if label == "=" else label
            if label == "=":
                yield two, one, "E"


PAIRS = [(convention, row) for name, convention in FILES for row in rows(name)]


@pytest.fixture(scope="module")
def verdicts():
    found = {}
    for convention in ("default", "med"):
        asked = [(one, two) for of, (one, two, _) in PAIRS if of == convention]
        labelled = Labeller(convention=convention).label_many(asked)
        found |= {(convention, *pair): verdict for pair, verdict in zip(asked, labelled, strict=True)}
    return found


@pytest.mark.parametrize(
    ("convention", "row"), PAIRS, ids=[f"{convention}: {one} / {two}" for convention, (one, two, _) in PAIRS]
)
def test_label(verdicts, convention, row):
    one, two, expected = row
    verdict = verdicts[convention, one, two]
    if expected == "!":
        assert verdict.label != "entailment", verdict.reason
    else:
        assert verdict.label == NAMES[expected], verdict.reason
