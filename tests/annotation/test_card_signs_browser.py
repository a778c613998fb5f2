"""What a card tells its annotator by itself: the time, a missing answer, what is new, a key too soon."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F
from django.urls import reverse
from playwright.sync_api import expect

from apps.campaigns.models import Assignment, Campaign, Judgement
from apps.campaigns.services import guideline_create

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


def with_a_clock(page, campaign):
    """The card again, in a page whose clock only the test puts forward; returns the minutes left on it."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    page.goto(reverse("work:campaign", args=[campaign.pk]))
    line = page.locator("[data-left]")
    expect(line).to_have_text(re.compile(r"^\d+ min left for it$"))
    minutes = int(line.text_content().split()[0])
    assert 20 < minutes <= campaign.lease_minutes == 30
    return minutes


def pass_on_the_server(**duration):
    Assignment.objects.update(
        shown_at=F("shown_at") - timedelta(**duration), expires_at=F("expires_at") - timedelta(**duration)
    )


def test_the_time_left_counts_down_and_says_what_comes_when_it_is_over(validation, ben, open_page):
    page = open_page(ben, validation)
    minutes = with_a_clock(page, validation)
    line, status = page.locator("[data-left]"), page.locator("[data-status]")
    page.clock.fast_forward("10:00")
    expect(line).to_have_text(f"{minutes - 10} min left for it")
    page.clock.fast_forward(f"{minutes - 11:02}:00")
    expect(line).to_have_text(re.compile(r"^[3-8]\d s left for it$"))
    page.clock.fast_forward("01:30")
    expect(line).to_have_text("its time has run out")
    expect(status).to_contain_text("others may take it now")
    expect(status).to_contain_text("it is kept, and it counts unless somebody else has come before you")
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")


def test_typing_gives_the_whole_time_again(creation, ben, open_page):
    page = open_page(ben, creation)
    minutes = with_a_clock(page, creation)
    page.clock.fast_forward("20:00")
    expect(page.locator("[data-left]")).not_to_have_text(f"{minutes} min left for it")
    with page.expect_response(re.compile("/keep/")):
        page.locator("#replacements-0").press_sequentially("small hens")
    expect(page.locator("[data-left]")).to_have_text("30 min left for it")


def test_a_lunch_over_the_card_is_no_working_time(validation, ben, open_page):
    """CASES 54, with a page that knows when nobody was at it: all but the minute that may be reading."""
    began = time.monotonic()
    page = open_page(ben, validation)
    with_a_clock(page, validation)
    page.mouse.move(10, 10)
    page.clock.fast_forward("25:00")
    pass_on_the_server(minutes=25)
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    judgement = Judgement.objects.get()
    assert judgement.idle_seconds == pytest.approx(24 * 60, abs=1)
    assert judgement.seconds <= 61 + time.monotonic() - began


def test_a_clock_that_is_hours_off_changes_nothing(validation, ben, open_page):
    """CASES 23: durations are the server's; a page's own clock is only compared with itself."""
    began = time.monotonic()
    page = open_page(ben, validation)
    page.clock.install(time=datetime.now(UTC) - timedelta(hours=3))
    page.goto(reverse("work:campaign", args=[validation.pk]))
    expect(page.locator("[data-left]")).to_have_text(re.compile(r"^(2\d|30) min left for it$"))
    pass_on_the_server(seconds=40)
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    judgement = Judgement.objects.get()
    assert 40 <= judgement.seconds <= 40 + time.monotonic() - began and judgement.idle_seconds == 0


def test_a_missing_answer_is_in_sight_has_the_focus_and_is_told(validation, ben, open_page):
    Campaign.objects.update(page_size=3)
    page = open_page(ben, validation, viewport={"width": 390, "height": 600})
    page.keyboard.press("1")
    page.locator("#question-3 input[type=radio]").first.check()
    page.click("text=Send this page")
    expect(page.locator("#question-2 input[type=radio]").first).to_be_focused()
    expect(page.locator("#question-2 fieldset")).to_be_in_viewport()
    expect(page.locator("[data-status]")).to_have_text("Question 2 of 3 has no answer yet")
    expect(page.locator("#question-1 input[type=radio]").first).to_be_checked()
    page.keyboard.press("2")
    page.click("text=Send this page")
    expect(page.locator("h1")).to_have_text("Nothing to do here right now")
    assert Judgement.objects.count() == 3


def test_without_scripts_a_missing_answer_is_a_link_at_the_top(validation, ben, open_page):
    Campaign.objects.update(page_size=3)
    page = open_page(ben, validation, java_script_enabled=False)
    page.locator("#question-1 input[type=radio]").first.check()
    page.click("text=Send this page")
    page.get_by_role("link", name="Question 2 of 3 has no answer yet").click()
    assert page.url.endswith("#question-2")


def test_new_instructions_open_once_above_the_card(validation, ada, ben, open_page):
    page = open_page(ben, validation)
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    guideline_create(campaign=validation, actor=ada, body=f"{validation.guideline.body}\n\nTake your time.")
    expect(page.locator("form[data-card]:not([inert])")).to_be_attached()
    page.keyboard.press("1")
    expect(page.locator(".news ins")).to_have_text("Take your time.")
    expect(page.locator("form[data-card]:not([inert])")).to_be_attached()
    page.keyboard.press("1")
    expect(page.locator("h1")).to_have_text("Nothing to do here right now")


@pytest.mark.first_visit
@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_first_card_is_in_sight(width, validation, ben, open_page):
    page = open_page(ben, validation, viewport={"width": width, "height": 700})
    assert Assignment.objects.count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".sentence").first).to_be_in_viewport()
    expect(page.locator(".answers button").first).to_be_in_viewport()
    assert page.locator(".work-card").bounding_box()["y"] < 200


def test_no_frame_stands_around_the_page_after_a_key(validation, ben, open_page):
    page = open_page(ben, validation)
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    expect(page.locator("#main")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.getElementById('main')).outlineStyle") == "none"


def test_a_key_that_comes_with_the_card_is_not_dropped_in_silence(validation, ben, open_page):
    page = open_page(ben, validation)
    page.evaluate(
        """new MutationObserver(() => {
             document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', bubbles: true}));
           }).observe(document.body, {childList: true})"""
    )
    page.keyboard.press("1")
    expect(page.locator("[data-status]")).to_have_text(
        "Not taken: the card had only just come. Please press again."
    )
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    assert Judgement.objects.count() == 1


def test_a_pasted_phrase_that_is_too_long_is_refused_in_words_and_not_cut(creation, ben, open_page):
    page = open_page(ben, creation)
    for position, text in enumerate(["very " * 600 + "small hens", "wet hens", "old hens"]):
        page.fill(f"#replacements-{position}", text)
    page.click("text=Send")
    expect(page.locator("#replacements-0-error")).to_have_text(
        "This is too long: 3010 characters, where 300 are the most."
    )
    assert len(page.input_value("#replacements-0")) == 3010
    assert not Judgement.objects.exists()
