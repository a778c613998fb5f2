"""Nobody's answer counts on a pair of their own, in whichever order the two are written (CASES 17)."""

import pytest
from django.core.exceptions import ValidationError

from apps.campaigns import invariants
from apps.campaigns.models import Item, Judgement
from apps.campaigns.services import (
    assignment_next,
    campaign_create,
    campaign_set_state,
    judgement_submit,
    work_next,
)
from apps.datasets.services import pair_get_or_create
from tests.campaigns.conftest import three

pytestmark = [pytest.mark.django_db, pytest.mark.both]

PREMISE, HYPOTHESIS = "No dogs bark at night.", "No small dogs bark at night."


@pytest.fixture
def judging(study, ada, creation, dataset):
    """A campaign that judges a pair which a writer of the other one can write as well."""
    pair_get_or_create(dataset=dataset, premises=[(PREMISE, None)], hypothesis=HYPOTHESIS, origin="import")
    campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1)
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def write(creation, participant):
    """Write three replacements for "dogs", the first of which makes the pair."""

    def submit(user):
        Item.objects.filter(campaign=creation).exclude(blank__text="dogs").update(is_complete=True)
        lease = assignment_next(campaign=creation, participant=participant(user))
        return judgement_submit(assignment=lease, replacements=three("dogs"))

    return submit


def test_written_before_it_is_never_handed_out(judging, write, participant, ben):
    write(ben)
    assert assignment_next(campaign=judging, participant=participant(ben)).reason == "own"


def test_written_while_it_was_on_the_screen_the_answer_does_not_count(judging, write, participant, ben, cleo):
    lease = assignment_next(campaign=judging, participant=participant(ben))
    write(ben)
    kept = judgement_submit(assignment=lease, answer="entailment")
    assert not kept.counted and Item.objects.get(pk=kept.item_id).counted == 0
    assert judgement_submit(assignment=lease, answer="non-entailment").counted is False
    assert work_next(campaign=judging, participant=participant(cleo))[0].item_id == kept.item_id
    write(cleo)


def test_judged_before_it_cannot_be_written_any_more(judging, write, creation, participant, ben):
    lease = assignment_next(campaign=judging, participant=participant(ben))
    judgement_submit(assignment=lease, answer="entailment")
    with pytest.raises(ValidationError) as refused:
        write(ben)
    assert "judged this sentence already" in refused.value.message_dict["replacements-0"][0]
    assert not Judgement.objects.filter(item__campaign=creation).exists()


def test_the_doctor_agrees(judging, write, participant, ben, cleo):
    lease = assignment_next(campaign=judging, participant=participant(ben))
    write(ben)
    judgement_submit(assignment=lease, answer="entailment")
    assert list(invariants.own_pairs(None)) == []
