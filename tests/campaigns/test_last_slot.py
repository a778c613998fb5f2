"""Twenty people ask for the last place at the same moment, in threads with connections of their own.

Between looking whether there is room and writing the lease, every thread sleeps a little: with the
lock that changes nothing, without it (the control) the place is given away several times.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.db.models import Count

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import (
    Sent,
    assignment_next,
    judgement_submit,
    judgements_submit,
    leasing,
    work_next,
)
from apps.studies.models import Participant

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

PEOPLE = 20


@pytest.fixture
def people(study):
    return [Participant.objects.create(study=study, pseudonym=f"p{n}") for n in range(PEOPLE)]


@pytest.fixture
def last_place(validation) -> Item:
    """The one item that still wants one answer of three; two count already."""
    Item.objects.update(counted=3, is_complete=True)
    item = Item.objects.order_by("pk").first()
    Item.objects.filter(pk=item.pk).update(counted=2, is_complete=False)
    return item


@pytest.fixture
def slow_hands(monkeypatch):
    """Make the moment from looking to everybody's seeing what was written (one statement looks and writes,
    and nobody sees it before the transaction ends) long enough for all to be in it."""
    grant = leasing._grant

    def grant_and_wait(*args, **kwargs):
        leases = grant(*args, **kwargs)
        time.sleep(0.15 if connection.vendor == "postgresql" else 0.02)
        return leases

    monkeypatch.setattr(leasing, "_grant", grant_and_wait)


def all_at_once(people, act):
    """``act`` for each of them, started together; their results."""
    start = threading.Barrier(len(people))

    def one(person):
        try:
            start.wait(timeout=30)
            return act(person)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(people)) as pool:
        return list(pool.map(one, people))


def test_exactly_one_gets_the_last_place(validation, last_place, people, slow_hands):
    found = all_at_once(people, lambda p: assignment_next(campaign=validation, participant=p))
    assert [type(result) for result in found].count(Assignment) == 1
    assert {result.reason for result in found if not isinstance(result, Assignment)} == {"others"}
    assert Assignment.objects.filter(item=last_place).count() == 1


@pytest.mark.postgres
def test_control_without_the_lock_the_last_place_is_given_away_again(
    validation, last_place, people, slow_hands, monkeypatch
):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite locks the whole database; there is no lock to leave out")
    found = leasing.free_items
    monkeypatch.setattr(leasing, "free_items", lambda *a, lock=None, **k: found(*a, **k))
    all_at_once(people, lambda p: assignment_next(campaign=validation, participant=p))
    assert Assignment.objects.filter(item=last_place).count() > 1


def test_the_others_get_the_next_items(validation, people, slow_hands):
    """Nine places on three items, twenty people: nine get one, and no item has more than three."""
    found = all_at_once(people, lambda p: assignment_next(campaign=validation, participant=p))
    assert [type(result) for result in found].count(Assignment) == 9
    assert all(item.assignments.count() == 3 for item in Item.objects.all())


def test_one_person_in_many_tabs_holds_one_lease(validation, people, slow_hands):
    tabs = [people[0]] * 8
    found = all_at_once(tabs, lambda p: assignment_next(campaign=validation, participant=p))
    assert len({lease.pk for lease in found}) == 1


def test_one_answer_sent_eight_times_at_once_is_one_judgement(validation, people):
    lease = assignment_next(campaign=validation, participant=people[0])
    found = all_at_once([lease] * 8, lambda a: judgement_submit(assignment=a, answer="entailment").pk)
    assert len(set(found)) == 1
    assert Item.objects.get(pk=lease.item_id).counted == 1


def test_a_lower_target_is_in_force_for_every_later_grant(validation, people, ada, slow_hands):
    """The target is lowered from three to one in the middle of the rush."""
    from apps.campaigns.services import campaign_update

    def act(person):
        if person is None:
            time.sleep(0.05)
            campaign_update(
                campaign=validation,
                actor=ada,
                name="Judge",
                target=1,
                replacements=3,
                minimum_seconds=0,
                lease_minutes=30,
                is_pilot=False,
            )
            return leases_by_item()
        return assignment_next(campaign=validation, participant=person)

    def leases_by_item():
        return dict(Item.objects.values_list("pk").annotate(n=Count("assignments")))

    at_the_change = all_at_once([None, *people], act)[0]
    assert Campaign.objects.get(pk=validation.pk).target == 1
    for pk, count in leases_by_item().items():
        assert count <= max(1, at_the_change[pk])


def test_pages_asked_for_at_once_stay_within_the_target(validation, people, slow_hands):
    """Pages of two over three items with three places each: nine leases, and nobody waits for ever."""
    Campaign.objects.update(page_size=2)
    found = all_at_once(people, lambda p: work_next(campaign=validation, participant=p))
    pages = [result for result in found if isinstance(result, list)]
    assert sum(len(page) for page in pages) == 9
    assert all(item.assignments.count() == 3 for item in Item.objects.all())


def test_pages_sent_and_handed_out_at_once_lose_nothing(validation, people):
    """Everybody works through all pages together: three answers an item count, none is lost or doubled."""
    Campaign.objects.update(page_size=2)

    def work_through(person):
        sent = 0
        while isinstance(leases := work_next(campaign=validation, participant=person), list):
            judgements_submit(
                campaign=validation.pk, sent={lease: Sent(answer="entailment") for lease in leases}
            )
            sent += len(leases)
        return sent

    sent = sum(all_at_once(people, work_through))
    assert sent == Judgement.objects.count() == 9
    assert set(Item.objects.values_list("counted", "is_complete")) == {(3, True)}


def test_disagreement_at_once_never_asks_more_than_the_maximum(validation, people):
    """Two answers disagree for ever: every item gets the five that it may have, and no more."""
    Campaign.objects.update(maximum=5)

    def disagree(person):
        answer = "entailment" if people.index(person) % 2 else "unnatural"
        while isinstance(found := assignment_next(campaign=validation, participant=person), Assignment):
            judgement_submit(assignment=found, answer=answer)

    for _round in range(3):  # who came too early and found others at it comes again
        all_at_once(people, disagree)
    for item in Item.objects.all():
        answers = list(item.judgements.filter(counted=True).values_list("answer", flat=True))
        assert item.counted == len(answers) == item.wanted <= 5 and item.is_complete
        assert item.counted == 3 if len(set(answers)) == 1 else item.counted >= 4
