"""An annotator's whole way in a real browser, in each language, on a phone of 320 pixels and in the dark."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, override
from playwright.sync_api import Page, expect

from apps.campaigns.models import Campaign, Judgement
from tests.campaigns.conftest import fill, three, violations

pytestmark = [pytest.mark.browser, pytest.mark.first_visit, pytest.mark.django_db(transaction=True)]

# Words that no page of another language has outside of its English sentences ("and" is one to talk about).
ENGLISH = re.compile(r"\b(the|of|is|are|you|your|with|this|that|not|to)\b", re.IGNORECASE)
# What the page itself says: without sentences, and what people and researchers wrote.
SAID = """() => {
    const page = document.body.cloneNode(true);
    for (const other of page.querySelectorAll("[lang=en], bdi, kbd, script")) other.remove();
    return page.textContent;
}"""


class Annotator:
    """Ben at his phone, who finds his way by the words of his language."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.language = language

    def said(self, text: str) -> str:
        with override(self.language):
            return gettext(text)

    def look(self) -> None:
        """The page is in one language, as wide as the screen, without barriers (English has other tests)."""
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 320
        if self.language != "en":
            assert ENGLISH.findall(self.page.evaluate(SAID)) == []
            assert violations(self.page) == []

    def press(self, text: str) -> None:
        """A button by what stands on it, behind the key that presses it."""
        name = re.compile(rf"^\d?\s*{re.escape(self.said(text))}")
        self.page.get_by_role("button", name=name).click()

    def open(self, campaign: Campaign) -> None:
        """The instructions first, then the card."""
        self.page.goto(reverse("work:campaign", args=[campaign.pk]))
        self.look()
        self.press("Begin")
        self.page.locator("form[data-card]").wait_for()
        self.look()

    def expect_status(self, text: str) -> None:
        expect(self.page.locator("[data-status]")).to_contain_text(self.said(text))

    def expect_heading(self, text: str) -> None:
        expect(self.page.locator("h1")).to_have_text(self.said(text))
        self.look()


@pytest.fixture(params=[code for code, _name in settings.LANGUAGES])
def annotator(request: pytest.FixtureRequest, ben: object, open_page: Callable[..., Page]) -> Annotator:
    """Signed in by hand, in a browser that asks for the language."""
    options = {"locale": request.param, "color_scheme": "dark", "viewport": {"width": 320, "height": 640}}
    page = open_page(ben, **options)
    page.context.clear_cookies()
    page.goto(reverse("people:sign_in"))
    annotator = Annotator(page, request.param)
    annotator.look()
    page.fill("[name=username]", "ben@example.org")
    page.fill("[name=password]", "correct horse")
    annotator.press("Sign in")
    annotator.expect_heading("My work")
    return annotator


def test_creation_and_a_change_of_mind(annotator: Annotator, creation: Campaign) -> None:
    page = annotator.page
    annotator.open(creation)
    fill(page, ["small hens", "", "wet hens"])
    annotator.press("Send")
    expect(page.locator("#replacements-1-error")).to_have_text(annotator.said("Please write something here."))
    annotator.look()
    fill(page, three("hens"))
    annotator.press("Send")
    annotator.expect_status("Saved.")
    page.get_by_text(annotator.said("Change my last answer")).click()
    expect(page.locator("#replacements-2")).to_have_value("hens with hats")
    annotator.look()
    page.fill("#replacements-2", "hens with boots")
    annotator.press("Change")
    annotator.expect_status("Saved.")
    assert Judgement.objects.get().replacements.get(position=2).text == "hens with boots"
    page.get_by_text(annotator.said("Skip this one")).click()
    page.get_by_label(annotator.said("I don't understand the sentence")).check()
    annotator.look()
    annotator.press("Skip")
    annotator.expect_status("Saved.")


def test_validation_until_nothing_is_left(annotator: Annotator, validation: Campaign) -> None:
    annotator.open(validation)
    for answer in ("Yes, it must be true", "No, it need not be true", "One of the sentences makes no sense"):
        annotator.press(answer)
        annotator.expect_status("Saved.")
    annotator.expect_heading("Nothing to do here right now")
    answers = Judgement.objects.order_by("pk").values_list("answer", flat=True)
    assert list(answers) == ["entailment", "non-entailment", "unnatural"]


def test_the_scale(annotator: Annotator, scale: Campaign) -> None:
    annotator.open(scale)
    for answer in ("Definitely true", "May be true or not", "One or both sentences make no sense"):
        annotator.press(answer)
        annotator.expect_status("Saved.")
    annotator.expect_heading("Nothing to do here right now")
    assert list(Judgement.objects.order_by("pk").values_list("rating", flat=True)) == [5, 3, None]


def test_a_page_of_questions(annotator: Annotator, pages_of_two: Campaign) -> None:
    annotator.open(pages_of_two)
    for label in annotator.page.get_by_label(annotator.said("Yes, it must be true")).all():
        label.check()
    annotator.press("Send this page")
    annotator.expect_status("Saved.")
    annotator.look()
    assert Judgement.objects.count() == 2


def test_another_language_is_chosen_on_the_card_and_stays(annotator: Annotator, validation: Campaign) -> None:
    other = "de" if annotator.language == "en" else "en"
    annotator.open(validation)
    place = annotator.page.url
    annotator.page.locator(f".foot button[lang={other}]").click()
    annotator.language = other
    expect(annotator.page).to_have_url(place)
    annotator.look()
    annotator.press("Yes, it must be true")
    annotator.expect_status("Saved.")
    annotator.page.goto(reverse("work:home"))
    annotator.expect_heading("My work")
