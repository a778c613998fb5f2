"""Erasing somebody, and a password by a link, in a real browser, by what the pages say."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.accounts.models import User
from apps.studies.models import Participant
from apps.studies.services import participant_for
from tests.campaigns.conftest import browser, open_page, violations  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_annotator_is_erased_by_what_the_pages_say(study, ada, ben, open_page):  # noqa: F811
    person = participant_for(study, ben)
    page = open_page(ada)
    page.goto(reverse("studies:overview", args=[study.slug]))
    page.get_by_role("link", name="Annotators", exact=True).click()
    page.get_by_role("link", name="Erase").click()
    expect(page.locator("main")).to_contain_text("What goes, for good")
    expect(page.locator("main")).to_contain_text("What stays")
    assert violations(page) == []
    page.get_by_label(f"Type {person.pseudonym} to erase").fill(person.pseudonym)
    page.get_by_role("button", name="Erase").click()
    expect(page.locator(".message")).to_contain_text("Nothing here leads from")
    assert not User.objects.filter(pk=ben.pk).exists()
    assert Participant.objects.get(pk=person.pk).erased_at


def test_a_forgotten_password_is_set_by_a_link_of_an_admin(study, ada, ben, open_page, browser, live_server):  # noqa: F811
    desk = open_page(ada)
    desk.goto(reverse("members:list", args=[study.slug]))
    desk.get_by_role("row", name="ben@example.org").get_by_role(
        "button", name="Link to a new password"
    ).click()
    link = desk.get_by_label("ben@example.org").input_value()
    assert violations(desk) == []

    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    page.goto(reverse("people:sign_in"))
    page.get_by_role("link", name="Password forgotten?").click()
    expect(page.locator("main")).to_contain_text("Ask an admin of your study")
    page.goto(link)
    page.get_by_label("New password").fill("quite another phrase")
    page.get_by_role("button", name="Set the new password").click()
    expect(page.get_by_role("heading").first).to_have_text("My work")

    page.get_by_role("link", name="Ben").click()
    page.get_by_role("link", name="Change the password").click()
    assert violations(page) == []
    page.get_by_label("Present password").fill("quite another phrase")
    page.get_by_label("New password").fill("and one more phrase")
    page.get_by_role("button", name="Set the new password").click()
    expect(page.locator(".message")).to_contain_text("The new password holds")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("E-mail address").fill("ben@example.org")
    page.get_by_label("Password", exact=True).fill("and one more phrase")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading").first).to_have_text("My work")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme, study, ada, ben, open_page):  # noqa: F811
    participant_for(study, ben)
    page = open_page(ada, color_scheme=scheme)
    for name in ("members:list", "members:annotators", "members:match", "studies:trail"):
        page.goto(reverse(name, args=[study.slug]))
        assert violations(page) == [], name
    page.goto(reverse("people:profile"))
    assert violations(page) == []
