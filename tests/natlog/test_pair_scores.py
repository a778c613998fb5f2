"""Scoring pairs: shares, baselines, halves."""

from natlog.calculus import Verdict
from natlog.pair_scores import Share, fold, half, score
from natlog.pairs import Pair


def verdict(label, direction="upward", tags=()):
    return Verdict(label, direction, tags, 1.0, "")


def test_two_labels_fold_neutral_and_contradiction():
    assert [fold(label, 2) for label in ("entailment", "neutral", "contradiction")] == [
        "entailment",
        "non-entailment",
        "non-entailment",
    ]
    assert fold("non-entailment", 3) == "neutral"


def test_scores_by_direction_genre_and_tag_with_confusion_and_tagging():
    pairs = [
        Pair("a", "b", "entailment", "crowd:upward_monotone:npi"),
        Pair("c", "d", "neutral", "crowd:upward_monotone"),
        Pair("e", "f", "neutral", "paper:downward_monotone:npi"),
    ]
    given = [
        verdict("entailment", tags=("npi",)),
        verdict("entailment"),
        verdict("non-entailment", "downward"),
    ]
    scores = score(pairs, given)
    assert scores.all == Share(2, 3)
    assert scores.directions == {"downward": Share(1, 1), "upward": Share(1, 2)}
    assert scores.tags == {"npi": Share(2, 2)}
    assert scores.tagging == {"npi": (1.0, 0.5)}
    assert scores.confusion == {
        ("entailment", "entailment"): 1,
        ("non-entailment", "entailment"): 1,
        ("non-entailment", "non-entailment"): 1,
    }
    assert scores.majority == Share(2, 3)
    assert scores.direction_agreement == Share(3, 3)


def test_of_nothing_there_is_no_accuracy():
    assert Share(0, 0).accuracy is None


def test_swapped_and_repeated_pairs_stay_in_one_half():
    pairs = [Pair("a", "b"), Pair("c", "d"), Pair("b", "a"), Pair("e", "f"), Pair("a", "b")]
    assert half(pairs, "even") == [pairs[0], pairs[2], pairs[3], pairs[4]]
    assert half(pairs, "odd") == [pairs[1]]
