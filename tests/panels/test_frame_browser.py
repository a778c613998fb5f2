"""A worker's whole way inside Mechanical Turk's frame, in a Chromium that blocks third-party cookies.

The stand-in's market is a page at https://workersandbox.mturk.com that no request leaves the machine
for: the browser's requests to that host are answered here. The frame in it is the real server's.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import BrowserContext, Frame, Page, expect, sync_playwright

from apps.campaigns.models import Assignment, Judgement
from apps.panels.models import Visit
from tests.panels.mturk import SANDBOX, Hit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MARKET_PAGE = """<!doctype html><html lang="en"><title>HIT</title><body>
<h1>A task at the market</h1>
<iframe title="Task" name="task" src="{address}" width="{width}" height="760"></iframe>
</body></html>"""


# What the frame may keep: cookies, and the storage that a browser without any cookies refuses too.
KEPT = """() => {
  document.cookie = "probe=1; SameSite=None; Secure";
  let storage = "storage";
  try { window.localStorage.length; } catch { storage = "no storage"; }
  return `${storage}, ${document.cookie ? "cookies" : "no cookies"}`;
}"""
NO_THIRD_PARTY = {"cookie_controls_mode": 1, "block_third_party_cookies": True}
THIRD_PARTY = {"cookie_controls_mode": 0, "block_third_party_cookies": False}
NO_COOKIES = {"default_content_setting_values": {"cookies": 2}}


@pytest.fixture(autouse=True)
def database_beside_a_running_loop(monkeypatch):
    """Playwright's loop runs in this thread; Django would take the tests' own queries for async code."""
    monkeypatch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture(scope="module")
def playwright():
    with sync_playwright() as running:
        yield running


class Market:
    """The market's page in a browser, and what was submitted to it."""

    def __init__(self, context: BrowserContext, server: str, scripts: bool) -> None:
        self.context, self.server, self.scripts = context, server, scripts
        self.submitted: list[tuple[str, dict[str, list[str]]]] = []
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def show(self, address: str, *, host: str = SANDBOX, width: int = 900):
        """Open the market's page with the task in its frame; returns the frame."""

        def answer(route) -> None:
            if route.request.method == "POST":
                self.submitted.append((route.request.url, parse_qs(route.request.post_data or "")))
                return route.fulfill(body="<!doctype html><p>Submitted.", content_type="text/html")
            body = MARKET_PAGE.format(address=f"{self.server}{address}".replace("&", "&amp;"), width=width)
            return route.fulfill(body=body, content_type="text/html")

        self.context.route(f"{host}/**", answer)
        self.page.goto(f"{host}/projects/tasks")
        return self.page.frame_locator("iframe[name=task]")

    def frame(self, address: str = "") -> Frame:
        """The task's frame, once it has an address that begins so. Another site's document is in a process
        of its own: while it moves there, there is no frame."""
        for _ in range(600):
            frame = self.page.frame("task")
            if frame is not None and frame.url.startswith(address):
                return frame
            self.page.wait_for_timeout(50)
        pytest.fail(f"no frame with {address or 'the task'}")


@pytest.fixture
def market(playwright, chromium, live_server, tmp_path: Path, request):
    """A browser of its own; its preferences block third-party cookies unless the test says otherwise."""
    options = dict(getattr(request, "param", {}))
    profile = tmp_path / "profile" / "Default"
    profile.mkdir(parents=True)
    (profile / "Preferences").write_text(json.dumps({"profile": options.pop("preferences", NO_THIRD_PARTY)}))
    context = playwright.chromium.launch_persistent_context(
        profile.parent,
        executable_path=chromium,
        args=[
            "--no-sandbox",
            "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
        ],
        viewport={"width": 1000, "height": 1000},
        **options,
    )
    shown = Market(context, live_server.url, options.get("java_script_enabled", True))
    yield shown
    context.close()
    assert [text for text in shown.complaints if "422" not in text] == []


