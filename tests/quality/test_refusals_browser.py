"""Being refused by a slip and coming in all the same, in a real browser; and searching long lists."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.quality.models import Quality
from apps.quality.settings import quality_update
from tests.campaigns.conftest import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_slip_is_seen_corrected_and_the_work_begins(judging, ada, ben, rosa, open_page):
    """By what the pages say: My work counts nothing for the refused, People says by what, one correction."""
    quality_update(campaign=judging, actor=ada, languages=["en"])
    page = open_page(ben, judging)
    page.get_by_label("Your native language").fill("Deutsch")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading")).to_have_text("This work is for others")
    page.get_by_role("link", name="My work").last.click()
    expect(page.locator("main")).to_contain_text("This work is for native speakers of: English")
    expect(page.locator("main")).not_to_contain_text("left")

    desk = open_page(rosa)
    desk.goto(reverse("quality:people", args=[judging.study.slug, judging.pk]))
    expect(desk.locator("main")).to_contain_text("native language")
    expect(desk.locator("main")).to_contain_text("Deutsch")

    page.get_by_role("link", name=judging.name).click()
    page.get_by_role("link", name="Put right what I said").click()
    assert violations(page) == []
    page.get_by_label("Your native language").fill("english")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".answers")).to_be_visible()
    desk.reload()
    expect(desk.locator("main")).to_contain_text("let in, or asked again")


def test_a_failed_quiz_is_tried_again_and_let_in_without_it_holds(
    with_tests, trust_rule, judging, ben, rosa, open_page
):
    with_tests(8, quiz_size=2, quiz_wrong=0, quiz_tries=2, test_share=50)
    page = open_page(ben, judging)
    page.locator("button[data-key='2']").click()
    page.get_by_role("button", name="Try the quiz again").click()
    page.locator("button[data-key='2']").click()
    expect(page.get_by_role("heading").first).to_have_text("Thank you for taking the quiz")
    expect(page.get_by_role("button", name="Try the quiz again")).to_have_count(0)
    page.get_by_role("link", name="My work").last.click()
    expect(page.locator("main")).not_to_contain_text(judging.name)

    desk = open_page(rosa)
    desk.goto(reverse("quality:people", args=[judging.study.slug, judging.pk]))
    expect(desk.locator("main")).to_contain_text("quiz not passed")
    desk.locator("table").last.get_by_role("link").click()
    desk.get_by_role("button", name="Let in without the quiz").click()

    page.goto(reverse("work:home"))
    page.get_by_role("link", name=judging.name).click()
    for _card in range(5):  # with a share of a half, a test question is among any two
        expect(page.locator(".answers")).to_be_visible()
        before = page.url
        page.locator(".answers button").first.click()
        expect(page).not_to_have_url(before)
    expect(page.locator(".answers")).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
def test_a_long_list_is_searched_and_keeps_earlier_choices(script, judging, ada, rosa, open_page):
    quality_update(campaign=judging, actor=ada, countries=["JP"])
    page = open_page(rosa, java_script_enabled=script)
    page.goto(reverse("quality:eligibility", args=[judging.study.slug, judging.pk]))
    group = page.get_by_role("group", name="Countries")
    for name in ("germany", "United States"):
        group.get_by_role("combobox").fill(name)
        group.get_by_role("button", name="Add").click()
    expect(group.get_by_role("checkbox", checked=True)).to_have_count(3)
    group.get_by_label("Japan").uncheck()
    group.get_by_role("combobox").fill("Kenya")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading").first).to_have_text("Quality")
    assert Quality.objects.get().countries == ["DE", "US", "KE"]
