"""Swapped twins: which pairs get one, and why the others don't."""

from __future__ import annotations

import pytest

from apps.curation.flags import pair_set_swappable
from apps.datasets.models import Pair
from apps.releases.forecast import preview
from apps.releases.gold_rules import Options

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.mark.parametrize(
    ("answers", "direction", "label", "twin"),
    [
        ("eee", "downward", "entailment", "non-entailment"),
        ("nnn", "upward", "non-entailment", "entailment"),
    ],
)
def test_a_twin_is_exchanged_and_has_the_other_label(make, release, answers, direction, label, twin):
    pair = make(answers, calculus=answers[0], direction=direction)
    _release, files = release()
    first, second = files.pairs
    assert (first["gold_label"], second["gold_label"]) == (label, twin)
    assert (second["premises"], second["hypothesis"]) == ([pair.hypothesis], pair.premise)
    assert (second["swapped_from"], second["direction"], second["answers"]) == (pair.pk, direction, [])
    stored = Pair.objects.get(origin="swap")
    assert (stored.pk, stored.swapped_from, stored.genre) == (second["id"], pair, pair.genre)
    assert stored.premise == pair.hypothesis
    assert stored.gold_labels.get(source="swap").label == twin


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"detail": {"swappable": False, "swap_bar": "a synonym was put in"}}, "a synonym was put in"),
        ({"detail": {}}, "no calculus label that allows it"),
        ({"direction": "non-monotone", "calculus": "e"}, "not at an upward or downward place"),
    ],
)
def test_a_pair_that_does_not_turn_over_is_not_swapped_and_says_why(make, release, fields, kind):
    pair = make("eee", **{"calculus": "e", **fields})
    made, files = release()
    assert [row["id"] for row in files.pairs] == [pair.pk]
    (row,) = files.tsv("not_swapped.tsv")
    assert row["pairID"] == str(pair.pk)
    assert row["kind"] == kind
    assert row["reason"]
    assert made.manifest["counts"]["not_swapped"] == {kind: 1}


UNKNOWN = {"detail": {"swappable": False, "swap_bar": "unknown which wording is the more specific"}}


@pytest.mark.parametrize(
    ("answers", "fields", "twins"),
    [
        ("een", {}, 1),
        ("een", {"detail": {"swappable": False, "swap_bar": "a synonym was put in"}}, 0),
        ("een", {"origin": "import"}, 0),
        ("enn", {}, 0),
    ],
    ids=["most agree", "another bar", "not asked for more specific", "most differ"],
)
def test_wordings_that_no_source_relates_have_a_twin_where_people_agree_if_it_is_wanted(
    make, dataset, answers, fields, twins
):
    make(answers, calculus="e", **{**UNKNOWN, **fields})
    rule = {"rule": "at-least", "matches": 1}
    assert preview(dataset, Options(**rule)).twins == 0
    assert preview(dataset, Options(**rule, unknown_twins=True)).twins == twins


def test_a_twin_on_peoples_agreement_is_marked_and_said(make, release):
    make("eee", calculus="e", **UNKNOWN)
    make("eee", calculus="e")
    _release, files = release(unknown_twins=True)
    twins = [row["facts"] for row in files.pairs if row["origin"] == "swap"]
    assert twins == [{"twin_by": "people's agreement with the calculus"}, {}]
    assert "no source relates the two wordings" in files.text("README.md")


def test_a_pair_excluded_by_hand_is_not_swapped_until_allowed_again(make, dataset, ada):
    pair = make("eee", calculus="e")
    pair_set_swappable(pair=pair, actor=ada, swappable=False)
    assert preview(dataset, Options()).not_swapped == {"excluded by hand": 1}
    pair_set_swappable(pair=pair, actor=ada, swappable=True)
    assert preview(dataset, Options()).twins == 1


def test_an_exchanged_pair_that_people_wrote_too_is_not_made_twice(make, dataset):
    one = make("eee", calculus="e")
    make(premise=one.hypothesis, hypothesis=one.premise)
    assert preview(dataset, Options()).not_swapped == {"the exchanged pair is in the dataset already": 1}


def test_a_second_release_uses_the_same_twins(make, release):
    make("eee", calculus="e")
    _one, first = release()
    _two, second = release()
    assert first["data/train.jsonl"] == second["data/train.jsonl"]
    assert Pair.objects.filter(origin="swap").count() == 1


def test_without_swaps_there_are_no_twins(make, release):
    make("eee", calculus="e")
    _release, files = release(swaps=False)
    assert len(files.pairs) == 1
    assert not Pair.objects.filter(origin="swap").exists()


@pytest.mark.parametrize(
    ("answers", "direction", "calculus"), [("nnn", "downward", "e"), ("eee", "upward", "n")]
)
def test_what_people_say_against_the_calculus_has_no_other_way_round(
    make, dataset, answers, direction, calculus
):
    """That P does not entail H says nothing of whether H entails P."""
    make(answers, calculus=calculus, direction=direction)
    assert preview(dataset, Options(rule="majority")).not_swapped == {"the label is not the calculus' own": 1}
