"""The two cards in a real browser: preview, keys, drafts, small screens, and no accessibility violation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.campaigns.models import Assignment, Campaign, Judgement
from tests.campaigns.conftest import fill, looks_right, three, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# How long a card that came with an answer takes none itself, in milliseconds (static/work.js).
FIRST_MOMENT = 300


def test_creation_shows_the_whole_sentence_as_it_is_typed(creation, ben, open_page):
    page = open_page(ben, creation)
    blank = Assignment.objects.get().item.blank
    page.locator("#replacements-1").press_sequentially("small ones")
    expect(page.locator("#replacements-1-preview")).to_have_text(f"{blank.before}small ones{blank.after}")
    expect(page.locator("#replacements-1-preview mark")).to_have_text("small ones")
    fill(page, ["old hens", "OLD  hens", "wet hens"])
    page.click("text=Send")
    expect(page.locator("#replacements-1-error")).to_have_text("This is the same as a phrase above.")
    expect(page.locator("#replacements-1")).to_be_focused()
    assert not Judgement.objects.exists()
    fill(page, three("hens"))
    page.click("text=Send")
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    assert [r.text for r in Judgement.objects.get().replacements.all()] == three("hens")


def test_a_refusal_leads_to_the_field(creation, ben, open_page):
    page = open_page(ben, creation)
    fill(page, ["small hens", "", "wet hens"])
    page.click("text=Send")
    expect(page.locator("#replacements-1-error")).to_have_text("Please write something here.")
    expect(page.locator("#replacements-1")).to_be_focused()
    expect(page.locator("#replacements-2")).to_have_value("wet hens")


def expect_nothing_sent(page):
    """After a key: where it answers, the page says within the key's own turn that it sends."""
    assert page.text_content("[data-status]").strip() == ""


def press_when_read(page, key):
    """A key, once the card takes one: in its first moment it takes none."""
    expect(page.locator("form[data-card]:not([inert])")).to_be_attached()
    page.keyboard.press(key)


def test_the_second_press_of_a_double_one_answers_nothing_unread(validation, ben, open_page):
    """The page's clock stands still, so that the first moment of a card lasts as long as the test looks."""
    page = open_page(ben, validation)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    card, status = page.locator("form[data-card]"), page.locator("[data-status]")
    page.keyboard.press("1")
    page.keyboard.press("1")  # the first is on its way, or the next card has only just come
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    expect(card).to_have_attribute("inert", "")
    page.keyboard.press("1")
    expect(status).to_have_text("Not taken: the card had only just come. Please press again.")
    page.clock.run_for(FIRST_MOMENT - 1)
    expect(card).to_have_attribute("inert", "")
    page.clock.run_for(1)
    expect(card).not_to_have_attribute("inert", "")
    assert len(sent) == 1 and Judgement.objects.count() == 1
    page.keyboard.press("2")
    expect(page.locator(".work-line")).to_contain_text("2 of 3 done")
    assert len(sent) == 2


def test_number_keys_answer_and_the_question_mark_shows_the_instructions(validation, ben, open_page):
    page = open_page(ben, validation)
    for number, (key, answer) in enumerate([("2", "non-entailment"), ("3", "unnatural")], start=1):
        press_when_read(page, key)
        expect(page.locator(".work-line")).to_contain_text(f"{number} of 3 done")
        assert Judgement.objects.latest("pk").answer == answer
    expect(page.locator("#instructions")).not_to_have_attribute("open", "")
    page.keyboard.press("?")
    expect(page.locator("#instructions")).to_have_attribute("open", "")
    page.keyboard.press("9")
    page.keyboard.press("Control+1")
    press_when_read(page, "1")
    expect(page.locator("h1")).to_have_text("Nothing to do here right now")
    assert Judgement.objects.count() == 3


