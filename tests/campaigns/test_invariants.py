"""Each thing that can be wrong with items, leases and judgements is seen, and named with its rows."""

from datetime import timedelta

import pytest

from apps.campaigns import invariants
from apps.campaigns.models import Assignment, Campaign, Item, Judgement, JudgementRevision, Replacement, Tally
from apps.campaigns.services import assignment_next, campaign_update, judgement_submit
from apps.studies.models import AuditEvent, Participant
from apps.studies.services import participant_for
from apps.studies.soundness import faults
from tests.campaigns.conftest import three

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lines(check) -> list[str]:
    return [str(fault) for fault in check(None)]


@pytest.fixture
def judged(validation, ben) -> Judgement:
    lease = assignment_next(campaign=validation, participant=participant_for(validation.study, ben))
    return judgement_submit(assignment=lease, answer="entailment")


@pytest.fixture
def written(creation, ben) -> Judgement:
    lease = assignment_next(campaign=creation, participant=participant_for(creation.study, ben))
    return judgement_submit(assignment=lease, replacements=three(lease.item.blank.text))


def test_work_that_went_well_has_no_faults(judged, written, study, olaf):
    assert [str(fault) for fault in faults()] == []
    assert [str(fault) for fault in faults(study)] == []


def test_a_count_that_is_not_its_answers(judged):
    Item.objects.filter(pk=judged.item_id).update(counted=2)
    (line,) = lines(invariants.counted)
    assert f"item {judged.item_id} " in line and "says that 2 answers count; 1 do → lock the item" in line


def test_only_the_study_asked_for_is_looked_at(judged, study, olaf):
    Item.objects.filter(pk=judged.item_id).update(counted=2)
    other = olaf.memberships.first().study
    assert list(invariants.counted(other)) == []
    assert len(list(invariants.counted(study))) == 1


def test_an_item_called_complete_too_soon_or_never(judged):
    first, second = Item.objects.order_by("pk")[:2]
    Item.objects.filter(pk=first.pk).update(is_complete=True)
    Item.objects.filter(pk=second.pk).update(wanted=1, counted=1)
    said = lines(invariants.complete)
    assert any(f"item {first.pk} " in line and "is complete with" in line for line in said)
    assert any(f"item {second.pk} " in line and "is incomplete with 1 of 1" in line for line in said)


def test_an_item_that_wants_another_number_than_its_campaign(judged):
    Item.objects.filter(pk=judged.item_id).update(wanted=2)
    (line,) = lines(invariants.target)
    assert f"item {judged.item_id} " in line and "wants 2 answers instead of 3" in line


def test_an_item_that_wants_another_number_than_its_answers_ask_for(validation, judged):
    Campaign.objects.filter(pk=validation.pk).update(target=1, maximum=3)
    Item.objects.update(wanted=1)
    assert lines(invariants.target) == []
    Item.objects.filter(pk=judged.item_id).update(wanted=3)
    (line,) = lines(invariants.target)
    assert "wants 3 answers instead of 1" in line


def leased(judged, participant, **times) -> Assignment:
    """A lease on the answered item, written past the services."""
    lease = Assignment.objects.get(pk=judged.assignment_id)
    lease.pk, lease.participant, lease.state = None, participant, "leased"
    for name, value in times.items():
        setattr(lease, name, value)
    lease.save()
    return lease


def test_more_answers_and_leases_than_are_wanted(judged, participant, cleo, ada):
    Item.objects.filter(pk=judged.item_id).update(wanted=1)
    assert lines(invariants.over_target) == []
    leased(judged, participant(cleo))
    (line,) = lines(invariants.over_target)
    assert f"item {judged.item_id} " in line
    assert "has 1 counted answers and 1 live leases; at most 1 are wanted" in line


def test_a_lease_that_ran_out_takes_no_place(judged, participant, cleo, pass_time):
    Item.objects.filter(pk=judged.item_id).update(wanted=1)
    pass_time(leased(judged, participant(cleo)), hours=2)
    assert lines(invariants.over_target) == []


def test_a_target_lowered_later_leaves_more_behind(validation, judged, participant, ada, cleo):
    held = leased(judged, participant(cleo))
    validation = campaign_update(campaign=validation, actor=ada, target=1)
    assert lines(invariants.over_target) == []
    held.leased_at += timedelta(minutes=5)  # after the target was lowered, nothing may be handed out
    held.save()
    assert len(lines(invariants.over_target)) == 1


