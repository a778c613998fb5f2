"""Pages of questions, the scale and the model's reply in a real browser."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.campaigns.models import Assignment, Campaign, Judgement
from apps.campaigns.services import campaign_update
from apps.inference.models import Model
from tests.campaigns.conftest import fill, looks_right, three, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def three_on_a_page(request):
    def of(task):
        campaign = request.getfixturevalue(task)
        Campaign.objects.filter(pk=campaign.pk).update(page_size=3)
        campaign.refresh_from_db()
        return campaign

    return of


@pytest.mark.parametrize(
    ("task", "keys", "answers"),
    [
        ("validation", "132", ["entailment", "unnatural", "non-entailment"]),
        ("scale", "503", ["entailment", "unnatural", "non-entailment"]),
    ],
)
def test_a_page_is_answered_by_keys_alone(task, keys, answers, three_on_a_page, ben, open_page):
    page = open_page(ben, three_on_a_page(task))
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("button.primary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Nothing to do here right now")
    leases = Assignment.objects.order_by("pk")
    assert [lease.judgement.answer for lease in leases] == answers


@pytest.mark.parametrize(("key", "stored"), [("1", (1, False)), ("4", (4, False)), ("0", (None, True))])
def test_one_key_answers_on_the_scale(key, stored, scale, ben, open_page):
    page = open_page(ben, scale)
    page.keyboard.press(key)
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    judgement = Judgement.objects.get()
    assert (judgement.rating, judgement.nonsense) == stored


@pytest.mark.parametrize("task", ["validation", "scale"])
def test_choices_survive_leaving_the_page_until_they_were_sent(task, three_on_a_page, ben, open_page):
    page = open_page(ben, three_on_a_page(task))
    page.keyboard.press("2")
    page.keyboard.press("1")
    page.reload()
    assert page.locator("input:checked").count() == 2
    page.keyboard.press("1")
    page.click("text=Send this page")
    expect(page.locator("h1")).to_have_text("Nothing to do here right now")
    assert (
        page.evaluate("Object.keys(localStorage).filter((k) => k.startsWith('polarlab-draft')).length") == 0
    )
    assert Judgement.objects.count() == 3


def test_no_connection_keeps_the_answer_and_sends_it_later(validation, ben, open_page):
    page = open_page(ben, validation)
    page.route("**/work/**", lambda route: route.abort())
    page.evaluate("window.addEventListener('unhandledrejection', (e) => e.preventDefault())")
    page.keyboard.press("2")
    expect(page.locator("[data-status]")).to_contain_text("no connection")
    assert not Judgement.objects.exists()
    page.unroute("**/work/**")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    assert Judgement.objects.get().answer == "non-entailment"


def test_an_answer_not_sent_is_shown_after_a_reload(validation, ben, open_page):
    page = open_page(ben, validation)
    page.route("**/work/**", lambda route: route.abort())
    page.keyboard.press("3")
    expect(page.locator("[data-status]")).to_contain_text("no connection")
    page.unroute("**/work/**")
    page.reload()
    expect(page.locator("[data-status]")).to_contain_text("not sent yet")
    expect(page.locator("[data-key='3']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")


def test_an_answer_is_one_request(validation, ben, open_page):
    page = open_page(ben, validation)
    requests = []
    page.on("request", lambda r: requests.append(r.method) if "/work/" in r.url else None)
    first = page.url
    page.keyboard.press("1")
    expect(page.locator(".work-line")).to_contain_text("1 of 3 done")
    assert requests == ["POST"] and page.url != first
    page.go_back()
    expect(page.locator(".notice")).to_contain_text("You sent this answer")


@pytest.mark.parametrize("task", ["validation", "scale"])
def test_the_last_answer_is_undone_with_its_page(task, three_on_a_page, ben, open_page):
    campaign = three_on_a_page(task)
    Campaign.objects.filter(pk=campaign.pk).update(page_size=2)
    page = open_page(ben, campaign)
    for key in "11":
        page.keyboard.press(key)
    page.click("text=Send this page")
    expect(page.locator(".work-line")).to_contain_text("2 of 3 done")
    page.click("text=Change my last answer")
    expect(page.locator(".notice")).to_contain_text("You sent this answer")
    page.locator("[data-question]").nth(1).locator("[data-key='2']").check()
    page.click("main button.primary")
    expect(page.locator("[data-status]")).to_have_text("Saved.")
    assert sorted(Judgement.objects.values_list("revision", flat=True)) == [1, 2]


def test_the_models_reply_comes_by_itself_and_may_be_answered(creation, study, ada, ben, open_page, work):
    model = Model.objects.create(study=study, name="Yes", kind="majority", config={"label": "entailment"})
    campaign_update(campaign=creation, actor=ada, show_predictions=True, model=model, tries=1)
    page = open_page(ben, creation)
    fill(page, three("hens"))
    page.click("text=Send")
    expect(page.locator("#reply")).to_contain_text("still reading")
    work()
    expect(page.locator("#reply")).to_contain_text("The model says: it must be true.")
    assert violations(page) == []
    page.click("text=Try again")
    expect(page.locator("#replacements-0")).to_have_value("small hens")
    fill(page, three("cats"))
    page.click("main button.primary")
    expect(page.locator("#reply")).to_contain_text("still reading")
    page.click("text=Go on")
    expect(page.locator("#replacements-0")).to_have_value("")
    assert Judgement.objects.get().tries == 1


def test_without_javascript_pages_and_the_scale_work(scale, ben, open_page):
    page = open_page(ben, scale, java_script_enabled=False)
    page.get_by_role("button", name="Probably true").click()
    assert "1 of 3 done" in page.inner_text(".work-line")
    Campaign.objects.update(page_size=2)
    page.goto(reverse("work:campaign", args=[scale.pk]))
    page.get_by_role("button", name="One or both").click()
    for question in page.locator("[data-question]").all():
        question.get_by_text("Definitely true").click()
    page.click("text=Send this page")
    assert Judgement.objects.count() == 3 or "done" in page.inner_text(".work-line")


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("task", ["validation", "scale"])
def test_no_violation_and_nothing_beside_the_screen(task, size, request, ben, open_page):
    campaign = request.getfixturevalue(task)
    Campaign.objects.filter(pk=campaign.pk).update(page_size=size, simulated=True)
    page = open_page(ben, campaign)
    looks_right(page)
    if size > 1:
        page.keyboard.press("1")
        page.click("text=Send this page")
        expect(page.locator(".status.error").first).to_be_visible()
        looks_right(page)
