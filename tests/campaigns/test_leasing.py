"""Handing out: who gets which item, and what they are told when there is none."""

import pytest

from apps.campaigns.models import Assignment, Campaign, Item
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services import (
    assignment_next,
    campaign_set_state,
    campaign_update,
    judgement_submit,
    lease_keep,
    leases_expire,
    leases_release,
)
from apps.studies.models import AuditEvent, Membership
from apps.studies.services import membership_remove

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def rules(campaign: Campaign, **changes):
    names = ("name", "target", "replacements", "minimum_seconds", "lease_minutes", "is_pilot")
    return {name: getattr(campaign, name) for name in names} | changes


def answer_all(campaign, participant, answer="entailment"):
    """Judge until nothing is left; returns the items and the reason of the end."""
    items = []
    while isinstance(found := assignment_next(campaign=campaign, participant=participant), Assignment):
        judgement_submit(assignment=found, answer=answer)
        items.append(found.item_id)
    return items, found


def test_the_live_lease_is_resumed_not_doubled(validation, participant, ben):
    first = assignment_next(campaign=validation, participant=participant(ben))
    again = assignment_next(campaign=validation, participant=participant(ben))
    assert first == again and Assignment.objects.count() == 1


def test_each_gets_every_item_once_in_an_order_of_their_own(validation, participant, ben, cleo, dan, ada):
    orders = {}
    for user in (ben, cleo, dan):
        orders[user], _end = answer_all(validation, participant(user))
    assert all(sorted(order) == sorted(orders[ben]) for order in orders.values())
    assert len(orders[ben]) == 3
    assert len({tuple(order) for order in orders.values()}) > 1
    assert not Item.objects.filter(is_complete=False).exists()
    assert answer_all(validation, participant(ada)) == ([], NothingNow("all-done"))


def test_the_same_seed_gives_the_same_order(validation, participant, ben):
    first, _end = answer_all(validation, participant(ben))
    from apps.campaigns.models import Judgement, JudgementRevision, Tally

    Tally.objects.all().delete()
    JudgementRevision.objects.all().delete()
    Judgement.objects.all().delete()
    Assignment.objects.all().delete()
    Item.objects.update(counted=0, is_complete=False)
    assert answer_all(validation, participant(ben))[0] == first


def test_counted_answers_and_live_leases_stay_within_the_target(
    validation, participant, ben, cleo, dan, rosa, ada
):
    campaign_update(campaign=validation, actor=ada, **rules(validation, target=1))
    for user in (ben, cleo, dan):
        assert isinstance(assignment_next(campaign=validation, participant=participant(user)), Assignment)
    assert Assignment.objects.values("item").distinct().count() == 3
    assert assignment_next(campaign=validation, participant=participant(rosa)).reason == "others"


def test_a_lease_that_ran_out_frees_its_place_once(
    validation, participant, pass_time, ben, cleo, dan, rosa, ada
):
    campaign_update(campaign=validation, actor=ada, **rules(validation, target=1))
    leases = {u: assignment_next(campaign=validation, participant=participant(u)) for u in (ben, cleo, dan)}
    pass_time(leases[ben], minutes=31)
    taken = assignment_next(campaign=validation, participant=participant(rosa))
    assert taken.item_id == leases[ben].item_id
    assert assignment_next(campaign=validation, participant=participant(ada)).reason == "others"
    assert assignment_next(campaign=validation, participant=participant(ben)).reason == "others"


def test_who_comes_back_after_the_lease_takes_up_the_same_row(validation, participant, pass_time, ben):
    lease = pass_time(assignment_next(campaign=validation, participant=participant(ben)), hours=9)
    assert leases_expire() == 1
    lease.refresh_from_db()
    assert lease.state == Assignment.State.EXPIRED
    assert lease_keep(assignment=lease)
    assert assignment_next(campaign=validation, participant=participant(ben)) == lease


def test_typing_keeps_the_lease(validation, participant, pass_time, ben):
    lease = pass_time(assignment_next(campaign=validation, participant=participant(ben)), minutes=29)
    before = lease.expires_at
    assert lease_keep(assignment=lease)
    lease.refresh_from_db()
    assert (lease.expires_at - before).total_seconds() == pytest.approx(29 * 60, abs=5)


def test_a_place_that_others_took_is_not_taken_up_again(validation, participant, pass_time, ben, cleo, ada):
    campaign_update(campaign=validation, actor=ada, **rules(validation, target=1))
    Item.objects.exclude(pk=Item.objects.order_by("pk").first().pk).update(is_complete=True, counted=1)
    lease = pass_time(assignment_next(campaign=validation, participant=participant(ben)), minutes=31)
    assignment_next(campaign=validation, participant=participant(cleo))
    assert not lease_keep(assignment=lease)


