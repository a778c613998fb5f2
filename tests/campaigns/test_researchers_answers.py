"""Who researches in a study can look at its labels: such answers are kept and marked, and never count."""

import pytest
from django.db import IntegrityError, transaction

from apps.annotation import notices
from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.services import assignment_next, judgement_submit
from apps.studies.models import Membership

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def answer(validation, participant):
    def submit(user) -> Judgement:
        Campaign.objects.update(order="fixed")
        lease = assignment_next(campaign=validation, participant=participant(user))
        return judgement_submit(assignment=lease, answer="entailment")

    return submit


def test_a_researchers_answer_is_kept_and_does_not_count(answer, rosa):
    given = answer(rosa)
    assert given.could_see_labels and not given.counted
    assert Item.objects.get(pk=given.item_id).counted == 0
    assert ["can see the labels" in text for text in notices.after_sending([given])] == [True]


def test_the_role_of_an_annotator_beside_it_changes_nothing(answer, rosa, study):
    Membership.objects.create(study=study, user=rosa, role="annotator")
    assert not answer(rosa).counted


def test_an_annotators_answer_counts(answer, ben):
    given = answer(ben)
    assert given.counted and not given.could_see_labels
    assert notices.after_sending([given]) == []


def test_changing_it_makes_it_count_no_sooner(answer, rosa):
    Campaign.objects.update(skips_count=False)
    given = answer(rosa)
    for value in ("unnatural", "non-entailment"):
        given = judgement_submit(assignment=given.assignment, answer=value)
    assert given.answer == "non-entailment" and not given.counted


def test_the_database_refuses_that_it_counts(answer, rosa):
    given = answer(rosa)
    with pytest.raises(IntegrityError), transaction.atomic():
        Judgement.objects.filter(pk=given.pk).update(counted=True)
