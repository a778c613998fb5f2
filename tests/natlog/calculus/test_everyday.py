"""Nearly three hundred pairs of everyday English, each with its label."""

from pathlib import Path

import pytest

from natlog.calculus import Labeller

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("everyday.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def verdicts():
    labeller = Labeller(convention="med")
    return list(labeller.label_many((premise, hypothesis) for premise, hypothesis, _ in ROWS))


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[f"{a} / {b}" for a, b, _ in ROWS])
def test_label(verdicts, number):
    expected = ROWS[number][2] == "E"
    assert (verdicts[number].label == "entailment") is expected, verdicts[number].reason
