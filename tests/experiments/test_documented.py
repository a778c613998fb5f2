"""The tables of docs/experiments*.md: chance where nothing was learnt, and learnt what is held against it."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from apps.experiments.protocols import protocols

PAGES = "".join(
    (settings.BASE_DIR / "docs" / name).read_text("utf-8")
    for name in ("experiments-smoke.md", "experiments.md")
)
COLUMNS = ["trained on", "tested on", "LSTM", "untrained", "calculus", "most frequent label"]
# What `manage.py experiment_tables` calls the two.
CALLED = {"LSTM, untrained": "untrained"}
# Three standard deviations of a guess at 500 pairs, in %.
SLACK = 3 * 100 * (0.25 / 500) ** 0.5


def tables():
    """By protocol the rows of its table at smoke, each by its columns; another preset is named behind
    the protocol."""
    found = {}
    for part in PAGES.split("\n### ")[1:]:
        key, lines = part.split("\n", 1)
        rows = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in lines.splitlines()
            if line.startswith("| ")
        ]
        heading = [CALLED.get(name, name) for name in rows[0]] if rows else []
        if [name for name in heading if name != "rows"][: len(COLUMNS)] == COLUMNS:
            found[key.replace("`", "")] = [dict(zip(heading, row, strict=True)) for row in rows[1:]]
    return found


TABLES = tables()


def mean(text):
    return float(re.match(r"[\d.]+", text)[0])


def deviation(text):
    return float(text.partition("±")[2] or 0)


def test_every_protocol_of_the_two_papers_has_its_table_with_every_line():
    papers = ("systematicity", "transitivity")
    labelled = {key: protocol for key, protocol in protocols().items() if protocol.paper in papers}
    assert {key for key in TABLES if " " not in key} == set(labelled)
    for key, protocol in labelled.items():
        wanted = [(t, test.name) for t in protocol.trainings for test in protocol.tests_after(t)]
        assert [(row["trained on"], row["tested on"]) for row in TABLES[key]] == wanted, key


@pytest.mark.parametrize("key", TABLES)
def test_untrained_networks_stand_at_chance_in_every_line(key):
    """Whoever knows nothing is right as often as one of the two labels is there, or somewhere between. Where
    each seed has its own rows, which label that is may differ by seed."""
    for row in TABLES[key]:
        often = mean(row["most frequent label"])
        low, high = sorted((often, 100 - often))
        slack = max(SLACK, deviation(row["most frequent label"]))
        assert low - slack <= mean(row["untrained"]) <= high + slack, row


@pytest.mark.parametrize(
    ("key", "training", "test"),
    [
        ("systematicity_mixing", "D1 ∪ D2 + NLI", "D1"),
        ("systematicity_embedding", "S0", "D1"),
        ("systematicity_productivity", "D1 ∪ D2", "D2"),
        ("transitivity_random", "all kinds", "overall"),
        ("transitivity_basic", "-B", "basic: f(s1) → s1"),
        ("transitivity_natural", "-B", "basic: f(s1) → s1"),
        ("transitivity_natural_random", "-T", "overall"),
    ],
)
def test_what_failing_elsewhere_is_held_against_is_learnt_in_distribution(key, training, test):
    (row,) = [r for r in TABLES[key] if (r["trained on"], r["tested on"]) == (training, test)]
    assert mean(row["LSTM"]) >= 95
