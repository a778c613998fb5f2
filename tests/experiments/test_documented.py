"""The tables of docs/experiments*.md: chance where nothing was learnt, and learnt what is held against it."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from apps.experiments.protocols import protocols

PAGES = "\n".join(
    (settings.BASE_DIR / "docs" / name).read_text("utf-8")
    for name in ("experiments-smoke.md", "experiments.md")
)
CHANCE = "most frequent label"
# Three standard deviations of a guess at 500 pairs, in %.
SLACK = 3 * 100 * (0.25 / 500) ** 0.5


def tables():
    """By its heading the first table of results below each, a row by its columns."""
    found, heading, columns = {}, "", None
    for line in PAGES.splitlines():
        if line.startswith("#"):
            heading = line.strip("# ").replace("`", "")
        elif not line.startswith("| "):
            columns = columns if line.startswith("|--") else None
        else:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if columns:
                found[heading].append(dict(zip(columns, cells, strict=True)))
            elif cells[0] == "trained on" and heading not in found:
                found[heading], columns = [], cells
    return found


TABLES = tables()
#: By table, if it has chance beside networks, those of them that learnt nothing.
UNTRAINED = {
    key: found
    for key, (row, *_rows) in TABLES.items()
    if CHANCE in row and (found := [column for column in row if column.endswith("untrained")])
}


def mean(text):
    return float(re.match(r"[\d.]+", text)[0])


def deviation(text):
    return float(text.partition("±")[2] or 0)


def test_every_protocol_has_its_table_at_desk():
    assert {f"{key} at desk" for key in protocols()} <= set(TABLES)


def test_every_protocol_of_the_two_papers_has_its_table_with_every_line():
    papers = ("systematicity", "transitivity")
    for key, protocol in protocols().items():
        if protocol.paper in papers:
            wanted = [(t, test.name) for t in protocol.trainings for test in protocol.tests_after(t)]
            for shown in (key, f"{key} at desk"):
                assert [(row["trained on"], row["tested on"]) for row in TABLES[shown]] == wanted, shown


@pytest.mark.parametrize("key", UNTRAINED)
def test_untrained_networks_stand_at_chance_in_every_line(key):
    """Whoever knows nothing is right as often as one of the two labels is there, or somewhere between. Where
    each seed has its own rows, which label that is may differ by seed."""
    for row in TABLES[key]:
        often = mean(row[CHANCE])
        low, high = sorted((often, 100 - often))
        slack = max(SLACK, deviation(row[CHANCE]))
        for network in UNTRAINED[key]:
            assert low - slack <= mean(row[network]) <= high + slack, (network, row)


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