@pytest.mark.parametrize(
    ("arrange", "reason"),
    [
        (lambda c, p: Campaign.objects.filter(pk=c.pk).update(state="draft"), "draft"),
        (lambda c, p: Campaign.objects.filter(pk=c.pk).update(state="paused"), "paused"),
        (lambda c, p: Campaign.objects.filter(pk=c.pk).update(state="closed"), "closed"),
        (lambda c, p: Item.objects.filter(campaign=c).update(counted=3, is_complete=True), "all-done"),
        (lambda c, p: answer_all(c, p), "yours-done"),
    ],
)
def test_nothing_now_names_its_reason(arrange, reason, validation, participant, ben):
    arrange(validation, participant(ben))
    nothing = assignment_next(campaign=validation, participant=participant(ben))
    assert nothing.reason == reason
    assert nothing.text.endswith(".")


def test_others_are_at_it_says_when_to_come_back(validation, participant, pass_time, ben, cleo, ada):
    campaign_update(campaign=validation, actor=ada, **rules(validation, target=1))
    Item.objects.exclude(pk=Item.objects.order_by("pk").first().pk).update(is_complete=True, counted=1)
    pass_time(assignment_next(campaign=validation, participant=participant(ben)), minutes=18.5)
    nothing = assignment_next(campaign=validation, participant=participant(cleo))
    assert (nothing.reason, nothing.minutes) == ("others", 12)
    assert "12 minutes" in nothing.text


def test_a_blocked_participant_gets_nothing(validation, participant, ben):
    from django.utils import timezone

    blocked = participant(ben)
    blocked.blocked_at = timezone.now()
    blocked.save()
    assert assignment_next(campaign=validation, participant=blocked).reason == "blocked"


@pytest.mark.parametrize("second_role", [None, "researcher", "admin"])
def test_a_writer_never_judges_an_own_pair_nor_its_twin(
    second_role, study, creation, participant, ada, ben, cleo
):
    from apps.campaigns.services import campaign_create
    from apps.datasets.models import Pair
    from apps.datasets.services import pair_get_or_create

    if second_role:
        Membership.objects.create(study=study, user=ben, role=second_role)
    for user, noun in [(ben, "mice"), (cleo, "hens")]:
        lease = assignment_next(campaign=creation, participant=participant(user))
        judgement_submit(assignment=lease, replacements=[f"wet {noun}", f"old {noun}", f"sad {noun}"])
    own = set(
        Pair.objects.filter(replacements__judgement__participant__user=ben).values_list("pk", flat=True)
    )
    assert len(own) == 3
    twin = pair_get_or_create(
        dataset=creation.dataset, premises=[("Old.", None)], hypothesis="Older.", origin="import"
    )
    Pair.objects.filter(pk=twin.pk).update(swapped_from=min(own))
    campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=creation.dataset)
    campaign_set_state(campaign=campaign, actor=ada, state="open")
    items, end = answer_all(campaign, participant(ben))
    judged = set(Item.objects.filter(pk__in=items).values_list("pair", flat=True))
    assert len(judged) == 3 and not judged & (own | {twin.pk})
    assert end.reason == "own"


def test_a_removed_annotator_gives_the_lease_back_and_keeps_the_judgements(
    study, validation, participant, ada, ben
):
    done = assignment_next(campaign=validation, participant=participant(ben))
    judgement = judgement_submit(assignment=done, answer="entailment")
    lease = assignment_next(campaign=validation, participant=participant(ben))
    membership_remove(membership=Membership.objects.get(study=study, user=ben), actor=ada)
    lease.refresh_from_db()
    judgement.refresh_from_db()
    assert lease.state == Assignment.State.RELEASED
    assert judgement.counted and judgement.participant.pseudonym
    assert AuditEvent.objects.filter(action="leases.released").count() == 1
    assert leases_release(participant=judgement.participant) == 0


@pytest.mark.parametrize(("target", "complete"), [(1, 1), (2, 0)])
def test_a_new_target_decides_anew_what_is_complete(target, complete, validation, participant, ada, ben):
    lease = assignment_next(campaign=validation, participant=participant(ben))
    judgement_submit(assignment=lease, answer="entailment")
    campaign_update(campaign=validation, actor=ada, **rules(validation, target=target))
    assert Item.objects.filter(is_complete=True).count() == complete


def test_the_queries_of_a_grant_do_not_grow_with_the_items(
    validation, dataset, participant, ben, cleo, ada, django_assert_max_num_queries
):
    from apps.campaigns.services import items_add_new_pairs
    from apps.datasets.services import pair_get_or_create

    for number in range(60):
        pair_get_or_create(
            dataset=dataset, premises=[("A.", None)], hypothesis=f"B {number}.", origin="import"
        )
    assert items_add_new_pairs(campaign=validation, actor=ada) == 60
    person = participant(cleo)
    with django_assert_max_num_queries(18):
        assignment_next(campaign=validation, participant=person)
