"""The two cards in a real browser: preview, keys, drafts, small screens, and no accessibility violation."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.campaigns.models import Assignment, Campaign, Judgement
from tests.campaigns.conftest import fill, three, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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


def press_when_read(page, key):
    """A key, once the card takes one: in its first moment it takes none."""
    expect(page.locator("form[data-card]:not([inert])")).to_be_attached()
    page.keyboard.press(key)


def test_the_second_press_of_a_double_one_answers_nothing_unread(validation, ben, open_page):
    page = open_page(ben, validation)
    for _press in range(3):
        page.keyboard.press("1")
        page.wait_for_timeout(60)
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    page.wait_for_timeout(400)
    assert Judgement.objects.count() == 1
    page.keyboard.press("2")
    expect(page.locator(".work-line")).to_contain_text("2 of 3 done")


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
    page.wait_for_timeout(300)
    assert not Judgement.objects.exists()


def test_one_key_answers_can_be_switched_off(validation, ben, open_page):
    ben.one_key_answers = False
    ben.save()
    page = open_page(ben, validation)
    assert page.locator(".answers kbd").count() == 0
    page.keyboard.press("1")
    page.wait_for_timeout(300)
    assert not Judgement.objects.exists()
    page.get_by_role("button", name="Yes, it must be true").click()
    expect(page.locator("[data-status]")).to_have_text("Saved.")


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
    assert "Saved." in page.inner_text("[data-status]")
    page.goto(reverse("work:campaign", args=[validation.pk]))
    page.get_by_role("button", name="No, it need not be true").click()
    assert "Saved." in page.inner_text("[data-status]")
    assert Judgement.objects.count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("task", ["creation", "validation"])
@pytest.mark.parametrize("width", [320, 640, 1280])
def test_no_violation_and_nothing_beside_the_screen(task, width, scheme, request, ben, open_page):
    """320 px is a small phone; 640 px is what 200 % zoom leaves of a laptop's 1280."""
    campaign = request.getfixturevalue(task)
    Campaign.objects.update(minimum_seconds=5, simulated=True)
    page = open_page(ben, campaign, color_scheme=scheme, viewport={"width": width, "height": 700})
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if task == "creation":
        fill(page, ["small hens", "wet hens", ""])
        page.click("text=Send")
        expect(page.locator("#replacements-2-error")).to_be_visible()
        page.click("text=Skip this one")
    else:
        page.click("[data-key='1']")
        expect(page.locator(".notice.error")).to_contain_text("Please wait")
    assert violations(page) == []
    page.goto(reverse("work:home"))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
