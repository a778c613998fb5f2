"""The first hours on an empty installation: from an invitation to the first judged pair, by nothing but what
the pages say, in few clicks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, Visitors

pytestmark = [pytest.mark.browser]

MOST_CLICKS = 25
SENTENCES = "No dogs bark at night in the old village.\nEvery child who sings in the choir was tired today.\n"


class Counted:
    """People at their pages, whose clicks on links and buttons, and whose pages, are counted."""

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self.clicks = 0
        self.pages: list[str] = []

    def arrive(self, link: str) -> Page:
        page = self._visitors.arrive()
        page.on("framenavigated", lambda frame: self.pages.append(frame.url))
        page.goto(link)
        return page

    def click(self, page: Page, role: str, name: str | re.Pattern[str]) -> None:
        """Press the first link or button of this name on the page."""
        self.clicks += 1
        page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]

    def register(self, page: Page, name: str) -> None:
        page.get_by_label("Your name").fill(name)
        page.get_by_label("E-mail address").fill(f"{name.lower()}@example.org")
        page.get_by_label("Password").fill("a long pass phrase")
        self.click(page, "button", "Make my account")


def test_from_an_invitation_to_the_first_judged_pair(
    server: Server, visitors: Visitors, capsys: pytest.CaptureFixture[str]
) -> None:
    people = Counted(visitors)
    click = people.click

    researcher = people.arrive(server.manage("invite").strip().splitlines()[0])
    people.register(researcher, "Rita")
    researcher.get_by_label("Name").fill("First")
    click(researcher, "button", "Create the study")

    click(researcher, "link", "Members")
    researcher.get_by_label("Role").select_option("annotator")
    addresses = "\n".join(f"{name}@example.org" for name in ("ann", "bob", "cat", "dan"))
    researcher.get_by_label("E-mail addresses").fill(addresses)
    click(researcher, "button", re.compile("^Make .*invitation link"))
    links = invitation_links(researcher)

    click(researcher, "link", "Corpora")
    click(researcher, "link", "Bring sentences in")
    researcher.get_by_label("Or paste sentences").fill(SENTENCES)
    researcher.get_by_label("Name of the corpus").fill("Two")
    researcher.get_by_label("Licence").fill("CC0")
    researcher.get_by_label("Source").fill("ourselves")
    click(researcher, "button", "Show a preview")
    click(researcher, "button", re.compile("^Store "))
    click(researcher, "button", "Parse and polarise")
    expect(researcher.get_by_role("link", name="Choose blanks")).to_be_visible(timeout=90_000)
    click(researcher, "link", "Choose blanks")
    researcher.get_by_label("Name of the set").fill("One")
    researcher.get_by_label("At most", exact=True).fill("1")
    click(researcher, "button", "Make the set")
    click(researcher, "link", "Make a campaign")
    click(researcher, "button", "Make the campaign")
    click(researcher, "button", "Open")

    writer = people.arrive(links[0])
    people.register(writer, "Ann")
    click(writer, "link", "One")
    begin(people, writer)
    for position, detail in enumerate(("near the harbour", "of my uncle", "on the hill"), start=1):
        blank = str(writer.locator("form[data-card]").get_attribute("data-blank"))
        writer.get_by_label(f"Phrase {position}").fill(f"{blank} {detail}")
    click(writer, "button", "Send")
    expect(writer.get_by_role("heading", level=1)).to_have_text("Nothing to do here right now")

    researcher.reload()
    click(researcher, "link", "Validate the new pairs")
    click(researcher, "button", "Make the campaign")
    click(researcher, "button", "Open")

    judge = people.arrive(links[1])
    people.register(judge, "Bob")
    click(judge, "link", re.compile("validation"))
    begin(people, judge)
    card = judge.url
    click(judge, "button", re.compile("^Yes, it must be true"))
    expect(judge).not_to_have_url(card)

    with capsys.disabled():
        print(f"\nfirst hours: {people.clicks} clicks, {len(people.pages)} pages")
    assert people.clicks <= MOST_CLICKS


def begin(people: Counted, page: Page) -> None:
    """The instructions, which are a page of their own at somebody's first visit."""
    card: Callable[[], int] = page.locator("form[data-card]").count
    page.wait_for_load_state()
    if not card():
        people.click(page, "button", "Begin")
        page.locator("form[data-card]").wait_for()


def invitation_links(page: Page) -> list[str]:
    text = page.content()
    found = re.findall(r"https?://[^\s\"'<]+/invitation/[^\s\"'<]+", text)
    links = list(dict.fromkeys(found))
    assert len(links) == 4, text
    return links
