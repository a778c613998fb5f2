"""Taking in: one judgement for an assignment, whatever happens on the way."""

import pytest
from django.core.exceptions import ValidationError

from apps.campaigns.models import Assignment, Campaign, Item, Judgement, Replacement
from apps.campaigns.services import (
    TooSoon,
    assignment_next,
    campaign_create,
    campaign_set_state,
    guideline_create,
    judgement_submit,
    lease_keep,
)
from apps.datasets.models import Pair
from tests.campaigns.conftest import set_target, three

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lease_of(campaign, participant, user) -> Assignment:
    found = assignment_next(campaign=campaign, participant=participant(user))
    assert isinstance(found, Assignment), found
    return found


def one_item(campaign, target=1):
    """Leave one open item in the campaign, with this target."""
    set_target(campaign, target)
    first = Item.objects.filter(campaign=campaign).first()
    Item.objects.filter(campaign=campaign).exclude(pk=first.pk).update(is_complete=True, counted=target)
    return first


@pytest.mark.parametrize("times", [2, 5])
def test_the_same_thing_sent_again_gives_the_same_judgement(times, validation, participant, ben):
    lease = lease_of(validation, participant, ben)
    found = {judgement_submit(assignment=lease, answer="entailment").pk for _time in range(times)}
    judgement = Judgement.objects.get()
    assert found == {judgement.pk}
    assert judgement.revision == judgement.revisions.count() == 1
    assert Item.objects.get(pk=lease.item_id).counted == 1


def test_a_change_is_a_revision_and_the_history_keeps_all(validation, participant, ben):
    lease = lease_of(validation, participant, ben)
    for answer in ("entailment", "unnatural", "non-entailment"):
        judgement_submit(assignment=lease, answer=answer)
    judgement = Judgement.objects.get()
    assert judgement.answer == "non-entailment" and judgement.revised_at
    assert [revision.value["answer"] for revision in judgement.revisions.all()] == [
        "entailment",
        "unnatural",
        "non-entailment",
    ]
    assert Item.objects.get(pk=lease.item_id).counted == 1


def test_three_replacements_make_three_pairs_with_direction_and_genre(creation, participant, ben):
    lease = lease_of(creation, participant, ben)
    blank = lease.item.blank
    judgement = judgement_submit(assignment=lease, replacements=[f" {text}  " for text in three("hens")])
    assert [r.text for r in judgement.replacements.all()] == three("hens")
    pairs = Pair.objects.filter(replacements__judgement=judgement)
    assert len(pairs) == 3
    for pair in pairs:
        assert pair.premise == blank.sentence.text
        assert (pair.origin, pair.direction, pair.blank) == ("crowd", blank.direction, blank)
        assert pair.genre == f"crowd:{blank.direction}_monotone"


def test_what_two_people_write_alike_is_one_pair(creation, participant, ben, cleo):
    one_item(creation, target=2)
    for user in (ben, cleo):
        judgement_submit(assignment=lease_of(creation, participant, user), replacements=three("hens"))
    assert Pair.objects.count() == 3 and Replacement.objects.count() == 6


@pytest.mark.parametrize(
    ("texts", "field"),
    [
        (["", "old dogs", "wet dogs"], "replacements-0"),
        (["old dogs"], "replacements-1"),
        (["old dogs", "wet dogs", "OLD  dogs"], "replacements-2"),
        (["old dogs", "dogs", "wet dogs"], "replacements-1"),
        (["old dogs", "No wet dogs bark at night.", "wet dogs"], "replacements-1"),
        (["old dogs", "we\0t", "wet dogs"], "replacements-1"),
    ],
)
def test_a_refused_set_stores_nothing(texts, field, creation, participant, ben):
    one_item(creation)
    Item.objects.filter(is_complete=False).update(blank=creation.blank_set.blanks.first())
    lease = lease_of(creation, participant, ben)
    with pytest.raises(ValidationError) as refused:
        judgement_submit(assignment=lease, replacements=texts)
    assert field in refused.value.message_dict
    assert not Judgement.objects.exists() and not Pair.objects.exists()


@pytest.mark.parametrize(
    ("answer", "refused"),
    [("entailment", False), ("non-entailment", False), ("unnatural", False)]
    + [(wrong, True) for wrong in ("", "neutral", "contradiction", "Entailment", "x" * 50)],
)
def test_validation_takes_the_datasets_labels_and_unnatural(answer, refused, validation, participant, ben):
    lease = lease_of(validation, participant, ben)
    if refused:
        with pytest.raises(ValidationError):
            judgement_submit(assignment=lease, answer=answer)
    else:
        assert judgement_submit(assignment=lease, answer=answer).answer == answer