def test_answers_without_their_assignments(judged, participant, cleo):
    Assignment.objects.filter(pk=judged.assignment_id).update(state="expired")
    lost = leased(judged, participant(cleo), state="submitted")
    said = lines(invariants.assignments)
    assert any(f"assignment {lost.pk} " in line and "an answer was lost" in line for line in said)
    assert any(f"judgement {judged.pk} is there, but its assignment" in line for line in said)


def test_a_judgement_of_another_item_than_its_assignment(judged):
    other = Item.objects.exclude(pk=judged.item_id).first()
    Judgement.objects.filter(pk=judged.pk).update(item=other)
    (line,) = lines(invariants.assignments)
    assert f"judgement {judged.pk} names another item or person" in line


def test_leases_that_nobody_marks_are_a_note(judged, participant, cleo, pass_time):
    pass_time(leased(judged, participant(cleo)), hours=2)
    (note,) = invariants.leases_marked(None)
    assert note.is_note and "1 leases ran out" in str(note)


def test_a_writer_who_judged_the_own_pair(judged, written):
    replacement = written.replacements.first()
    Replacement.objects.filter(pk=replacement.pk).update(pair=judged.item.pair)
    (line,) = lines(invariants.own_pairs)
    assert f"judgement {judged.pk} is on pair {judged.item.pair_id}" in line
    Judgement.objects.filter(pk=judged.pk).update(counted=False)
    assert lines(invariants.own_pairs) == []


def test_a_writer_who_judged_the_twin_of_the_own_pair(judged, written):
    pair, made = judged.item.pair, written.replacements.first().pair
    pair.swapped_from, pair.origin = made, "swap"
    pair.save()
    assert len(lines(invariants.own_pairs)) == 1


def test_revisions_that_are_missing_or_say_something_else(judged, written):
    JudgementRevision.objects.filter(judgement=written).delete()
    JudgementRevision.objects.filter(judgement=judged).update(value={"answer": "non-entailment"})
    said = lines(invariants.revisions)
    assert any(f"judgement {written.pk} is at revision 1 and has 0" in line for line in said)
    assert any(f"judgement {judged.pk} says something else than its last revision" in line for line in said)


def test_answers_that_nobody_asked_for(judged, written):
    Judgement.objects.filter(pk=judged.pk).update(answer="perhaps")
    written.replacements.last().delete()
    said = lines(invariants.answers)
    assert any("the answer “perhaps”, which is no label" in line for line in said)
    assert any(f"judgement {written.pk} has 2 replacements instead of 3" in line for line in said)


def test_people_of_another_study(judged, olaf):
    other = olaf.memberships.first().study
    stranger = Participant.objects.create(study=other, pseudonym="stranger")
    Assignment.objects.filter(pk=judged.assignment_id).update(participant=stranger)
    assert any("of another study" in line for line in lines(invariants.one_study))


def test_a_tally_that_is_not_its_answers(judged, written):
    assert lines(invariants.tallies) == []
    Tally.objects.filter(campaign=judged.item.campaign).update(answered=7)
    (line,) = lines(invariants.tallies)
    assert (
        f"campaign {judged.item.campaign_id} says 7 answers and 0 to test questions; there are 1 and 0"
        in line
    )


def test_answers_that_the_trail_does_not_know_or_knows_twice(judged, written):
    sent = AuditEvent.objects.filter(action="judgement.submitted")
    event = sent.get(object_id=judged.pk)
    sent.filter(object_id=written.pk).delete()
    event.pk = None
    event.save()
    said = lines(invariants.trail)
    assert any(f"judgement {written.pk} is not in the audit trail" in line for line in said)
    assert any(f"judgement {judged.pk} is in the audit trail 2 times" in line for line in said)


def test_an_answer_that_is_gone_is_missed(judged):
    pk = judged.pk
    JudgementRevision.objects.filter(judgement=judged).delete()
    Judgement.objects.filter(pk=pk).delete()
    (line,) = lines(invariants.trail)
    assert f"judgement {pk} is in the audit trail, but not there any more" in line
