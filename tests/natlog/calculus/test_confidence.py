"""Confidence: in [0, 1], never higher for trouble, low for what is not read, and true on the odd halves."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natlog.calculus import Labeller
from natlog.calculus.confidence import TROUBLE, confidence, doubts, signs, weights
from natlog.calculus.evidence import Evidence
from natlog.calibration import calibration_error
from natlog.pair_scores import fold, half
from natlog.pairs import Pair, read_pairs

HERE = Path(__file__).parent
LABELS = st.sampled_from(sorted(TROUBLE))
ANY = st.builds(
    Evidence,
    label=LABELS,
    read=st.booleans(),
    unknown=st.integers(0, 5),
    assumed=st.booleans(),
    weakest=st.floats(0, 1),
    parse=st.floats(0, 1),
    repaired=st.booleans(),
    changes=st.integers(0, 40),
    share=st.floats(0, 1),
    length=st.integers(0, 400),
    **dict.fromkeys(
        [
            *("under", "veridical", "reworded", "quantifier", "negation", "inserted", "deleted", "replaced"),
            *("broken", "coordinated", "synonymous", "excluding", "crossing", "voted"),
        ],
        st.booleans(),
    ),
)


@pytest.fixture(scope="module")
def labeller():
    return Labeller(convention="med")


@given(ANY)
def test_any_evidence_gives_a_probability(evidence):
    assert 0 <= confidence(evidence) <= 1
    assert all(isinstance(word, str) for word in doubts(evidence))


def test_every_verdict_on_the_tests_own_pairs_has_a_probability(labeller):
    pairs = []
    for name in ("everyday.tsv", "equivalences.tsv", "structure.tsv"):
        for row in (HERE / name).read_text("utf-8").splitlines():
            if row.strip() and not row.startswith("#"):
                pairs.append(tuple(row.split("\t")[:2]))
    assert len(pairs) > 300
    verdicts = list(labeller.label_many(pairs))
    assert all(0 <= verdict.confidence <= 1 for verdict in verdicts)
    assert all(verdict.confidence == confidence(verdict.evidence) for verdict in verdicts)
    assert len({verdict.confidence for verdict in verdicts}) > 30


@given(ANY)
def test_what_is_not_read_is_less_sure_than_anything_that_is(evidence):
    assert confidence(replace(evidence, read=False)) < confidence(replace(evidence, read=True))


def test_signs_of_trouble_have_no_weight_above_0_and_every_sign_has_one():
    assert set(weights()) == set(TROUBLE)
    for label, by_sign in weights().items():
        assert set(by_sign) == {"base", *signs(Evidence(label))}
        assert all(by_sign[name] <= 0 for name in TROUBLE[label])


@given(
    ANY,
    st.sampled_from(
        [
            {"repaired": True},
            {"parse": 0.0},
            {"weakest": 0.0},
            {"length": 400},
            {"broken": True},
            {"reworded": True},
        ]
    ),
)
def test_trouble_never_makes_surer(evidence, trouble):
    evidence = replace(
        evidence, repaired=False, parse=1.0, weakest=1.0, length=4, broken=False, reworded=False
    )
    assert confidence(replace(evidence, **trouble)) <= confidence(evidence)


@given(ANY.filter(lambda evidence: evidence.label != "non-entailment"), st.integers(1, 5), st.floats(0, 1))
def test_more_changes_never_make_a_claim_surer(evidence, more, share):
    worse = replace(
        evidence, changes=evidence.changes + more, share=evidence.share + share * (1 - evidence.share)
    )
    assert confidence(worse) <= confidence(evidence)


@pytest.mark.parametrize("unknown", ["independent", "specific"])
def test_an_unknown_word_makes_less_sure_and_is_named(unknown):
    labeller = Labeller(convention="med", unknown=unknown)
    known = labeller.label("No dog came.", "No poodle came.")
    verdict = labeller.label("No glorp came.", "No blorp came.")
    assert verdict.confidence < known.confidence - 0.1
    assert verdict.evidence.assumed is (unknown == "specific")
    assert not verdict.read or any("unknown word" in doubt for doubt in doubts(verdict.evidence))


def test_what_is_not_read_says_so(labeller):
    verdict = labeller.label("Tom sneezed that Ann left.", "Ann left.")
    assert (verdict.confidence, doubts(verdict.evidence)) == (0.1, ("not read",))


def pairs_of(folder, name):
    """The part of a file that nothing was fitted on."""
    if name == "sick_corrected.csv":
        with (folder / name).open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            return [
                Pair(row["sentence_A"], row["sentence_B"], row["entailment_label"].strip().lower())
                for row in table
                if row["SemEval_set"] == "TEST"
            ][::4]
    pairs = [pair for pair in read_pairs(str(folder / name)) if pair.label]
    return pairs[1::2] if name == "transitivity_human.tsv" else half(pairs, "odd")


@pytest.mark.parametrize(
    ("name", "convention", "labels", "most"),
    [
        ("MED_dev.tsv", "med", 2, 0.05),
        ("sick_corrected.csv", "default", 3, 0.06),
        ("transitivity_human.tsv", "med", 2, 0.05),
    ],
)
def test_it_comes_true_on_the_half_not_fitted_on(shared_data, name, convention, labels, most):
    if not (shared_data / name).exists():
        pytest.skip(f"no {shared_data / name}")
    pairs = pairs_of(shared_data, name)
    verdicts = Labeller(convention=convention).label_many((pair.premise, pair.hypothesis) for pair in pairs)
    read = [(pair, verdict) for pair, verdict in zip(pairs, verdicts, strict=True) if verdict.read]
    right = [fold(pair.label, labels) == fold(verdict.label, labels) for pair, verdict in read]
    assert calibration_error([verdict.confidence for _, verdict in read], right) <= most
    assert calibration_error([0.5] * len(right), right) > 0.2  # a confidence that says nothing is found out
    assert calibration_error([1 - verdict.confidence for _, verdict in read], right) > 0.2
