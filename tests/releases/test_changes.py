"""The changelog: what is different from the release before."""

from __future__ import annotations

import pytest

from apps.campaigns.models import Judgement
from apps.datasets.models import Direction
from apps.releases import archive, storage

pytestmark = [pytest.mark.django_db]


def test_the_first_release_says_so(make, release):
    make("eee", calculus="e")
    _made, files = release(swaps=False)
    assert "The first release. Pairs: 1." in files.text("CHANGELOG.md")
    assert "changes.tsv" not in files


def test_what_was_added_removed_and_changed_is_counted_and_listed(make, release):
    stays = make("eee", calculus="e")
    goes = make("eee", calculus="e")
    turns = make("eee", calculus="e")
    moves = make("eee", calculus="e")
    options = {"rule": "majority", "swaps": False}
    release(**options)
    Judgement.objects.filter(item__pair=goes).update(answer="unnatural")
    Judgement.objects.filter(item__pair=turns).update(answer="non-entailment")
    moves.direction = Direction.UPWARD
    moves.save()
    comes = make("nnn", calculus="n")
    made, files = release(**options)
    assert made.manifest["before"] == 1
    rows = {(row["id"], row["change"]): (row["before"], row["after"]) for row in files.tsv("changes.tsv")}
    assert rows == {
        (str(comes.pk), "added"): ("", ""),
        (str(goes.pk), "removed"): ("", ""),
        (str(turns.pk), "gold_label"): ("entailment", "non-entailment"),
        (str(moves.pk), "direction"): ("downward", "upward"),
    }
    assert str(stays.pk) not in {row["id"] for row in files.tsv("changes.tsv")}
    text = files.text("CHANGELOG.md")
    assert "Pairs added: 1; removed: 1." in text
    assert "Pairs with another gold label: 1." in text
    assert text.index("## Release 2") < text.index("## Release 1")


def test_nothing_changed_is_said(make, release):
    make("eee", calculus="e")
    release(swaps=False)
    assert "No pair was added, removed or changed." in release(swaps=False)[1].text("CHANGELOG.md")


def test_another_seed_moves_pairs_to_other_splits(make, release):
    for _number in range(30):
        make("eee", calculus="e")
    options = {"swaps": False, "train": 50, "validation": 0, "test": 50}
    release(**options)
    rows = release(**options, seed=2)[1].tsv("changes.tsv")
    assert rows
    assert {row["change"] for row in rows} == {"split"}


def test_a_release_before_that_is_lost_is_said_to_be(make, release):
    make("eee", calculus="e")
    made, _files = release(swaps=False)
    storage.final_path(made).unlink()
    assert "Release 1 can't be compared" in release(swaps=False)[1].text("CHANGELOG.md")


def test_written_again_it_compares_with_the_same_release(make, release):
    make("eee", calculus="e")
    release()
    second, _files = release()
    release()
    again = archive.write(second, claim="again")
    assert again.path.read_bytes() == storage.final_path(second).read_bytes()
