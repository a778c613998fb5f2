"""Tags and flags on many pairs at once: what is meant, what changes, what the trail says, and undoing it."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.curation import bulk_edits
from apps.curation.bulk_edits import edit_start, undo_start
from apps.curation.models import BulkEdit
from apps.datasets.models import Pair, Tag
from apps.datasets.tags import BY_HAND

pytestmark = [pytest.mark.django_db, pytest.mark.both]


# The button is pressed on a form on which nothing was changed.
EDIT = {"edit": "yes", "edit-which": "ticked", "edit-action": "add", "edit-what": "tag", "edit-tag": ""}


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
    monkeypatch.setattr(bulk_edits, "AT_ONCE", 2)
    monkeypatch.setattr("apps.curation.background.PAIRS_A_CHUNK", 2)
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
    listed = reverse("curation:dataset", args=[study.slug, dataset.pk])
    assert b'name="pair"' in client.get(listed).content
    sent = {**EDIT, "edit-which": "all", "edit-what": "needs-review", "direction": "downward"}
    page = client.post(f"{listed}?page=2", sent, follow=True)
    assert b"set the flag" in page.content
    edit = BulkEdit.objects.get()
    assert (edit.filters, edit.changed) == ({"direction": "downward"}, 3)
    assert b"Bulk edits" in client.get(reverse("curation:pair", args=[study.slug, pairs["b"].pk])).content
    undo = reverse("curation:edit_undo", args=[study.slug, edit.pk])
    assert client_of(ben).post(undo).status_code == 403
    assert client_of(olaf).post(undo).status_code == 404
    client.post(undo)
    assert not Tag.objects.filter(name="needs-review").exists()
    edits = client.get(reverse("curation:edits", args=[study.slug, dataset.pk]))
    assert b"undone" in edits.content
    client.post(listed, {**EDIT, "edit-tag": "odd", "pair": [pairs["a"].pk]})
    assert tags(pairs["a"]) == {("odd", BY_HAND)}


def test_a_refused_edit_keeps_the_ticks_and_what_was_typed(pairs, dataset, study, client_of, rosa):
    client, listed = client_of(rosa), reverse("curation:dataset", args=[study.slug, dataset.pk])
    sent = {**EDIT, "edit-action": "remove", "pair": [pairs["b"].pk, pairs["d"].pk], "direction": "downward"}
    shown = client.post(listed, sent).content.decode()
    assert "Name the tag" in shown
    boxes = {
        int(pk): bool(on) for pk, on in re.findall(r'name="pair" value="(\d+)" form="bulk"( checked)?', shown)
    }
    assert boxes == {pairs["b"].pk: True, pairs["c"].pk: False, pairs["d"].pk: True}
    assert '<option value="remove" selected>' in shown
    assert not BulkEdit.objects.exists()


def test_what_stands_in_the_filters_is_edited_whether_it_was_shown_or_not(
    pairs, dataset, study, client_of, rosa
):
    """The page lists all pairs; a filter is set, *Show* is not pressed, *Edit* is."""
    client, listed = client_of(rosa), reverse("curation:dataset", args=[study.slug, dataset.pk])
    client.get(listed)
    client.post(listed, {**EDIT, "edit-which": "all", "edit-tag": "up", "direction": "upward"})
    assert [letter for letter, pair in pairs.items() if ("up", BY_HAND) in tags(pair)] == ["a"]
    assert BulkEdit.objects.get().filters == {"direction": "upward"}
    # And the other way round: listed under a filter, which is taken away again.
    client.post(
        f"{listed}?direction=upward", {**EDIT, "edit-which": "all", "edit-tag": "any", "direction": ""}
    )
    assert all(("any", BY_HAND) in tags(pair) for pair in pairs.values())


def test_a_refused_filter_edits_nothing(pairs, dataset, study, client_of, rosa):
    client, listed = client_of(rosa), reverse("curation:dataset", args=[study.slug, dataset.pk])
    sent = {**EDIT, "edit-which": "all", "edit-tag": "odd", "judgements": "many"}
    assert "Enter a whole number" in client.post(listed, sent).content.decode()
    assert not BulkEdit.objects.exists()


def test_showing_other_pairs_is_an_address_and_keeps_an_edit_that_was_begun(
    pairs, dataset, study, client_of, rosa
):
    client, listed = client_of(rosa), reverse("curation:dataset", args=[study.slug, dataset.pk])
    shown = client.post(
        listed, {"show": "yes", "direction": "upward", "edit-which": "ticked", "edit-tag": ""}
    )
    assert shown.status_code == 302 and shown["Location"] == f"{listed}?direction=upward"
    begun = {
        "show": "yes",
        "direction": "downward",
        "edit-which": "ticked",
        "edit-tag": "od",
        "pair": pairs["b"].pk,
    }
    shown = client.post(listed, begun).content.decode()
    assert 'value="od"' in shown
    assert f'value="{pairs["b"].pk}" form="bulk" checked' in shown
    assert f'value="{pairs["a"].pk}" form="bulk"' not in shown
    assert not BulkEdit.objects.exists()


def test_releases_publish_a_tag_by_hand_and_no_flag(make, dataset, ada, work):
    from apps.releases.gold_rules import Options
    from apps.releases.services import release_create
    from tests.releases.conftest import members

    make("eee", calculus="e")
    for tag in ("anaphora", "needs-review"):
        edit_start(dataset=dataset, actor=ada, action="add", tag=tag, filters={})
    release = release_create(
        dataset=dataset, actor=ada, options=Options(swaps=False, train=100, validation=0, test=0)
    )
    work()
    assert members(release).pairs[0]["tags"] == ["anaphora"]
