"""The stage of the campaign tests: blanks to rewrite, pairs to judge, and a way to let time pass."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, sync_playwright

from apps.campaigns.models import Assignment, Campaign

SENTENCES = [
    "No dogs bark at night.",
    "Every farmer owns a red tractor.",
    "Few guests sang in the kitchen.",
    "Some birds left the island in May.",
]
BLANKED = ["dogs", "farmer", "guests", "birds"]
SIGNS = ["down", "down", "down", "up"]


@pytest.fixture
def blank_set(study, ada):
    """Four blanks, three of them downward and one upward."""
    from apps.corpora.models import Blank, BlankSet, Corpus, Sentence

    corpus = Corpus.objects.create(study=study, name="Farm", licence="CC0", source="own", created_by=ada)
    blank_set = BlankSet.objects.create(study=study, name="Farm blanks", created_by=ada)
    for position, (text, part, sign) in enumerate(zip(SENTENCES, BLANKED, SIGNS, strict=True)):
        digest = hashlib.sha256(text.encode()).hexdigest()
        sentence = Sentence.objects.create(corpus=corpus, position=position, text=text, digest=digest)
        start = text.index(part)
        Blank.objects.create(
            blank_set=blank_set,
            sentence=sentence,
            start=start,
            end=start + len(part),
            text=part,
            category="N",
            polarity=sign,
            engine="by-hand",
            engine_version="1",
            convention="default",
            parser="none",
        )
    return blank_set


@pytest.fixture
def dataset(study, ada):
    from apps.datasets.services import dataset_create

    return dataset_create(study=study, actor=ada, name="Farm pairs")


@pytest.fixture
def creation(study, ada, blank_set, dataset) -> Campaign:
    """An open creation campaign over the four blanks: three annotators an item, no minimum time."""
    from apps.campaigns.services import campaign_create, campaign_set_state

    campaign = campaign_create(
        study=study, actor=ada, name="Write", dataset=dataset, blank_set=blank_set, seed=1
    )
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def validation(study, ada, dataset) -> Campaign:
    """An open validation campaign over three imported pairs."""
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.datasets.services import pair_get_or_create

    for premise, hypothesis in [
        ("No dogs bark.", "No small dogs bark."),
        ("Some dogs bark.", "Some small dogs bark."),
        ("Few cats swim.", "Few black cats swim."),
    ]:
        pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
    campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1)
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def scale(study, ada, validation) -> Campaign:
    """An open campaign on the Likert scale over the same pairs."""
    from apps.campaigns.services import campaign_create, campaign_set_state

    campaign = campaign_create(
        study=study, actor=ada, name="Rate", dataset=validation.dataset, task="likert", seed=1
    )
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def pages_of_two(validation) -> Campaign:
    """The validation campaign with two questions on a page."""
    Campaign.objects.filter(pk=validation.pk).update(page_size=2)
    validation.refresh_from_db()
    return validation


@pytest.fixture
def participant(study) -> Callable:
    """The participant of a member of the cast."""
    from apps.studies.services import participant_for

    return lambda user: participant_for(study, user)


@pytest.fixture
def pass_time() -> Callable:
    """Let time pass for a lease by setting it back: the database's clock is nobody's to set."""

    def pass_for(assignment: Assignment, **duration: float) -> Assignment:
        past = timedelta(**duration)
        assignment.refresh_from_db()
        assignment.leased_at -= past
        assignment.shown_at -= past
        assignment.expires_at -= past
        assignment.save()
        return assignment

    return pass_for


def set_target(campaign: Campaign, target: int) -> None:
    """Another target straight into the rows, as if the campaign had been made with it."""
    Campaign.objects.filter(pk=campaign.pk).update(target=target)
    campaign.items.update(wanted=target)
    campaign.refresh_from_db()


def three(noun: str) -> list[str]:
    return [f"small {noun}", f"{noun} and pigs", f"{noun} with hats"]


# ---- In a real browser ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, live_server, client_of):
    """A signed-in page of a user's own context; afterwards: no console error, no CSP violation."""
    contexts, complaints = [], []

    def open_for(user, campaign=None, **options) -> Page:
        context = browser.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        session = client_of(user).cookies["polarlab_session"].value
        context.add_cookies([{"name": "polarlab_session", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(reverse("work:campaign", args=[campaign.pk]) if campaign else reverse("work:home"))
        return page

    yield open_for
    for context in contexts:
        context.close()
    # A refused answer comes with status 422, and a test may cut the connection; the console repeats both.
    assert [text for text in complaints if "422" not in text and "ERR_FAILED" not in text] == []


def violations(page: Page) -> list[str]:
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in Axe().run(page).response["violations"]]


def looks_right(page: Page) -> None:
    """On a phone and a wide screen, in light and dark, axe finds nothing; nothing stands beside the screen,
    nor at 640 px, which is what 200 % zoom leaves of a laptop's 1280."""
    for width in (320, 640, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark") if width != 640 else ():
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == [], (width, scheme)


def fill(page: Page, texts) -> None:
    for position, text in enumerate(texts):
        page.fill(f"#replacements-{position}", text)
