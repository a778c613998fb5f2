"""Before a campaign opens, whoever opens it hears what it asks for and can't have."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Campaign
from apps.campaigns.readiness import doubts_before_opening
from apps.campaigns.services import (
    assignment_next,
    campaign_create,
    campaign_set_state,
    campaign_update,
    judgement_submit,
)
from apps.panels.consents import PLACEHOLDER, STARTING_CONSENT
from apps.panels.services import consent_create, panel_create
from apps.people.services import invitation_create, invitation_withdraw
from apps.quality.models import Quality
from apps.quality.questions import Draft, question_create
from tests.campaigns.conftest import three

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(validation):
    Campaign.objects.filter(pk=validation.pk).update(state="draft")
    validation.refresh_from_db()
    return validation


def said(campaign):
    return [doubt.text for doubt in doubts_before_opening(campaign)]


def test_a_number_that_the_studys_people_can_reach_is_no_doubt(draft, ben, cleo, dan):
    assert said(draft) == []


def test_too_few_annotators_are_counted_with_those_invited(draft, ada, ben, cleo):
    (text,) = said(draft)
    assert "wants 3 people. The study has 2 annotators, open invitations included. So the number" in text
    invitation, _token = invitation_create(actor=ada, study=draft.study, role="annotator", email="")
    assert said(draft) == []
    invitation_withdraw(invitation=invitation, actor=ada)
    assert len(said(draft)) == 1


def test_three_who_write_and_judge_cant_be_three_judges(creation, participant, ada, ben, cleo, dan):
    lease = assignment_next(campaign=creation, participant=participant(ben))
    judgement_submit(assignment=lease, replacements=three("dogs"))
    judging = campaign_create(study=creation.study, actor=ada, name="Judge", dataset=creation.dataset)
    (text,) = said(judging)
    assert "3 annotators" in text and "nobody judges a pair that they wrote" in text
    judging = campaign_update(campaign=judging, actor=ada, target=2)
    assert said(judging) == []


def test_a_quiz_without_questions_is_said_until_it_has_them(draft, ada, ben, cleo, dan):
    Quality.objects.create(campaign=draft, quiz_size=1)
    assert said(draft) == [
        "A quiz of 1 is asked for, and 0 test questions are written: the quiz is shorter, or there is none."
    ]
    question = Draft(("No dogs ran.",), "No old dogs ran.", expected="entailment")
    question_create(campaign=draft, actor=ada, draft=question)
    assert said(draft) == []


def test_test_questions_among_the_others_without_any_are_said(draft, ben, cleo, dan):
    Quality.objects.create(campaign=draft, test_share=10)
    assert said(draft) == ["Test questions among the others are asked for, and none is written."]


def test_a_consent_text_with_its_placeholder_never_goes_live(draft, ada):
    panel = panel_create(campaign=draft, actor=ada, kind="prolific", consent=STARTING_CONSENT)
    assert [doubt.must for doubt in doubts_before_opening(draft)] == [True]
    with pytest.raises(ValidationError, match="The consent text still says"):
        campaign_set_state(campaign=draft, actor=ada, state="open")
    consent_create(panel=panel, actor=ada, body=STARTING_CONSENT.replace(PLACEHOLDER, "Ada, Room 3"))
    assert campaign_set_state(campaign=draft, actor=ada, state="open").state == "open"


def test_the_page_asks_once_and_opens_on_a_yes(draft, rosa, ben, client_of):
    address, client = reverse("campaigns:state", args=[draft.study.slug, draft.pk]), client_of(rosa)
    page = client.post(address, {"state": "open"})
    assert "Before it opens" in page.content.decode() and "1 annotator," in page.content.decode()
    draft.refresh_from_db()
    assert draft.state == "draft"
    client.post(address, {"state": "open", "confirmed": "yes"})
    draft.refresh_from_db()
    assert draft.state == "open"
    client.post(address, {"state": "paused"})
    client.post(address, {"state": "open"})
    draft.refresh_from_db()
    assert draft.state == "open"


def test_what_must_be_mended_has_no_button_to_go_on(draft, ada, rosa, client_of):
    panel_create(campaign=draft, actor=ada, kind="prolific", consent=STARTING_CONSENT)
    address = reverse("campaigns:state", args=[draft.study.slug, draft.pk])
    page = client_of(rosa).post(address, {"state": "open"}).content.decode()
    assert "Open it all the same" not in page and PLACEHOLDER in page
