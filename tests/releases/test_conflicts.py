"""Two gold rules may not quietly publish opposite labels: a release says how many pairs differ, and which."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.campaigns.models import Judgement
from apps.datasets.models import GoldLabel
from apps.releases.forecast import preview
from apps.releases.gold_rules import Options

pytestmark = [pytest.mark.django_db, pytest.mark.both]

MAJORITY = {"rule": "majority", "swaps": False}
DECIDED = {"rule": "adjudicated", "judgements": 0, "swaps": False}


@pytest.fixture
def disputed(make):
    """Two pairs that people and a researcher call the same, and one on which they differ."""
    pairs = [make("eee", calculus="e"), make("nnn", calculus="n"), make("eee", calculus="e")]
    for pair, label in zip(pairs, ("entailment", "non-entailment", "non-entailment"), strict=True):
        GoldLabel.objects.create(pair=pair, source="adjudication", label=label)
    return pairs[-1]


def counts(found: list[dict]) -> dict[str, tuple[int, int]]:
    return {f"{one['source']} {one['release'] or ''}".strip(): (one["pairs"], one["differ"]) for one in found}


def test_a_release_says_how_many_pairs_an_earlier_one_labels_otherwise(disputed, release, client_of, ada):
    first, files = release(**MAJORITY)
    assert counts(first.manifest["counts"]["labelled_otherwise"]) == {"people": (3, 0), "decision": (3, 1)}
    second, files = release(**DECIDED)
    assert counts(second.manifest["counts"]["labelled_otherwise"]) == {
        "people": (3, 1),
        "decision": (3, 0),
        "release 1": (3, 1),
    }
    assert files.tsv("other_labels.tsv") == [
        {
            "id": str(disputed.pk),
            "source": source,
            "label_there": "entailment",
            "label_here": "non-entailment",
        }
        for source in ("people", "release 1")
    ]
    said = "release 1 (rule: majority) labels 3 of these pairs too, 1 of them otherwise"
    assert said in files.text("README.md")
    assert said in files.text("CHANGELOG.md")
    address = reverse("releases:release", args=[second.dataset.study.slug, second.pk])
    shown = " ".join(client_of(ada).get(address).content.decode().split())
    assert "Labelled otherwise" in shown and "release 1" in shown


def test_it_is_said_of_every_earlier_release_and_not_of_the_last_alone(disputed, release):
    release(**DECIDED)
    release(**MAJORITY)
    third, files = release(**MAJORITY)
    found = counts(third.manifest["counts"]["labelled_otherwise"])
    assert (found["release 1"], found["release 2"]) == ((3, 1), (3, 0))
    assert [row["source"] for row in files.tsv("other_labels.tsv")] == ["decision", "release 1"]


def test_it_is_said_before_anything_is_made(disputed, dataset, release):
    release(**DECIDED)
    found = preview(dataset, Options(**MAJORITY)).otherwise
    assert [(one.source, one.release, one.pairs, one.differ) for one in found] == [
        ("people", None, 3, 0),
        ("decision", None, 3, 1),
        ("release", 1, 3, 1),
    ]


def test_answers_that_turn_after_a_release_show_in_the_next(make, release):
    pair = make("eee", calculus="e")
    make("eee", calculus="e")
    release(**MAJORITY)
    Judgement.objects.filter(item__pair=pair).update(answer="non-entailment")
    second, files = release(**MAJORITY)
    assert counts(second.manifest["counts"]["labelled_otherwise"])["release 1"] == (2, 1)
    assert "1 of them otherwise" in files.text("CHANGELOG.md")


def test_what_has_no_label_there_or_here_says_nothing(make, release):
    tie = make("en", calculus="e")
    make("eee", calculus="e")
    GoldLabel.objects.create(pair=tie, source="file", label="-")
    made, files = release(rule="majority", judgements=2, keep_unlabelled=True, swaps=False)
    assert counts(made.manifest["counts"]["labelled_otherwise"]) == {"people": (1, 0)}
    assert "other_labels.tsv" not in files
    assert "other_labels.tsv" not in files.text("README.md")
