"""Pairs by phenomenon of the FraCaS suite's sections, in other words, marked by hand before the rules."""

from pathlib import Path

import pytest

from natlog.calculus import Labeller

NAMES = {"E": "entailment", "N": "non-entailment", "C": "contradiction"}
FLOOR = 0.93
"""The share of them that must come out right."""


@pytest.mark.parametrize("convention", ["default", "med"])
def test_most_come_out_as_marked(convention):
    lines = Path(__file__).with_name("phenomena.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    verdicts = Labeller(convention=convention).label_many((one, two) for one, two, _ in rows)
    wrong = [
        f"{one} / {two}: {verdict.label}, {expected}: {verdict.reason}"
        for (one, two, expected), verdict in zip(rows, verdicts, strict=True)
        if (verdict.label == "entailment" if expected == "!" else verdict.label != NAMES[expected])
    ]
    assert len(wrong) <= (1 - FLOOR) * len(rows), "\n".join(wrong)
