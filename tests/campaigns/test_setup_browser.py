"""A campaign is set up in a browser: what a preset asks is shown, what is missing is said before it opens."""

import pytest
from django.urls import reverse

from apps.campaigns.models import Campaign
from apps.panels.consents import PLACEHOLDER, STARTING_CONSENT
from apps.panels.services import panel_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_preset_keeps_what_was_typed_and_shows_what_it_asks(validation, rosa, visit, script):
    address = reverse("campaigns:new_likert", args=[validation.study.slug])
    page = visit(rosa, f"{address}?dataset={validation.dataset_id}", java_script_enabled=script)
    page.get_by_label("Name", exact=True).fill("My scale")
    page.get_by_label("At most, from one annotator").fill("40")
    page.get_by_role("button", name="transitivity 2021").click()
    assert page.get_by_label("Name", exact=True).input_value() == "My scale"
    assert page.get_by_label("At most, from one annotator").input_value() == "40"
    assert page.get_by_label("Price a question").input_value() == "0.06"
    for said in ("5000", "99 %", "section 4.4 and appendix D", "merely recorded"):
        assert said in page.locator(".notice").inner_text()
    page.get_by_label("Price a question").fill("0.10")
    page.get_by_role("button", name="Make the campaign").click()
    page.get_by_role("heading", name="My scale", level=1).wait_for()
    assert "after transitivity 2021, with changes" in page.locator("main").inner_text()


def test_a_quiz_without_questions_and_too_few_people_are_said_before_it_opens(validation, rosa, visit):
    address = reverse("campaigns:new_validation", args=[validation.study.slug])
    page = visit(rosa, f"{address}?dataset={validation.dataset_id}")
    page.get_by_role("button", name="MED 2019 validation").click()
    page.get_by_role("button", name="Make the campaign").click()
    page.get_by_role("button", name="Open", exact=True).click()
    said = page.locator("main").inner_text()
    assert "A quiz of 10 is asked for, and 0 test questions are written" in said
    assert "The study has 0 annotators" in said
    made = Campaign.objects.exclude(pk=validation.pk).get()
    assert made.state == "draft"
    page.get_by_role("button", name="Open it all the same").click()
    page.get_by_role("button", name="Pause").wait_for()
    made.refresh_from_db()
    assert made.state == "open"


def test_a_consent_text_with_its_placeholder_does_not_go_live(validation, rosa, visit):
    Campaign.objects.filter(pk=validation.pk).update(state="draft")
    panel_create(campaign=validation, actor=rosa, kind="prolific", consent=STARTING_CONSENT)
    page = visit(rosa, reverse("campaigns:campaign", args=[validation.study.slug, validation.pk]))
    page.get_by_role("button", name="Open", exact=True).click()
    assert PLACEHOLDER in page.locator("main").inner_text()
    assert page.get_by_role("button", name="Open it all the same").count() == 0
