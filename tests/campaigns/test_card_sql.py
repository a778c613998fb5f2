"""Which items are free for whom: the statement in SQL against the definition, item by item."""

import random

import pytest

from apps.campaigns.card_sql import free_items, left_up_to, own_among
from apps.campaigns.models import Item, Replacement
from apps.campaigns.own_pairs import not_own
from apps.campaigns.services import assignment_next, campaign_create, campaign_set_state, judgement_submit
from apps.frame.clock import database_now
from tests.campaigns.conftest import three

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def is_left(item: Item, participant) -> bool:
    """The definition: not complete, not answered by them, neither pair nor original written by them."""
    pair = item.pair
    family = [pk for pk in (pair and pair.pk, pair and pair.swapped_from_id) if pk]
    return not (
        item.is_complete
        or item.judgements.filter(participant=participant).exists()
        or Replacement.objects.filter(pair__in=family, judgement__participant=participant).exists()
    )


def is_free(item: Item, participant, now) -> bool:
    held = item.assignments.filter(state="leased", expires_at__gt=now).count()
    return is_left(item, participant) and item.counted + held < item.wanted


@pytest.fixture
def judging(creation, study, ada, ben, cleo, participant):
    """Pairs that Ben and Cleo wrote, in a campaign of their own."""
    for user in (ben, cleo):
        for _time in range(2):
            lease = assignment_next(campaign=creation, participant=participant(user))
            nouns = three(lease.item.blank.text)
            judgement_submit(assignment=lease, replacements=[f"{user.name} {noun}" for noun in nouns])
    campaign = campaign_create(study=study, actor=ada, name="All", dataset=creation.dataset, target=2, seed=3)
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


def test_the_statement_finds_what_the_definition_says(judging, participant, ben, cleo, dan, pass_time):
    people = [participant(user) for user in (ben, cleo, dan)]
    draw = random.Random(5)
    for _turn in range(25):
        person = draw.choice(people)
        lease = assignment_next(campaign=judging, participant=person)
        if hasattr(lease, "item"):
            if draw.random() < 0.6:
                judgement_submit(assignment=lease, answer=draw.choice(["entailment", "unnatural"]))
            elif draw.random() < 0.5:
                pass_time(lease, hours=2)
        now = database_now()
        items = list(judging.items.order_by("position"))
        for person in people:
            free = [item.pk for item in items if is_free(item, person, now)]
            found = free_items(judging, person, now, count=100)
            assert [item.pk for item in found] == free
            assert left_up_to(100, judging, person) == sum(is_left(item, person) for item in items)
            own = {item.pk for item in items if not is_left(item, person)} - {
                item.pk for item in items if item.is_complete or item.judgements.filter(participant=person)
            }
            assert own <= own_among(items, person)
            others = Item.objects.filter(not_own(person), campaign=judging)
            assert {item.pk for item in items} - set(others.values_list("pk", flat=True)) == own_among(
                items, person
            )


def test_it_stops_at_its_limits(judging, participant, dan):
    person, now = participant(dan), database_now()
    everything = free_items(judging, person, now, count=100)
    assert [item.position for item in free_items(judging, person, now, first=2, last=4, count=2)] == [2, 3]
    assert free_items(judging, person, now, first=0, last=-1, count=5) == []
    assert left_up_to(3, judging, person) == 3 < len(everything)
