"""The whole loop in a browser: sentences in, blanks, hypotheses, judgements, comparison, a dataset out.

Sentences are drawn at random from the Parallel Meaning Bank. Four annotators work in browsers of
their own: three write, and all four judge, since a pair needs three judges who did not write it. Where the
server lives below a path (the second pass), nothing may be asked for outside of it.
"""

from __future__ import annotations

import io
import json
import random
import re
import urllib.request
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, Visitors

pytestmark = [pytest.mark.browser, pytest.mark.both]

SENTENCES = 400
BLANKS = 3
WRITERS = 3
DETAILS = ["near the old harbour", "of the kind my uncle likes", "from the other side of town"]
SEED = 2019


def test_from_sentences_to_a_release(server: Server, visitors: Visitors, shared_data: Path) -> None:
    loop = Loop(server, visitors)
    loop.found_a_study()
    loop.invite_four_annotators()
    loop.bring_sentences_in(draw(shared_data / "pmb_sentences.txt"))
    loop.parse_and_polarise()
    loop.see_why_a_constituent_is_marked()
    loop.choose_blanks()
    loop.create_hypotheses()
    loop.validate_pairs()
    loop.run_models(shared_data / "sick_corrected.csv")
    loop.compare_on_the_dashboard()
    loop.publish_a_release(shared_data / "MED_dev.tsv")
    loop.read_it_all_through_the_api()


