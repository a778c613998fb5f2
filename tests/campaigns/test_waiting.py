"""Whoever waited for a lock decides by what is in force when they get it, not when they began to wait."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from apps.campaigns import invariants
from apps.campaigns.models import Campaign, Item
from apps.campaigns.services import (
    assignment_next,
    campaign_update,
    items_add_new_pairs,
    judgement_submit,
    lifecycle,
)
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
