"""Whoever waited for a lock decides by what is in force when they get it, not when they began to wait."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connections, transaction

from apps.campaigns import invariants
from apps.campaigns.card_sql import participant_locked
from apps.campaigns.models import Assignment, Campaign, Item
from apps.campaigns.services import (
    assignment_next,
    campaign_update,
    items_add_new_pairs,
    judgement_submit,
    leases_keep,
    leases_release,
    lifecycle,
    work_next,
)
from apps.campaigns.services.locks import lock
from apps.datasets.services import pair_get_or_create
from apps.quality import actions

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def while_the_target_changes(validation, ada, monkeypatch):
    """Do something that has to wait for a change of the campaign's rules."""

    def do(act, **rules):
        changed, go_on = threading.Event(), threading.Event()
        set_wanted = lifecycle._set_wanted

        def slow(campaign):
            set_wanted(campaign)
            changed.set()
            go_on.wait(timeout=1)  # by then the other one waits for the items

        monkeypatch.setattr(lifecycle, "_set_wanted", slow)

        def change():
            campaign_update(campaign=validation, actor=ada, **rules)
            connections.close_all()

        changing = threading.Thread(target=change)
        changing.start()
        assert changed.wait(timeout=10)
        act()
        changing.join(timeout=10)
        assert not changing.is_alive()
        return [str(fault) for check in (invariants.counted, invariants.complete, invariants.target)
                for fault in check(None)]  # fmt: skip

    return do


def test_a_requeue_settles_by_the_new_target(validation, participant, ben, ada, while_the_target_changes):
    lease = assignment_next(campaign=validation, participant=participant(ben))
    judgement_submit(assignment=lease, answer="entailment")
    action = actions.action_take(campaign=validation, participant=participant(ben), kind="requeue")
    assert while_the_target_changes(lambda: actions.work_requeue(action=action), target=5) == []
    assert set(Item.objects.values_list("wanted", flat=True)) == {5}
    undo = lambda: actions.action_undo(action=action, actor=ada)  # noqa: E731
    assert while_the_target_changes(undo, target=4) == []
    assert set(Item.objects.values_list("wanted", flat=True)) == {4}


def test_an_answer_settles_by_the_new_rules(validation, participant, ben, cleo, while_the_target_changes):
    """Where disagreement asks for more, each answer settles its item."""
    Campaign.objects.update(order="fixed", maximum=6)
    first, second = (assignment_next(campaign=validation, participant=participant(p)) for p in (ben, cleo))
    judgement_submit(assignment=first, answer="entailment")
    judgement_submit(assignment=first, answer="entailment")
    answer = lambda: judgement_submit(assignment=second, answer="entailment")  # noqa: E731
    assert while_the_target_changes(answer, target=2) == []
    assert Item.objects.get(pk=first.item_id).wanted == 2


def test_pairs_added_meanwhile_want_the_new_target(validation, ada, while_the_target_changes):
    pair_get_or_create(
        dataset=validation.dataset, premises=[("All cats.", None)], hypothesis="Cats.", origin="import"
    )
    stale = Campaign.objects.get(pk=validation.pk)
    assert while_the_target_changes(lambda: items_add_new_pairs(campaign=stale, actor=ada), target=7) == []
    assert set(Item.objects.values_list("wanted", flat=True)) == {7}


@pytest.fixture
def while_a_page_is_taken_in(validation, participant, ben):
    """Do something about the leases of a page while its answers are taken in: last one first, slowly."""
    Campaign.objects.update(page_size=2)
    person = participant(ben)
    leases = work_next(campaign=validation, participant=person)

    def do(act):
        began = threading.Event()

        def take_in():
            with transaction.atomic():
                participant_locked(person.pk)
                list(lock(Item.objects.filter(assignments__in=leases)).order_by("pk"))
                for lease in reversed(leases):
                    Assignment.objects.filter(pk=lease.pk).update(state=Assignment.State.SUBMITTED)
                    began.set()
                    time.sleep(0.5)  # by then the other one waits, or holds the first lease
            connections.close_all()

        taking = threading.Thread(target=take_in)
        taking.start()
        assert began.wait(timeout=10)
        result = act(leases, person)
        taking.join(timeout=10)
        assert not taking.is_alive()
        assert set(Assignment.objects.values_list("state", flat=True)) == {Assignment.State.SUBMITTED}
        return result

    return do


def test_leases_kept_alive_while_their_page_is_sent_are_no_deadlock(while_a_page_is_taken_in):
    assert while_a_page_is_taken_in(lambda leases, _person: leases_keep(assignments=leases)) == set()


def test_leases_given_back_while_their_page_is_sent_are_no_deadlock(while_a_page_is_taken_in):
    assert while_a_page_is_taken_in(lambda _leases, person: leases_release(participant=person)) == 0
