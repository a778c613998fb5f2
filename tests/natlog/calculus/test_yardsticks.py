"""The published yardsticks, on the half that the rules were not tuned on (docs/natlog-calculus.md)."""

import csv

import pytest

from natlog.calculus import Labeller
from natlog.pair_scores import fold, half, score
from natlog.pairs import read_pairs


@pytest.fixture(scope="module")
def labeller():
    return Labeller(convention="med")


@pytest.mark.parametrize(
    ("name", "labels", "genre", "floor"),
    [
        ("MED_dev.tsv", 2, "", 0.935),
        ("nmonli_dev.jsonl", 2, "", 0.96),
        ("pmonli_dev.jsonl", 2, "", 0.96),
        ("fragments_monotonicity_simple_dev.jsonl", 3, "", 0.945),
        ("fragments_monotonicity_hard_dev.jsonl", 3, "", 0.85),
        ("fracas.xml", 2, "1 generalized quantifiers", 0.95),
        ("fracas.xml", 3, "", 0.69),
    ],
)
def test_the_half_not_tuned_on(shared_data, labeller, name, labels, genre, floor):
    path = shared_data / name
    if not path.exists():
        pytest.skip(f"no {path}")
    pairs = half([pair for pair in read_pairs(str(path)) if pair.label and genre in pair.genre], "odd")
    verdicts = list(labeller.label_many((pair.premise, pair.hypothesis) for pair in pairs))
    scores = score(pairs, verdicts, labels)
    assert scores.all.accuracy >= floor
    assert all(share.accuracy >= 0.9 for share in scores.directions.values())


def test_sick_trial(shared_data):
    """The smallest part of SICK as corrected: three labels, unknown words independent."""
    path = shared_data / "sick_corrected.csv"
    if not path.exists():
        pytest.skip(f"no {path}")
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        rows = [row for row in table if row["SemEval_set"] == "TRIAL"]
    engine = Labeller(convention="med", unknown="independent")
    verdicts = list(engine.label_many((row["sentence_A"], row["sentence_B"]) for row in rows))
    labels = [row["entailment_label"].strip().lower() for row in rows]
    right = [fold(verdict.label, 3) == label for verdict, label in zip(verdicts, labels, strict=True)]
    read = [hit for hit, verdict in zip(right, verdicts, strict=True) if verdict.read]
    assert sum(right) / len(right) >= 0.84
    assert sum(read) / len(read) >= 0.88
    assert len(read) / len(rows) >= 0.6
