"""The queue of pairs on which people, calculus and models differ, and what one key does there."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.curation import adjudication
from apps.curation.models import BulkEdit
from apps.dashboard import listed
from apps.dashboard.disagreements import Queue, Wanted, queue
from apps.datasets.models import Tag
from apps.inference.selectors import latest_runs
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.both


@pytest.fixture
def pairs(make, predict):
    """0: all agree. 1: people and models against the calculus. 2: people divided, calculus with most models.
    3: the calculus alone, which nobody contradicts. 4: people against calculus and models."""
    made = [
        make("ee", calculus="e"),
        make("nn", calculus="e", direction="upward"),
        make("en", calculus="e"),
        make(calculus="n"),
        make("eee", calculus="n"),
    ]
    predict("one", made, "ene-n")
    predict("two", made, "enn-n")
    return made


@pytest.fixture
def places(dataset, pairs):
    def find(**wanted):
        found = listed.queue(dataset, judges_of(dataset), latest_runs(dataset), Wanted(**wanted)).there.places
        numbers = [pair.pk for pair in pairs]
        return [(numbers.index(place.pair), round(place.distance, 2)) for place in found]

    return find


def test_those_that_differ_most_come_first(places):
    # 1: |0-1| + |1-0| + |0-0|; 4 likewise; 2: |.5-1| + |1-.5| + |.5-.5|.
    assert places() == [(1, 2.0), (4, 2.0), (2, 1.0)]


def test_who_differs_and_what_is_left_out(places, pairs, dataset, predict):
    assert places(between="people-calculus") == [(1, 2.0), (4, 2.0)]
    assert places(between="people-models") == [(4, 2.0)]
    assert places(between="calculus-models") == [(1, 2.0)]
    assert places(between="people") == [(2, 1.0)]
    assert places(direction="upward") == [(1, 2.0)]
    (two,) = [run.pk for run in latest_runs(dataset) if run.model.name == "two"]
    # Among equals, what divides people comes first.
    assert places(run=two, between="calculus-models") == [(2, 2.0), (1, 2.0)]
    Tag.objects.create(pair=pairs[1], name="npi", source="file")
    assert places(tag="npi") == [(1, 2.0)]
    Tag.objects.create(pair=pairs[4], name="needs-review", source="hand")
    assert places(open=True) == [(1, 2.0), (2, 1.0)]


def test_without_models_or_people_the_others_are_held_against_each_other(dataset, make):
    pair = make("nn", calculus="e")
    make(calculus="e")
    found = queue(dataset, judges_of(dataset), [], Wanted())
    assert [(place.pair, place.distance) for place in found.places] == [(pair.pk, 1.0)]


def test_where_a_pair_is(dataset, pairs):
    found = queue(dataset, judges_of(dataset), latest_runs(dataset), Wanted())
    one, four, two = pairs[1].pk, pairs[4].pk, pairs[2].pk
    assert found.beside(four) == (1, one, two)
    assert found.beside(two) == (2, four, None)
    assert found.beside(None) == (0, None, four)
    assert Queue([], []).beside(one) == (-1, None, None)
    assert [found.place(here) for here in range(3)] == found.places
    assert found.without({four}).places == [found.place(0), found.place(2)]
    assert found.without({one, four}).steps == [(1.0, 1)]


def test_however_many_pairs_it_is_one_query(dataset, pairs):
    judges, runs = judges_of(dataset), list(latest_runs(dataset))
    with CaptureQueriesContext(connection) as counted:
        queue(dataset, judges, runs, Wanted(open=True, tag="npi"))
    assert len(counted) == 1


@pytest.fixture
def address(study, dataset):
    return f"/s/{study.slug}/dashboard/{dataset.pk}/disagreements"


def test_the_card_has_everybodys_word_and_leads_on(pairs, client_of, rosa, address):
    page = client_of(rosa).get(f"{address}/")
    text = page.content.decode()
    assert page.context["pair"].pk == pairs[1].pk and "1 of 3, distance 2.00 of 2" in text
    assert text.count("person-") >= 2 and "more specific at ↓" in text and "two</bdi>" in text
    last = client_of(rosa).get(f"{address}/", {"pair": pairs[2].pk})
    assert last.context["after"] is None and last.context["before"] == pairs[4].pk


def test_one_key_sends_a_pair_to_adjudication_and_goes_on(pairs, client_of, rosa, address, campaign, study):
    client = client_of(rosa)
    client.get(f"{address}/")
    after = client.post(f"{address}/act/?open=on", {"pair": pairs[1].pk, "do": "adjudicate"}, follow=True)
    assert after.context["pair"].pk == pairs[4].pk
    assert "sent to adjudication" in after.content.decode() and "Take it back" in after.content.decode()
    sent = adjudication.queue(campaign).filter(why="sent")
    assert [pair.pk for pair in sent] == [pairs[1].pk]
    assert AuditEvent.objects.filter(study=study, action="pairs.edited").count() == 1
    # A second person who does the same is told; nothing is done twice.
    again = client.post(f"{address}/act/", {"pair": pairs[1].pk, "do": "adjudicate"}, follow=True)
    assert "had it already" in again.content.decode()
    assert Tag.objects.filter(pair=pairs[1], name="to-adjudicate").count() == 1
    # It is decided like any other; then it no longer waits.
    own = client.get(reverse("curation:pair", args=[study.slug, pairs[1].pk])).content.decode()
    assert "A researcher asks for a decision" in own
    adjudication.pair_adjudicate(pair=pairs[1], actor=rosa, label="non-entailment")
    assert not adjudication.queue(campaign).filter(why="sent").exists()
    assert not Tag.objects.filter(pair=pairs[1], name="to-adjudicate").exists()


def test_a_flag_and_a_tag(pairs, client_of, rosa, address):
    client = client_of(rosa)
    client.post(f"{address}/act/", {"pair": pairs[2].pk, "do": "flag"})
    client.post(f"{address}/act/", {"pair": pairs[2].pk, "do": "tag", "tag": " world knowledge "})
    assert set(pairs[2].tags.values_list("name", "source")) == {
        ("needs-review", "hand"), ("world knowledge", "hand"),
    }  # fmt: skip
    assert BulkEdit.objects.count() == 2


@pytest.mark.parametrize("sent", [{"do": "tag", "tag": ""}, {"do": "burn"}, {"do": "tag", "tag": "a\x00b"}])
def test_what_makes_no_sense_changes_nothing_and_stays_on_the_pair(pairs, client_of, rosa, address, sent):
    after = client_of(rosa).post(f"{address}/act/", {"pair": pairs[2].pk, **sent}, follow=True)
    assert after.context["pair"].pk == pairs[2].pk
    assert [message.level_tag for message in after.context["messages"]] == ["error"]
    assert not BulkEdit.objects.exists()


def test_the_queue_as_a_file(pairs, client_of, rosa, address):
    lines = b"".join(client_of(rosa).get(f"{address}.csv?between=people-calculus").streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(lines, newline="")))
    assert [(int(row["pair"]), row["distance"], row["people"], row["calculus"]) for row in rows] == [
        (pairs[1].pk, "2.0000", "non-entailment", "entailment"),
        (pairs[4].pk, "2.0000", "entailment", "non-entailment"),
    ]


def test_nothing_differs_and_nobody_else_sees_it(dataset, make, client_of, rosa, olaf, ben, address):
    make("ee", calculus="e")
    assert "differ on no pair here" in client_of(rosa).get(f"{address}/").content.decode()
    for person in (olaf, ben):
        for page in (f"{address}/", f"{address}.csv"):
            assert client_of(person).get(page).status_code in (403, 404)
        assert client_of(person).post(f"{address}/act/", {"pair": 1, "do": "flag"}).status_code in (403, 404)
