"""What the rules of a campaign do to handing out and taking in: maximum, cap, order, times, skips."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.campaigns import gates
from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services import assignment_next, campaign_update, judgement_submit, lease_keep
from apps.comparison.majority import majority_of
from tests.campaigns.conftest import three

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def answer(campaign, person, **sent):
    found = assignment_next(campaign=campaign, participant=person)
    if isinstance(found, NothingNow):
        return found.reason
    return judgement_submit(assignment=found, **sent)


@pytest.fixture
def crowd(study):
    """Nine people without an account."""
    from apps.studies.models import Participant

    return [Participant.objects.create(study=study, pseudonym=f"c{n}") for n in range(9)]


@pytest.fixture
def one(validation) -> Campaign:
    """One open item, three annotators, up to five where they disagree."""
    first = Item.objects.order_by("position").first()
    Item.objects.exclude(pk=first.pk).update(is_complete=True, counted=3)
    Campaign.objects.update(maximum=5)
    validation.refresh_from_db()
    return validation


# ---- More where the first ones disagree ------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "asked"),
    [("eeeee", 3), ("eenee", 4), ("eenne", 5), ("enuee", 5), ("nnnnn", 3)],
)
def test_disagreement_asks_more_up_to_the_maximum(answers, asked, one, crowd):
    words = {"e": "entailment", "n": "non-entailment", "u": "unnatural"}
    found = [
        answer(one, person, answer=words[letter]) for person, letter in zip(crowd, answers, strict=False)
    ]
    assert sum(isinstance(given, Judgement) for given in found) == asked
    item = Item.objects.get(pk=Judgement.objects.first().item_id)
    assert (item.counted, item.wanted, item.is_complete) == (asked, asked, True)
    assert answer(one, crowd[8], answer="entailment") == "all-done"


def test_no_more_people_are_at_it_than_it_wants(one, crowd):
    for person, word in zip(crowd, ["entailment", "entailment", "non-entailment"], strict=False):
        answer(one, person, answer=word)
    assert isinstance(assignment_next(campaign=one, participant=crowd[3]), Assignment)
    assert assignment_next(campaign=one, participant=crowd[4]).reason == "others"


def test_who_comes_round_makes_more_needless_and_back_again(one, crowd):
    given = [
        answer(one, person, answer=word)
        for person, word in zip(crowd, ["entailment", "entailment", "non-entailment"], strict=False)
    ]
    for word, complete in [("entailment", True), ("unnatural", False)]:
        judgement_submit(assignment=given[2].assignment, answer=word)
        assert Item.objects.get(pk=given[2].item_id).is_complete is complete


def test_a_new_maximum_opens_what_is_in_dispute_and_closes_it(validation, crowd, ada):
    Campaign.objects.update(order="fixed")
    for person, word in zip(crowd, ["entailment", "entailment", "non-entailment"], strict=False):
        given = answer(validation, person, answer=word)
    item = given.item
    for maximum, state in [(5, (4, False)), (None, (3, True))]:
        campaign_update(campaign=validation, actor=ada, maximum=maximum)
        item.refresh_from_db()
        assert (item.wanted, item.is_complete) == state


# ---- Cap, order, opening and closing ---------------------------------------------------------


def test_a_cap_ends_the_work_of_one_and_not_of_another(validation, crowd, ada):
    campaign_update(campaign=validation, actor=ada, cap=2)
    results = [answer(validation, crowd[0], answer="entailment") for _turn in range(3)]
    assert results[2] == "cap" and Judgement.objects.count() == 2
    assert isinstance(answer(validation, crowd[1], answer="entailment"), Judgement)


def test_a_fixed_order_is_the_items_own(validation, crowd, ada):
    campaign_update(campaign=validation, actor=ada, order="fixed")
    for person in crowd[:2]:
        order = [answer(validation, person, answer="entailment").item.position for _turn in range(3)]
        assert order == [0, 1, 2]


@pytest.mark.parametrize(
    ("opens", "closes", "reason"),
    [(-1, 1, None), (1, 2, "not-yet"), (-2, -1, "over"), (None, None, None), (None, -1, "over")],
)
def test_it_opens_and_closes_by_the_clock(opens, closes, reason, validation, crowd):
    now = timezone.now()
    Campaign.objects.update(
        opens_at=now + timedelta(hours=opens) if opens is not None else None,
        closes_at=now + timedelta(hours=closes) if closes is not None else None,
    )
    found = assignment_next(campaign=validation, participant=crowd[0])
    assert getattr(found, "reason", None) == reason
    assert not reason or found.text.endswith(".")


def test_what_somebody_holds_when_the_time_is_over_still_counts(validation, crowd):
    lease = assignment_next(campaign=validation, participant=crowd[0])
    Campaign.objects.update(closes_at=timezone.now() - timedelta(minutes=1))
    assert judgement_submit(assignment=lease, answer="entailment").counted


# ---- Skips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("skips_count", [True, False])
def test_whether_a_skip_counts_is_a_rule(skips_count, creation, crowd, ada):
    campaign_update(campaign=creation, actor=ada, skips_count=skips_count)
    given = answer(creation, crowd[0], skip_reason="unclear")
    item = Item.objects.get(pk=given.item_id)
    assert (given.counted, item.counted) == (skips_count, int(skips_count))


def test_where_odd_ones_do_not_count_another_is_asked_in_their_place(validation, crowd, ada):
    campaign_update(campaign=validation, actor=ada, skips_count=False, target=1, order="fixed")
    odd = answer(validation, crowd[0], answer="unnatural")
    again = answer(validation, crowd[1], answer="entailment")
    assert again.item_id == odd.item_id and (odd.counted, again.counted) == (False, True)
    assert majority_of(validation.dataset) == {odd.item.pair_id: "entailment"}


def test_a_skip_that_becomes_an_answer_counts_where_there_is_room_and_back(creation, crowd, ada):
    campaign_update(campaign=creation, actor=ada, skips_count=False)
    lease = assignment_next(campaign=creation, participant=crowd[0])
    for sent, counted in [
        ({"skip_reason": "unclear"}, False),
        ({"replacements": three("hens")}, True),
        ({"skip_reason": "unclear"}, False),
    ]:
        assert judgement_submit(assignment=lease, **sent).counted is counted
        assert Item.objects.get(pk=lease.item_id).counted == int(counted)


# ---- Rules that don't go together, and gates ---------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({"maximum": 2}, "maximum"),
        ({"target": 0}, "target"),
        ({"show_predictions": True}, "show_predictions"),
        (
            {
                "opens_at": timezone.now(),
                "closes_at": timezone.now() - timedelta(days=1),
            },
            "closes_at",
        ),
    ],
)
def test_rules_that_do_not_go_together_change_nothing(rules, field, validation, ada):
    with pytest.raises(ValidationError) as refused:
        campaign_update(campaign=validation, actor=ada, **rules)
    assert field in refused.value.message_dict
    before = Campaign.objects.get(pk=validation.pk)
    assert {rule: getattr(before, rule) for rule in rules} == {
        rule: getattr(validation, rule) for rule in rules
    }


@pytest.mark.parametrize(("rules", "field"), [({"maximum": 5}, "maximum"), ({"page_size": 2}, "page_size")])
def test_what_belongs_to_questions_is_refused_for_sets(rules, field, creation, ada):
    with pytest.raises(ValidationError) as refused:
        campaign_update(campaign=creation, actor=ada, **rules)
    assert field in refused.value.message_dict


def test_a_gate_refuses_before_any_lease_and_keeps_no_lease(validation, crowd, monkeypatch):
    lease = assignment_next(campaign=validation, participant=crowd[0])
    refusal = NothingNow("not-qualified", detail="It asks for speakers of Frisian.")
    monkeypatch.setattr(gates, "_gates", [lambda campaign, participant: refusal])
    found = assignment_next(campaign=validation, participant=crowd[1])
    assert found == refusal and found.text.endswith("speakers of Frisian.")
    assert not Assignment.objects.filter(participant=crowd[1]).exists()
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert not lease_keep(assignment=lease)


def test_a_listener_hears_of_answers_and_of_revisions_once_each(validation, crowd, monkeypatch):
    heard = []
    monkeypatch.setattr(gates, "_listeners", [lambda judgement: heard.append(judgement.revision)])
    lease = assignment_next(campaign=validation, participant=crowd[0])
    for word in ("entailment", "entailment", "unnatural"):
        judgement_submit(assignment=lease, answer=word)
    assert heard == [1, 2]