def test_keys_in_a_text_field_or_while_composing_are_text(validation, creation, ben, open_page):
    page = open_page(ben, creation)
    page.locator("#replacements-0").press_sequentially("1 2 3 ?")
    expect(page.locator("#replacements-0")).to_have_value("1 2 3 ?")
    page.goto(reverse("work:campaign", args=[validation.pk]))
    compose = """() => document.body.dispatchEvent(
        new KeyboardEvent("keydown", {key: "1", bubbles: true, isComposing: true}))"""
    page.evaluate(compose)
    expect_nothing_sent(page)
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    assert Judgement.objects.count() == 1


def test_one_key_answers_can_be_switched_off(validation, ben, open_page):
    ben.one_key_answers = False
    ben.save()
    page = open_page(ben, validation)
    assert page.locator(".answers kbd").count() == 0
    page.keyboard.press("1")
    expect_nothing_sent(page)
    page.get_by_role("button", name="Yes, it must be true").click()
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    assert Judgement.objects.count() == 1


def test_a_double_click_and_the_back_button_make_one_judgement(validation, ben, open_page):
    page = open_page(ben, validation)
    page.locator("[data-key='1']").dblclick()
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    page.go_back()
    expect(page.locator(".notice")).to_contain_text("You sent this answer")
    expect(page.locator("[data-key='1']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    judgement = Judgement.objects.get()
    assert (judgement.answer, judgement.revision) == ("unnatural", 2)
    page.click("text=Change my last answer")
    expect(page.locator("[data-key='3']")).to_have_attribute("aria-pressed", "true")


def signed_out_while_writing(page, user):
    """Write, lose the session, send, and sign in again."""
    fill(page, three("hens"))
    page.context.clear_cookies(name="polarlab_session")
    page.click("text=Send")
    page.fill("[name=username]", user.email)
    page.fill("[name=password]", "correct horse")
    page.click("main button.primary")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_text_survives_a_login(scripts, creation, ben, open_page):
    page = open_page(ben, creation, java_script_enabled=scripts)
    signed_out_while_writing(page, ben)
    expect(page.locator("main")).to_contain_text("hens with hats")
    assert not scripts or violations(page) == []
    page.click("text=Send it now")
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    expect(page.locator("#replacements-0")).to_have_value("")
    assert Judgement.objects.get().replacements.count() == 3


def test_the_draft_is_on_the_card_as_well(creation, ben, open_page):
    page = open_page(ben, creation)
    signed_out_while_writing(page, ben)
    page.click("text=Go on without sending")
    expect(page.locator("#replacements-2")).to_have_value("hens with hats")
    expect(page.locator("#replacements-2-preview mark")).to_have_text("hens with hats")


def test_the_whole_creation_by_keyboard_alone(creation, ben, open_page):
    page = open_page(ben, creation)
    expect(page.locator("#replacements-0")).to_be_focused()
    for text in three("hens"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    expect(page.locator("#replacements-0")).to_be_focused()


def test_without_javascript_both_cards_work(creation, validation, ben, open_page):
    page = open_page(ben, creation, java_script_enabled=False)
    fill(page, three("hens"))
    page.click("text=Send")
    expect(page.locator("[data-status]")).to_contain_text("Saved.")
    page.goto(reverse("work:campaign", args=[validation.pk]))
    page.get_by_role("button", name="No, it need not be true").click()
    expect(page.locator("[data-status]")).to_contain_text("Saved.")
    assert Judgement.objects.count() == 2


@pytest.mark.parametrize("task", ["creation", "validation"])
def test_no_violation_and_nothing_beside_the_screen(task, request, ben, open_page):
    campaign = request.getfixturevalue(task)
    Campaign.objects.update(minimum_seconds=10**6, simulated=True)
    page = open_page(ben, campaign)
    looks_right(page)
    if task == "creation":
        fill(page, ["small hens", "wet hens", ""])
        page.click("text=Send")
        expect(page.locator("#replacements-2-error")).to_be_visible()
        page.click("text=Skip this one")
    else:
        page.click("[data-key='1']")
        expect(page.locator(".notice.error")).to_contain_text("Please wait")
    looks_right(page)
    page.goto(reverse("work:home"))
    looks_right(page)
