"""Tags and flags on many pairs at once: what is meant, what changes, what the trail says, and undoing it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.datasets.models import BulkEdit, Pair, Tag
from apps.datasets.services import BY_HAND
from apps.datasets.working import editing
from apps.datasets.working.editing import edit_start, undo_start

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def tags(pair: Pair) -> set[tuple[str, str]]:
    return set(pair.tags.values_list("name", "source"))


@pytest.fixture
def pairs(make) -> dict[str, Pair]:
    """a is upward; b has a tag of its file, c the same one of the calculus, d by hand and of its file."""
    found = {letter: make(direction="upward" if letter == "a" else "downward") for letter in "abcd"}
    found["b"].tags.create(name="npi", source="file")
    found["c"].tags.create(name="npi", source="natlog")
    found["d"].tags.create(name="npi", source="file")
    found["d"].tags.create(name="npi", source=BY_HAND)
    return found


def test_all_that_pass_the_filters_get_the_tag_and_lose_it_again(pairs, dataset, ada, study):
    edit = edit_start(
        dataset=dataset, actor=ada, action="add", tag=" npi ", filters={"direction": "downward"}
    )
    assert (edit.matched, edit.changed) == (3, 2)  # d has it by hand already
    assert [tags(pairs[letter]) for letter in "abc"] == [
        set(),
        {("npi", "file"), ("npi", BY_HAND)},
        {("npi", "natlog"), ("npi", BY_HAND)},
    ]
    event = study.audit_events.get(action="pairs.edited")
    assert event.actor == ada
    assert event.data["filters"] == {"direction": "downward"}
    assert (event.data["matched"], event.data["changed"]) == (3, 2)
    assert set(edit.changes.values_list("pair_id", flat=True)) == {pairs["b"].pk, pairs["c"].pk}
    undo_start(edit=edit, actor=ada)
    assert tags(pairs["b"]) == {("npi", "file")}
    assert tags(pairs["d"]) == {("npi", "file"), ("npi", BY_HAND)}
    assert study.audit_events.get(action="pairs.edit_undone").data["changed"] == 2
    with pytest.raises(ValidationError, match="undone already"):
        undo_start(edit=edit, actor=ada)


def test_a_tag_taken_away_comes_back_with_its_source_and_the_calculus_keeps_its_own(pairs, dataset, ada):
    edit = edit_start(dataset=dataset, actor=ada, action="remove", tag="npi", filters={})
    assert (edit.matched, edit.changed) == (4, 2)
    assert [tags(pairs[letter]) for letter in "bcd"] == [set(), {("npi", "natlog")}, set()]
    undo_start(edit=edit, actor=ada)
    assert tags(pairs["b"]) == {("npi", "file")}
    assert tags(pairs["d"]) == {("npi", "file"), ("npi", BY_HAND)}


def test_only_ticked_pairs_of_this_dataset_are_meant(pairs, make, dataset, ada, study):
    from apps.datasets.services import dataset_create

    foreign = make(dataset=dataset_create(study=study, actor=ada, name="Other"))
    ticked = [pairs["a"].pk, foreign.pk]
    edit = edit_start(dataset=dataset, actor=ada, action="add", tag="odd", ticked=ticked)
    assert (edit.matched, edit.changed) == (1, 1)
    assert not tags(foreign)


@pytest.mark.parametrize(
    ("meant", "word"),
    [
        ({"filters": {"direction": "sideways"}}, "sideways"),
        ({"filters": {"direction": "non-monotone"}}, "No pair"),
        ({"ticked": []}, "No pair"),
        ({"filters": {}, "tag": "  "}, "empty"),
        ({"filters": {}, "tag": "x" * 61}, "60 characters"),
        ({"filters": {}, "action": "burn"}, "Add or take away"),
        ({"ticked": list(range(2000))}, "can be ticked"),
    ],
)
def test_what_is_refused_changes_nothing(pairs, dataset, ada, meant, word):
    with pytest.raises(ValidationError, match=word):
        edit_start(**{"dataset": dataset, "actor": ada, "action": "add", "tag": "odd", **meant})
    assert not BulkEdit.objects.exists()
    assert not Tag.objects.filter(name="odd").exists()


def test_many_pairs_are_edited_and_turned_back_by_a_job(make, dataset, ada, work, monkeypatch):
    """The edit takes away what its own filter asks for, and still reaches every pair."""
    monkeypatch.setattr(editing, "AT_ONCE", 2)
    monkeypatch.setattr("apps.datasets.working.editing_job.PAIRS_A_CHUNK", 2)
    for _number in range(5):
        make().tags.create(name="odd", source="file")
    edit = edit_start(dataset=dataset, actor=ada, action="remove", tag="odd", filters={"tag": "odd"})
    assert edit.finished_at is None
    with pytest.raises(ValidationError, match="under way"):
        undo_start(edit=edit, actor=ada)
    work()
    edit.refresh_from_db()
    assert (edit.matched, edit.changed) == (5, 5)
    assert not Tag.objects.exists()
    undo_start(edit=edit, actor=ada)
    work()
    edit.refresh_from_db()
    assert edit.undone_at
    assert Tag.objects.filter(name="odd", source="file").count() == 5


def test_an_edit_is_made_and_undone_on_pages(pairs, dataset, study, rosa, ben, olaf, client_of):
    client = client_of(rosa)
    listed = reverse("datasets:dataset", args=[study.slug, dataset.pk])
    assert b'name="pair"' in client.get(listed).content
    url = reverse("datasets:edit_new", args=[study.slug, dataset.pk])
    sent = {"which": "all", "action": "add", "what": "needs-review", "query": "direction=downward&page=2"}
    page = client.post(url, sent, follow=True)
    assert b"set the flag" in page.content
    edit = BulkEdit.objects.get()
    assert (edit.filters, edit.changed) == ({"direction": "downward"}, 3)
    assert b"Bulk edits" in client.get(reverse("datasets:pair", args=[study.slug, pairs["b"].pk])).content
    undo = reverse("datasets:edit_undo", args=[study.slug, edit.pk])
    assert client_of(ben).post(undo).status_code == 403
    assert client_of(olaf).post(undo).status_code == 404
    client.post(undo)
    assert not Tag.objects.filter(name="needs-review").exists()
    edits = client.get(reverse("datasets:edits", args=[study.slug, dataset.pk]))
    assert b"undone" in edits.content
    sent = {"which": "ticked", "action": "add", "what": "tag", "tag": "odd", "pair": [pairs["a"].pk]}
    client.post(url, sent)
    assert tags(pairs["a"]) == {("odd", BY_HAND)}
    refused = client.post(url, {**sent, "tag": ""}, follow=True)
    assert b"Name the tag" in refused.content


def test_releases_publish_a_tag_by_hand_and_no_flag(make, dataset, ada, work):
    from apps.datasets.releasing.rules import Options
    from apps.datasets.releasing.services import release_create
    from tests.datasets.releasing.conftest import members

    make("eee", calculus="e")
    for tag in ("anaphora", "needs-review"):
        edit_start(dataset=dataset, actor=ada, action="add", tag=tag, filters={})
    release = release_create(
        dataset=dataset, actor=ada, options=Options(swaps=False, train=100, validation=0, test=0)
    )
    work()
    assert members(release).pairs[0]["tags"] == ["anaphora"]