def draw(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return random.Random(SEED).sample(lines, SENTENCES)


class Loop:
    """The researcher's page, the annotators' pages, and the steps they take."""

    def __init__(self, server: Server, visitors: Visitors) -> None:
        self.server = server
        self.visitors = visitors
        self.researcher = visitors.arrive()
        self.annotators: list[Page] = []
        self.directions: dict[str, str] = {}
        self.pairs = 0

    # ---- Steps, in the order of the issue --------------------------------------------------

    def found_a_study(self) -> None:
        link = self.server.manage("invite").strip().splitlines()[0]
        page = self.researcher
        self.register(page, link, "Rita")
        page.get_by_label("Name").fill("Monotonicity in the wild")
        page.get_by_role("button", name="Create the study").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Monotonicity in the wild")
        self.study = page.url

    def invite_four_annotators(self) -> None:
        page = self.researcher
        for name in ("Ann", "Bob", "Cat", "Dan"):
            self.enter("Members")
            page.get_by_label("Role").select_option("annotator")
            page.get_by_role("button", name="Make invitation links").click()
            link = page.get_by_label("Invitation link").input_value()
            phone = {"viewport": {"width": 390, "height": 800}} if name == "Cat" else {}
            annotator = self.visitors.arrive(**phone)
            self.register(annotator, link, name)
            expect(annotator.get_by_role("heading", level=1)).to_have_text("My work")
            self.annotators.append(annotator)

    def bring_sentences_in(self, sentences: list[str]) -> None:
        page = self.researcher
        self.enter("Corpora")
        page.get_by_role("link", name="Bring sentences in").first.click()
        page.get_by_label("Or paste sentences").fill("\n".join([*sentences, sentences[0]]))
        page.get_by_label("Name of the corpus").fill("PMB sample")
        page.get_by_label("Licence").fill("ODC-BY")
        page.get_by_label("Source").fill("Parallel Meaning Bank")
        page.get_by_role("button", name="Show a preview").click()
        expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
        page.get_by_role("button", name=re.compile("^Store ")).click()
        expect(page.get_by_text(re.compile(r"\d+ sentences stored"))).to_be_visible()

    def parse_and_polarise(self) -> None:
        page = self.researcher
        page.get_by_role("button", name="Parse and polarise").click()
        expect(page.get_by_role("link", name="Choose blanks")).to_be_visible(timeout=90_000)

    def see_why_a_constituent_is_marked(self) -> None:
        page = self.researcher
        corpus = page.url
        page.get_by_label("Text").fill("not")
        page.get_by_role("button", name="Filter").click()
        page.locator("td.number a").first.click()
        expect(page.locator(".tree-frame svg")).to_be_visible()
        page.locator("td a[href*='c=']").first.click()
        page.goto(corpus)

    def choose_blanks(self) -> None:
        page = self.researcher
        page.get_by_role("link", name="Choose blanks").click()
        page.get_by_label("One blank a sentence").check()
        page.get_by_role("button", name="Count").click()
        page.get_by_label("Name of the set").fill("A few")
        page.get_by_label("At most", exact=True).fill(str(BLANKS))
        page.get_by_role("button", name="Make the set").click()
        rows = page.locator("table").last.locator("tbody tr")
        expect(rows).to_have_count(BLANKS)
        for row in rows.all():
            sentence = words(row.locator("td span[dir]").first.inner_text())
            self.directions[sentence] = row.locator("td .polarity").first.inner_text()

    def create_hypotheses(self) -> None:
        page = self.researcher
        page.get_by_role("link", name="Make a campaign").click()
        page.get_by_label("Name", exact=True).fill("Writing")
        page.get_by_label("Name of the new dataset").fill("Pairs")
        page.get_by_role("button", name="Make the campaign").click()
        page.get_by_role("button", name="Open", exact=True).click()
        for number, annotator in enumerate(self.annotators[:WRITERS]):
            annotator.goto(f"{self.server.url}/work/")
            annotator.get_by_role("link", name="Writing").click()
            annotator.get_by_role("button", name="Begin").click()
            self.meet_refusals(annotator)
            for _ in range(BLANKS):
                self.write_three(annotator, number)
            expect(annotator.get_by_role("heading", level=1)).to_have_text("Nothing to do here right now")

    def meet_refusals(self, page: Page) -> None:
        blank = self.blank(page)
        page.get_by_label("Phrase 1").fill(blank)
        page.get_by_label("Phrase 2").fill(f"{blank} indeed")
        page.get_by_label("Phrase 3").fill(f"{blank}  Indeed")
        page.get_by_role("button", name="Send").click()
        expect(page.locator(".status.error:visible").first).to_be_visible()

    def write_three(self, page: Page, number: int) -> None:
        blank = self.blank(page)
        for position, detail in enumerate(DETAILS, start=1):
            box = page.get_by_label(f"Phrase {position}")
            box.fill(f"{blank} {detail}" if number == 0 else f"{blank} {detail} {'again ' * number}".strip())
            expect(page.locator(f"[data-preview='{box.get_attribute('name')}']")).to_contain_text(detail)
        card = page.url
        page.get_by_role("button", name="Send").click()
        expect(page).not_to_have_url(card)

    def validate_pairs(self) -> None:
        page = self.researcher
        self.enter("Campaigns")
        page.get_by_role("link", name="Writing").click()
        page.get_by_role("link", name="Validate the new pairs").click()
        page.get_by_label("Name", exact=True).fill("Judging")
        page.get_by_role("button", name="Make the campaign").click()
        page.get_by_role("button", name="Open", exact=True).click()
        campaign = page.url
        self.pairs = BLANKS * WRITERS * len(DETAILS)
        self.judge(self.annotators[0], keyboard=True)
        for annotator in self.annotators[1:]:
            self.judge(annotator)
        page.goto(campaign)
        expect(page.locator("table").first.locator("tbody td").nth(1)).to_have_text(str(self.pairs))

    def judge(self, page: Page, *, keyboard: bool = False) -> None:
        """Judge as the direction asks for, until nothing is left; the first pair is called unnatural."""
        page.goto(f"{self.server.url}/work/")
        page.get_by_role("link", name="Judging").click()
        page.get_by_role("button", name="Begin").click()
        judged = 0
        while page.locator("[data-nothing]").count() == 0:
            premise = words(page.locator("p.sentence").first.inner_text())
            key = "3" if not judged else "1" if self.directions[premise].startswith("↓") else "2"
            card = page.url
            if keyboard:
                expect(page.locator("form[data-card]:not([inert])")).to_be_attached()
                page.keyboard.press(key)
            else:
                page.locator(f"button[data-key='{key}']").click()
            expect(page).not_to_have_url(card)
            judged += 1
        assert judged

    def run_models(self, sick: Path) -> None:
        page = self.researcher
        slug = self.study.rstrip("/").rsplit("/", 1)[1]
        self.server.manage("train_model", slug, "Learnt on SICK", str(sick))
        page.goto(f"{self.study}models/new/majority/")
        page.get_by_label("Name").fill("Majority")
        page.get_by_label("Label", exact=True).select_option("non-entailment")
        page.get_by_role("button", name="Register").click()
        page.goto(f"{self.study}models/new/overlap/")
        page.get_by_label("Name").fill("Overlap")
        page.get_by_role("button", name="Register").click()
        for name in ("Majority", "Overlap", "Learnt on SICK"):
            page.goto(f"{self.study}models/")
            page.get_by_role("link", name=name, exact=True).first.click()
            page.get_by_role("button", name="Run").click()
            done = page.locator("dl.facts dd").first
            expect(done).to_have_text(f"{self.pairs} of {self.pairs} pairs", timeout=60_000)

    def compare_on_the_dashboard(self) -> None:
        page = self.researcher
        self.enter("Dashboard")
        matches = page.locator("#matches tbody tr")
        shown = int(matches.last.locator("td").last.inner_text().split()[0])
        assert shown == self.pairs
        cell = page.locator("#matches tbody td a").first
        behind = int(cell.inner_text().split()[0])
        cell.click()
        expect(page.get_by_text(re.compile(rf"^{behind} pairs? of {self.pairs}"))).to_be_visible()
        page.get_by_role("link", name=re.compile(r"^\d+$")).first.click()
        expect(page.get_by_text("natlog").first).to_be_visible()

    def publish_a_release(self, med: Path) -> None:
        page = self.researcher
        self.enter("Releases")
        page.get_by_role("link", name=re.compile("Pairs")).last.click()
        page.get_by_role("button", name="Count first").click()
        page.get_by_role("button", name="Publish the release").click()
        download = page.get_by_role("link", name=re.compile("^Download"))
        expect(download).to_be_visible(timeout=60_000)
        with page.expect_download() as arriving:
            download.click()
        self.archive = zipfile.ZipFile(io.BytesIO(Path(arriving.value.path()).read_bytes()))
        tables = [name for name in self.archive.namelist() if re.fullmatch(r"[\w-]+/data/\w+\.tsv", name)]
        header, *_rest = med.read_text(encoding="utf-8").splitlines()
        pairs = []
        for name in tables:
            first, *rows = self.archive.read(name).decode().splitlines()
            assert first == header
            pairs += rows
        assert pairs
        assert {line.split("\t")[3].split(":")[0] for line in pairs} == {"crowd"}
        (manifest,) = (name for name in self.archive.namelist() if name.endswith("/MANIFEST.json"))
        manifest = json.loads(self.archive.read(manifest))
        assert manifest["counts"]["judgements"] == self.pairs * 3 + BLANKS * WRITERS

    def read_it_all_through_the_api(self) -> None:
        page = self.researcher
        page.goto(f"{self.server.url}/profile/")
        page.get_by_label("What the token is for").fill("script")
        page.get_by_role("button", name="New token").click()
        token = page.locator("#secret").inner_text()

        def rows(name: str) -> list[dict[str, object]]:
            request = urllib.request.Request(
                f"{self.server.url}/api/v1/{name}/", headers={"Authorization": f"Bearer {token}"}
            )
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)["results"]

        assert [pair["origin"] for pair in rows("pairs")].count("crowd") == self.pairs
        assert {job["state"] for job in rows("jobs")} == {"done"}
        assert len(rows("runs")) == 3

    # ---- What several steps do ---------------------------------------------------------------

    def enter(self, room: str) -> None:
        rooms = self.researcher.get_by_role("navigation", name="Study")
        rooms.get_by_role("link", name=room, exact=True).click()

    def register(self, page: Page, link: str, name: str) -> None:
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_label("E-mail address").fill(f"{name.lower()}@example.org")
        page.get_by_label("Password").fill("a long pass phrase")
        page.get_by_role("button", name="Make my account").click()

    def blank(self, page: Page) -> str:
        return str(page.locator("form[data-card]").first.get_attribute("data-blank"))


def words(sentence: str) -> str:
    """A sentence without the hidden marks around its blank, and with single spaces."""
    text = re.sub(r"blank (begins|ends)", " ", sentence)
    return "".join(text.split())
