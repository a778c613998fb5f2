"""The API's pages in a browser: a form sends its request in the name of whoever is signed in."""

from __future__ import annotations

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from apps.studies.models import Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(chromium, live_server, study, ada, client_of, monkeypatch):
    """Ada's browser, narrow and dark, that tolerates no error of a script or of the security policy."""
    monkeypatch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    session = client_of(ada).cookies["polarlab_session"].value
    complaints: list[str] = []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(
            base_url=live_server.url, viewport={"width": 320, "height": 800}, color_scheme="dark"
        )
        context.add_cookies([{"name": "polarlab_session", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: complaints.append(m.text) if "Policy" in m.text else None)
        yield page
        browser.close()
    assert complaints == []


def operation(page, title):
    section = page.locator("section").filter(has=page.get_by_role("heading", name=title, exact=True))
    section.get_by_text("Try it").click()
    return section


def test_a_list_is_read_and_a_study_made(page, study):
    page.goto("/api/v1/docs/studies/")
    listed = operation(page, "GET /api/v1/studies/")
    listed.get_by_role("button", name="Send").click()
    expect(listed.get_by_role("status")).to_contain_text('"slug": "dogs-and-cats"')
    made = operation(page, "POST /api/v1/studies/")
    made.get_by_label("Body").fill('{"nmae": "Farm"}')
    made.get_by_role("button", name="Send").click()
    expect(made.get_by_role("status")).to_contain_text("422")
    expect(made.get_by_role("status")).to_contain_text("#/nmae")
    made.get_by_label("Body").fill('{"name": "Farm"}')
    made.get_by_role("button", name="Send").click()
    expect(made.get_by_role("status")).to_contain_text("201")
    assert Study.objects.filter(slug="farm").count() == 1
    renamed = operation(page, "PATCH /api/v1/studies/{slug}/")
    renamed.get_by_label("slug").fill("farm")
    renamed.get_by_label("Body").fill('{"name": "Zoo"}')
    renamed.get_by_role("button", name="Send").click()
    expect(renamed.get_by_role("status")).to_contain_text('"name": "Zoo"')


@pytest.mark.parametrize("address", ["/api/v1/docs/", "/api/v1/docs/campaigns/", "/profile/"])
def test_the_pages_fit_a_phone_and_axe_finds_nothing(address, page):
    page.goto(address)
    for summary in page.locator("summary").all()[:6]:
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
