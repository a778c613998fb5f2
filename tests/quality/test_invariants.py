"""What can be wrong with test questions, their answers and requeues is seen."""

import pytest

from apps.campaigns.models import Item, Judgement
from apps.campaigns.services import judgement_submit
from apps.datasets.models import Dataset
from apps.quality import actions, invariants
from apps.quality.models import TestAnswer, TestQuestion
from apps.studies.soundness import faults

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lines(check) -> list[str]:
    return [str(fault) for fault in check(None)]


@pytest.fixture
def answered(with_tests, annotator, ben) -> Judgement:
    """An answer to a test question."""
    with_tests(4, quiz_size=4)
    return annotator(ben).answer()[0]


def test_a_quiz_that_went_well_has_no_faults(answered):
    assert [str(fault) for fault in faults()] == []


def test_marks_without_questions_and_questions_without_marks(answered):
    TestQuestion.objects.filter(item=answered.item_id).delete()
    other = TestQuestion.objects.first()
    Item.objects.filter(pk=other.item_id).update(is_test=False)
    said = lines(invariants.test_questions)
    assert any(f"item {answered.item_id} is marked as a test question and has none" in line for line in said)
    assert any(f"test question {other.pk} is on item {other.item_id}" in line for line in said)


def test_a_test_question_among_published_pairs(answered):
    Dataset.objects.filter(pairs__items=answered.item_id).update(kind=Dataset.Kind.PAIRS)
    assert any("in a dataset that is published" in line for line in lines(invariants.test_questions))


def test_a_test_answer_that_counts(answered):
    Judgement.objects.filter(pk=answered.pk).update(counted=True)
    (line,) = lines(invariants.test_answers)
    assert f"judgement {answered.pk} counts, but its item" in line


def test_a_test_answer_that_trust_does_not_know(answered):
    TestAnswer.objects.all().delete()
    (line,) = lines(invariants.test_answers)
    assert f"judgement {answered.pk} on a test question is not kept for trust" in line


def test_a_test_answer_other_than_the_first_one_sent(answered):
    TestAnswer.objects.update(answer="non-entailment")
    (line,) = lines(invariants.test_answers)
    assert f"than judgement {answered.pk} first was" in line


def test_a_test_answer_of_somebody_else(answered, participant, cleo):
    TestAnswer.objects.update(participant=participant(cleo))
    (line,) = lines(invariants.test_answers)
    assert "names another question or person" in line


def test_an_answer_that_counts_though_it_was_requeued(judging, annotator, ben, work):
    at_work = annotator(ben)
    (given,) = at_work.answer()
    actions.action_take(campaign=judging, participant=at_work.participant, kind="requeue")
    work()
    assert lines(invariants.requeues) == []
    Judgement.objects.filter(pk=given.pk).update(counted=True)
    (line,) = lines(invariants.requeues)
    assert f"judgement {given.pk} counts, though requeue" in line


def test_a_requeued_answer_counts_no_more_by_way_of_a_skip(judging, annotator, ben, work):
    """Where skips don't count, an answer that was a skip counts once it is none; not so after a requeue."""
    judging.skips_count = False
    judging.save()
    at_work = annotator(ben)
    first, second = at_work.answer(2)
    judgement_submit(assignment=second.assignment, answer="unnatural")
    actions.action_take(campaign=judging, participant=at_work.participant, kind="requeue")
    work()
    for given in (first, second):
        judgement_submit(assignment=given.assignment, answer="unnatural")
        judgement_submit(assignment=given.assignment, answer="entailment")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.counted, second.counted) == (False, True)
    assert lines(invariants.requeues) == []
