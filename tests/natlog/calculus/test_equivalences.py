"""Forms that say the same, and what follows from them, under every convention that reads them alike."""

from pathlib import Path

import pytest

from natlog.calculus import Labeller

NAMES = {"E": "entailment", "N": "non-entailment", "C": "contradiction"}


def rows():
    for line in Path(__file__).with_name("equivalences.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            one, two, label = line.split("\t")
            yield one, two, "E" if label == "=" else label
            if label == "=":
                yield two, one, "E"


ROWS = list(rows())


@pytest.fixture(scope="module")
def verdicts():
    return {
        convention: list(Labeller(convention=convention).label_many((one, two) for one, two, _ in ROWS))
        for convention in ("default", "med")
    }


@pytest.mark.parametrize("convention", ["default", "med"])
@pytest.mark.parametrize("number", range(len(ROWS)), ids=[f"{one} / {two}" for one, two, _ in ROWS])
def test_label(verdicts, number, convention):
    verdict, expected = verdicts[convention][number], ROWS[number][2]
    if expected == "!":
        assert verdict.label != "entailment", verdict.reason
    else:
        assert verdict.label == NAMES[expected], verdict.reason