def test_too_soon_says_how_long_and_pays_the_same_later(creation, participant, pass_time, ben):
    Campaign.objects.update(minimum_seconds=200)
    lease = pass_time(lease_of(creation, participant, ben), seconds=187.5)
    with pytest.raises(TooSoon) as refused:
        judgement_submit(assignment=lease, replacements=three("hens"))
    assert refused.value.seconds == 13 and "13 s" in refused.value.messages[0]
    assert not Judgement.objects.exists()
    pass_time(lease, seconds=13)
    judgement = judgement_submit(assignment=lease, replacements=three("hens"))
    assert judgement.counted and judgement.seconds == pytest.approx(200.5, abs=5)


def test_a_skip_may_come_at_once_and_needs_its_reason(creation, participant, ben):
    Campaign.objects.update(minimum_seconds=200)
    lease = lease_of(creation, participant, ben)
    for reason, note in [("nonsense", ""), ("other", "")]:
        with pytest.raises(ValidationError):
            judgement_submit(assignment=lease, skip_reason=reason, note=note)
    judgement = judgement_submit(assignment=lease, skip_reason="too-general")
    assert judgement.skip_reason == "too-general" and not judgement.replacements.exists()
    assert Item.objects.get(pk=lease.item_id).counted == 1


@pytest.mark.parametrize(
    ("what_happened", "counted"),
    [("nothing", True), ("another is at it", False), ("another answered", False)],
)
def test_a_late_answer_is_kept_and_counts_where_there_is_room(
    what_happened, counted, validation, participant, pass_time, ben, cleo
):
    item = one_item(validation)
    lease = pass_time(lease_of(validation, participant, ben), minutes=45)
    if what_happened != "nothing":
        other = lease_of(validation, participant, cleo)
        if what_happened == "another answered":
            judgement_submit(assignment=other, answer="entailment")
    late = judgement_submit(assignment=lease, answer="entailment")
    assert late.counted is counted
    item.refresh_from_db()
    assert item.counted <= 1
    if what_happened == "another is at it":
        assert judgement_submit(assignment=other, answer="entailment").counted
        item.refresh_from_db()
        assert item.counted == 1


def test_a_tab_left_open_overnight_is_not_work(validation, participant, pass_time, ben):
    lease = pass_time(lease_of(validation, participant, ben), hours=11)
    assert judgement_submit(assignment=lease, answer="entailment").seconds == pytest.approx(30 * 60, abs=1)


def test_who_comes_back_in_the_morning_need_not_wait_anew(validation, participant, pass_time, ben):
    Campaign.objects.update(minimum_seconds=200)
    lease = pass_time(lease_of(validation, participant, ben), hours=11)
    assert lease_keep(assignment=lease)
    judgement = judgement_submit(assignment=lease, answer="entailment")
    assert judgement.counted and judgement.seconds == pytest.approx(30 * 60, abs=5)


@pytest.mark.parametrize(("state", "counted"), [("paused", True), ("closed", False)])
def test_an_answer_in_hand_outlives_the_campaign(state, counted, validation, participant, ada, ben):
    lease = lease_of(validation, participant, ben)
    campaign_set_state(campaign=validation, actor=ada, state=state)
    assert judgement_submit(assignment=lease, answer="entailment").counted is counted


def test_a_closed_campaigns_answers_stay(validation, participant, ada, ben):
    lease = lease_of(validation, participant, ben)
    judgement_submit(assignment=lease, answer="entailment")
    campaign_set_state(campaign=validation, actor=ada, state="closed")
    with pytest.raises(ValidationError):
        judgement_submit(assignment=lease, answer="unnatural")
    assert judgement_submit(assignment=lease, answer="entailment").answer == "entailment"


def test_an_answer_keeps_the_version_of_its_instructions(validation, participant, ada, ben):
    first = lease_of(validation, participant, ben)
    judgement_submit(assignment=first, answer="entailment")
    guideline_create(campaign=validation, actor=ada, body="Read slowly.")
    second = lease_of(validation, participant, ben)
    judgement_submit(assignment=second, answer="entailment")
    versions = Judgement.objects.order_by("pk").values_list("guideline__version", flat=True)
    assert list(versions) == [1, 2]


def test_a_rewritten_replacement_takes_its_pair_out_unless_it_is_judged(
    study, creation, participant, ada, ben, cleo
):
    lease = lease_of(creation, participant, ben)
    judgement_submit(assignment=lease, replacements=three("hens"))
    judgement = judgement_submit(assignment=lease, replacements=["wet hens", *three("hens")[1:]])
    assert Pair.objects.count() == 3 and judgement.revision == 2
    assert judgement.revisions.first().value["replacements"] == three("hens")
    campaign_create(study=study, actor=ada, name="Judge", dataset=creation.dataset)
    with pytest.raises(ValidationError, match="judging"):
        judgement_submit(assignment=lease, replacements=three("hens"))
    judgement.refresh_from_db()
    assert judgement.revision == 2
    assert judgement.replacements.first().text == "wet hens"