def arrival(panel) -> str:
    return Hit().address(reverse("visit:arrive", args=[panel.public_id]))


def shoot(market: Market, name: str) -> None:
    if folder := os.environ.get("BROWSER_TEST_SHOTS"):
        market.page.screenshot(path=f"{folder}/panel-{name}.png", full_page=True)


def violations(market: Market) -> list[str]:
    """What axe finds in the frame's page; it is a script itself, so nothing where there are none."""
    if not market.scripts:
        return []
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in Axe().run(market.frame()).response["violations"]]


@pytest.mark.parametrize(
    "market",
    [
        {"color_scheme": "light"},
        {"color_scheme": "dark"},
        {"java_script_enabled": False},
        {"preferences": NO_COOKIES},
    ],
    ids=["light", "dark", "no JavaScript", "no cookies at all"],
    indirect=True,
)
def test_the_whole_way_in_the_frame_without_a_cookie(mturk, market):
    name = market.context.pages[0].evaluate(
        "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'"
    )
    task = market.show(arrival(mturk))
    assert market.frame().evaluate(KEPT).endswith("no cookies"), "the test would show nothing"
    expect(task.get_by_role("heading", name="Before you begin")).to_be_visible()
    assert violations(market) == []
    shoot(market, f"consent-{name}")
    task.get_by_role("button", name="I agree: begin").click()
    for done in range(3):
        expect(task.get_by_text(f"{done} of 3 done")).to_be_visible()
        if not done:
            assert violations(market) == []
            shoot(market, f"card-{name}")
        task.get_by_role("button", name="Yes, it must be true").click()
    expect(task.get_by_role("heading", name="There is no more work right now")).to_be_visible()
    shoot(market, f"finish-{name}")
    task.get_by_role("button", name="Finish and get the code").click()
    expect(task.get_by_text(mturk.code_complete)).to_be_visible()
    assert violations(market) == []
    shoot(market, f"finished-{name}")
    task.get_by_role("button", name="Send to Mechanical Turk").click()
    expect(task.get_by_text("Submitted.")).to_be_visible()
    fields = {"assignmentId": [Hit().assignment], "code": [mturk.code_complete], "outcome": ["complete"]}
    assert market.submitted == [(f"{SANDBOX}/mturk/externalSubmit", fields)]
    assert market.context.cookies(market.server) == []
    assert Judgement.objects.count() == 3 and Visit.objects.get().outcome == "complete"


@pytest.mark.parametrize(
    ("market", "kept"),
    [
        ({"preferences": THIRD_PARTY}, "storage, cookies"),
        ({"preferences": NO_THIRD_PARTY}, "storage, no cookies"),
        ({"preferences": NO_COOKIES}, "no storage, no cookies"),
    ],
    ids=["allowed", "third parties blocked", "all blocked"],
    indirect=["market"],
)
def test_the_control_the_preferences_decide_what_a_frame_may_keep(mturk, market, kept):
    market.show(arrival(mturk))
    assert market.frame().evaluate(KEPT) == kept


def test_a_preview_in_the_frame_is_an_example(mturk, market):
    """CASES 31."""
    task = market.show(Hit().preview(reverse("visit:arrive", args=[mturk.public_id])))
    expect(task.get_by_role("heading", name="An example of this task")).to_be_visible()
    assert violations(market) == []
    shoot(market, "preview")
    assert not Assignment.objects.exists() and not Visit.objects.exists()


def test_a_narrow_frame_does_not_scroll_sideways(mturk, market):
    task = market.show(arrival(mturk), width=320)
    task.get_by_role("button", name="I agree: begin").click()
    expect(task.get_by_text("0 of 3 done")).to_be_visible()
    frame = market.frame()
    assert frame.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    shoot(market, "card-narrow")


def test_another_site_can_not_frame_it(mturk, market):
    with market.page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        market.show(arrival(mturk), host="https://evil.example")
    market.frame("chrome-error://")
    market.complaints.clear()
