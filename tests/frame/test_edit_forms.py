"""Two people at one form: every form of every page, and every address of the API that changes a row.

The pages are crawled as an admin sees them over a study that holds one of everything. A form that is sent by
POST either carries what it was opened with, or is named here with the reason why it can put nothing back.
"""

import json
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.forms import CharField, CheckboxInput, Form, PasswordInput
from django.http import QueryDict
from django.urls import get_resolver, resolve

from apps.campaigns.models import Campaign
from apps.campaigns.services import campaign_update
from apps.corpora.models import CorpusDraft, Parse
from apps.datasets.models import GoldLabel
from apps.frame.edit_forms import OPENED, EditForm
from apps.imports.models import PairDraft, PredictionDraft
from apps.quality.models import Quality
from apps.studies.access import within
from natlog.tree import Node, Token, Tree, to_dict
from tests.api.conftest import fill, token_client  # noqa: F401 - fixtures
from tests.api.test_write_scope import over, writes

NEW = "makes something new beside what is there"
BUTTON = "a button that says what it makes of the thing; nobody typed a value that it could put back"
OWN = "one's own, of this browser or account"
NOTHING_TO_PUT_BACK = {
    "people:language": OWN, "people:sign_out": OWN, "people:sign_in": OWN,
    "people:preferences": OWN, "people:token_revoke": BUTTON, "people:profile": NEW,
    "study_new": NEW, "members:list": NEW, "members:remove": BUTTON,
    "members:withdraw": BUTTON, "members:password": NEW, "members:match": NEW,
    "members:erase": BUTTON, "people:password": OWN, "people:leave": BUTTON,
    "corpora:new": NEW, "corpora:drafts_discard": BUTTON, "corpora:draft_discard": BUTTON,
    "corpora:parse": NEW, "corpora:sample_draw": NEW,
    "blanks:new": NEW, "blanks:pilot": NEW, "blanks:proposals": NEW, "blanks:stop_list": NEW,
    "blanks:stop_remove": BUTTON, "blanks:take_out": BUTTON, "corpora:aside": BUTTON,
    "studies:keep_archive": BUTTON,
    "campaigns:new_creation": NEW, "campaigns:new_validation": NEW, "campaigns:new_likert": NEW,
    "campaigns:state": BUTTON, "campaigns:add_pairs": BUTTON,
    "quality:tests": NEW, "quality:tests_import": NEW, "quality:test_state": BUTTON,
    "quality:rules": NEW, "quality:rule_active": BUTTON, "quality:action_undo": BUTTON,
    "quality:checks_start": NEW, "quality:estimate": NEW, "quality:act": NEW, "quality:block": BUTTON,
    "quality:unblock": BUTTON, "quality:forget": BUTTON,
    "panels:panel": NEW, "panels:bonus": NEW, "panels:payout_new": NEW, "panels:payout_paid": BUTTON,
    "panels:payout_cancel": BUTTON,
    "datasets:new": NEW, "imports:new": NEW, "imports:discard": BUTTON,
    "generation:new": NEW, "generation:start": NEW, "datasets:labels": NEW,
    "reports:list": NEW, "curation:dataset": NEW, "curation:edit_undo": BUTTON,
    "curation:work_out": NEW, "datasets:pair_new": NEW, "generation:contrasts": NEW, "testbeds:list": NEW,
    "curation:swappable": BUTTON,
    "experiments:new": NEW, "experiments:answers": NEW, "experiments:answers_remove": BUTTON,
    "experiments:cancel": BUTTON,
    "experiments:protocol_new": NEW, "experiments:own_remove": BUTTON,
    "models:new": NEW, "models:run_start": NEW, "predictions:new": NEW, "predictions:discard": BUTTON,
    "models:set_new": NEW, "models:set": NEW, "models:curve_new": NEW, "models:fetch": NEW,
    "models:confirm": BUTTON, "models:try": NEW, "models:training_try": NEW,
    "releases:new": NEW, "releases:rules": NEW,
    "releases:restore": BUTTON,
    "jobs:cancel": BUTTON, "jobs:retry": BUTTON,
    "dashboard:disagreements_act": NEW, "dashboard:norms": NEW, "dashboard:norm_remove": BUTTON,
    "dashboard:report": BUTTON,
    "webhooks:list": NEW, "webhooks:test": NEW, "webhooks:rotate": NEW, "webhooks:switch": BUTTON,
    "webhooks:remove": BUTTON, "webhooks:resend": NEW,
}  # fmt: skip
PROSE = {"name", "body", "names", "note", "explanation", "platform"}
# Several, since not each row has all that there can be: one campaign in two has a panel.
ROWS_OF_A_KIND = 3
TREE = Tree(
    "Every dog.",
    tuple(
        Token(index, text, start, start + len(text))
        for index, (text, start) in enumerate([("Every", 0), ("dog", 6)])
    ),
    Node("NP", 0, 2, 1, ()),
    "p",
)
# Those that must be among the ones found: the test could else pass over a page that it no longer reaches.
EDIT = {
    "campaigns:settings", "campaigns:guidelines", "quality:eligibility", "quality:tests_settings",
    "quality:test", "quality:checks", "adjudication:decide", "panels:settings", "panels:consent",
    "webhooks:webhook", "corpora:check", "work:card",
}  # fmt: skip


class Page(HTMLParser):
    """The links of a page, and its forms with what a browser would send of them."""

    def __init__(self, text):
        super().__init__()
        self.links, self.forms, self.form, self.field = set(), [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if tag == "a" and has.get("href"):
            self.links.add(has["href"])
        if tag == "form":
            self.form = {"method": has.get("method", "get"), "action": has.get("action", ""), "sends": []}
            self.forms.append(self.form)
        if self.form is None or not (name := has.get("name")):
            if self.form is not None and tag == "option" and "selected" in has and self.field:
                self.form["sends"].append((self.field[0], has.get("value", "")))
            return
        if tag == "input" and has.get("type") in ("radio", "checkbox"):
            if "checked" in has:
                self.form["sends"].append((name, has.get("value", "on")))
        elif tag == "input":
            self.form["sends"].append((name, has.get("value") or ""))
        elif tag == "textarea":
            self.field = (name, [])
        elif tag == "select":
            self.field = (name, None)
        elif tag == "button" and name not in [sent for sent, _value in self.form["sends"]]:
            self.form["sends"].append((name, has.get("value", "")))

    def handle_data(self, data):
        if self.field and self.field[1] is not None:
            self.field[1].append(data)

    def handle_endtag(self, tag):
        if tag == "textarea" and self.form and self.field:
            self.form["sends"].append((self.field[0], "".join(self.field[1]).removeprefix("\n")))
        if tag in ("textarea", "select"):
            self.field = None
        if tag == "form":
            self.form = None


def name_of(path):
    return resolve(path).view_name


def crawled(client, start):
    """Every form that is sent by POST, by the name of its address: the page and the form."""
    waiting, seen, found, often = [start], set(), {}, Counter()
    while waiting:
        path = waiting.pop()
        name = name_of(path)
        if path in seen or often[name] == ROWS_OF_A_KIND or name.startswith(("api", "admin", "django")):
            continue
        seen.add(path)
        often[name] += 1
        answer = client.get(path, follow=True)
        if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
            continue
        here = urlsplit(answer.redirect_chain[-1][0]).path if answer.redirect_chain else path
        page = Page(answer.content.decode())
        for form in page.forms:
            if form["method"] == "post" and not form["action"].startswith("http"):
                target = urlsplit(form["action"]).path or here
                found.setdefault(name_of(target), []).append((target, form["sends"]))
        for link in page.links:
            place = urlsplit(link)
            if not place.netloc and place.path.startswith("/") and not place.path.startswith("/static"):
                waiting.append(place.path)
    return found


@pytest.fixture
def rows(study, fill):  # noqa: F811
    """A study in which there is something to do at every form."""
    rows = fill(study)
    Parse.objects.update(tree=to_dict(TREE))
    Campaign.objects.update(state="open", minimum_seconds=0)
    campaign = Campaign.objects.get(task="validation")
    Quality.objects.create(campaign=campaign)
    item = campaign.items.filter(is_test=False).first()
    item.counted, item.wanted, item.is_complete = 1, 3, False
    item.save()
    return rows


@pytest.fixture
def forms(rows, study, ada, ben, client_of):
    """The forms of all pages, as Ada sees them; the card as Ben does."""
    campaign = Campaign.objects.get(task="validation")
    bens = client_of(ben)
    first = bens.get(f"/work/{campaign.pk}/", follow=True)
    card = Page(first.content.decode()).forms
    waiting = f"/s/{study.slug}/campaigns/{campaign.pk}/quality/adjudication/{rows['pairs'].pk}/"
    found = crawled(client_of(ada), waiting) | crawled(client_of(ada), f"/s/{study.slug}/")
    found["work:card"] = [
        (form["action"], form["sends"]) for form in card if form["action"].startswith("/work/")
    ][:1]
    return found


@pytest.mark.both
def test_every_form_carries_what_it_was_opened_with_or_can_put_nothing_back(forms):
    carries = {name for name, several in forms.items() if all(OPENED in dict(sends) for _a, sends in several)}
    assert forms.keys() - carries - NOTHING_TO_PUT_BACK.keys() == set()
    assert EDIT - carries == set()
    assert carries & NOTHING_TO_PUT_BACK.keys() <= {"quality:tests"}


def test_the_reasons_are_of_addresses_that_there_are():
    names = {
        f"{prefix}{pattern.name}"
        for prefix, patterns in spaces(get_resolver().url_patterns)
        for pattern in patterns
    }
    assert NOTHING_TO_PUT_BACK.keys() - names == set()


def spaces(patterns, prefix=""):
    yield prefix, [pattern for pattern in patterns if hasattr(pattern, "name")]
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            space = pattern.namespace
            yield from spaces(pattern.url_patterns, f"{prefix}{space}:" if space else prefix)


def test_every_stale_form_is_refused_with_both_values_and_what_was_typed(forms, ada, client_of):
    """Each as if every value had been another one when its page was opened; something is typed in each."""
    client = client_of(ada)
    # A card's own: tests/annotation/test_second_tab.py.
    for name in EDIT - {"work:card"}:
        path, sends = forms[name][0]
        typed = [(field, value) for field, value in sends if field not in (OPENED, "csrfmiddlewaretoken")]
        if any(field in PROSE for field, _value in typed):
            typed = [(field, f"{value} mine" if field in PROSE else value) for field, value in typed]
        elif name != "adjudication:decide":  # whose button is another value than the none that is stored
            typed = typed[1:]
        data = QueryDict(mutable=True)
        for field, value in typed:
            data.appendlist(field, value)
        data[OPENED] = re.sub(r":[0-9a-f]{16}", ":0123456789abcdef", dict(sends)[OPENED])
        answer = client.post(path, data.urlencode(), content_type="application/x-www-form-urlencoded")
        text = unescape(answer.content.decode())
        assert answer.status_code == 409, name
        assert "changed-since" in text, name
        for field, value in typed:
            assert field not in PROSE or text.count(value.strip()) >= 2, (name, field)


# ---- One form, step by step -----------------------------------------------------------------------


class Settings(EditForm, Form):
    name = CharField(label="Name")
    place = CharField(label="Place", required=False)
    quick = CharField(label="Quick", required=False, widget=CheckboxInput())
    secret = CharField(label="Secret", required=False, widget=PasswordInput())


def opened_with(**values):
    return Settings(initial=values)[OPENED].value()


def test_a_form_that_is_up_to_date_is_taken(db):
    opened = opened_with(name="a", place="b")
    form = Settings({"name": "mine", "place": "b", OPENED: opened}, initial={"name": "a", "place": "b"})
    assert form.is_valid()
    assert form.cleaned_data == {"name": "mine", "place": "b", "quick": "False", "secret": ""}


def test_what_somebody_else_saved_stands_beside_what_was_typed(db):
    opened = opened_with(name="a", place="b")
    form = Settings({"name": "mine", "place": "b", OPENED: opened}, initial={"name": "theirs", "place": "b"})
    assert not form.is_valid()
    assert form.status == 409
    [change] = form.changed_since
    assert (change.label, change.now, change.typed) == ("Name", "theirs", "mine")
    assert form["name"].value() == "mine"


def test_a_field_that_was_left_alone_takes_the_new_value(db):
    opened = opened_with(name="a", place="b")
    form = Settings({"name": "mine", "place": "b", OPENED: opened}, initial={"name": "a", "place": "theirs"})
    assert not form.is_valid()
    assert [(change.now, change.typed) for change in form.changed_since] == [("theirs", None)]
    assert (form["name"].value(), form["place"].value()) == ("mine", "theirs")


def test_sent_again_it_is_a_decision(db):
    stale = Settings({"name": "mine", OPENED: opened_with(name="a")}, initial={"name": "theirs"})
    assert not stale.is_valid()
    again = {name: stale[name].value() for name in ("name", OPENED)}
    assert Settings(again, initial={"name": "theirs"}).is_valid()
    assert not Settings(again, initial={"name": "a third one's"}).is_valid()


def test_two_who_saved_the_same_do_not_disagree(db):
    assert Settings({"name": "b", OPENED: opened_with(name="a")}, initial={"name": "b"}).is_valid()


def test_the_ends_of_lines_are_a_browsers_own(db):
    opened = opened_with(name="a\nb")
    form = Settings({"name": "a\r\nb", OPENED: opened}, initial={"name": "c"})
    assert not form.is_valid()
    assert form.changed_since[0].typed is None


def test_a_secret_goes_out_in_no_way(db):
    assert "secret" not in opened_with(name="a", secret="s3cret")


# ---- Two people, from page to page ------------------------------------------------------------------


def sent(client, path, **typed):
    """Open a page, and a function that sends its form as it was opened, with what was typed."""
    form = next(f for f in Page(client.get(path).content.decode()).forms if OPENED in dict(f["sends"]))
    data = QueryDict(mutable=True)
    for name, value in form["sends"]:
        data.appendlist(name, value)
    for name, value in typed.items():
        data.setlist(name, [value])

    def send():
        kind = "application/x-www-form-urlencoded"
        return client.post(form["action"] or path, data.urlencode(), content_type=kind)

    return send


@pytest.mark.both
def test_the_second_to_save_settings_does_not_put_price_and_cap_back(rows, study, ada, rosa, client_of):
    campaign = Campaign.objects.get(task="validation")
    path = f"/s/{study.slug}/campaigns/{campaign.pk}/settings/"
    rosas = sent(client_of(rosa), path, name="Renamed")
    adas = sent(client_of(ada), path, price="0.25", cap="40")
    assert adas().status_code == 302
    refused = rosas()
    campaign.refresh_from_db()
    assert (refused.status_code, campaign.price, campaign.cap) == (409, 25, 40)
    assert campaign.name != "Renamed"
    page = Page(refused.content.decode())
    form = dict(next(f["sends"] for f in page.forms if OPENED in dict(f["sends"])))
    assert (form["name"], form["price"], form["cap"]) == ("Renamed", "0.25", "40")
    assert client_of(rosa).post(path, form).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.name, campaign.price, campaign.cap) == ("Renamed", 25, 40)


@pytest.mark.both
def test_the_second_adjudicator_sees_the_firsts_decision(rows, study, ada, rosa, client_of):
    campaign = Campaign.objects.get(task="validation")
    pair = campaign.items.filter(is_test=False).first().pair
    GoldLabel.objects.filter(pair=pair, source="adjudication").delete()
    path = f"/s/{study.slug}/campaigns/{campaign.pk}/quality/adjudication/{pair.pk}/"
    adas = sent(client_of(ada), path, label="entailment")
    rosas = sent(client_of(rosa), path, label="non-entailment")
    assert adas().status_code == 302
    refused = rosas()
    assert refused.status_code == 409
    assert re.search(r"entailment</td>.*non-entailment</td>", refused.content.decode(), re.S)
    assert GoldLabel.objects.get(pair=pair, source="adjudication").label == "entailment"


@pytest.mark.parametrize("room", ["corpora/drafts", "pairs/import", "models/predictions"])
def test_a_file_that_somebody_else_reads_otherwise_meanwhile_is_not_stored(
    room, rows, study, rosa, client_of
):
    """The button that stores says how the file was read when it was shown."""
    kinds = {"corpora/drafts": CorpusDraft, "pairs/import": PairDraft, "models/predictions": PredictionDraft}
    draft = within(kinds[room], study).filter(committed_at=None).latest("pk")
    path = f"/s/{study.slug}/{room}/{draft.pk}/commit/"
    page = client_of(rosa).post(path, {OPENED: "0123456789abcdef"}, follow=True)
    assert "Somebody else has said meanwhile how this file is read" in page.content.decode()
    draft.refresh_from_db()
    assert draft.committed_at is None


# ---- The API ------------------------------------------------------------------------------------


@pytest.mark.both
def test_every_change_of_a_row_through_the_api_heeds_if_match(study, ada, fill, token_client):  # noqa: F811
    rows = fill(study)
    client = token_client(ada)
    wrong, tried = {}, 0
    for method, path, _scope, body in writes():
        if "{" not in path:
            continue
        address, real = over(rows, study, path, body)
        answer = getattr(client, method)(
            address, json.dumps(real), content_type="application/json", headers={"If-Match": '"other"'}
        )
        tried += 1
        if answer.status_code != 412:
            wrong[f"{method} {path}"] = answer.status_code
    assert tried > 30
    assert {name: status for name, status in wrong.items() if status != 404} == {}
    assert len(wrong) < 5  # addresses of which `fill` has no row


@pytest.mark.both
def test_a_row_comes_with_its_tag_and_counts_do_not_change_it(study, ada, fill, token_client):  # noqa: F811
    rows = fill(study)
    client, campaign = token_client(ada), rows["campaigns"]
    address = f"/api/v1/campaigns/{campaign.pk}/"
    tag = client.get(address).headers["ETag"]
    rows["items"].judgements.update(counted=False)
    campaign.items.update(is_complete=True)
    assert client.get(address).headers["ETag"] == tag

    def patch(tag, **body):
        headers = {"If-Match": tag}
        return client.patch(address, json.dumps(body), content_type="application/json", headers=headers)

    done = patch(tag, target=4)
    assert done.status_code == 200
    stale = patch(tag, price=10)
    assert (stale.status_code, stale.json()["current"]["target"]) == (412, 4)
    assert patch(done.headers["ETag"], price=10).status_code == 200
    campaign_update(campaign=campaign, actor=ada, price=30)
    # Instructions are the campaign's too: a new version goes out over the one that was read.
    body, headers = json.dumps({"body": "Read well."}), {"If-Match": client.get(address).headers["ETag"]}
    again = [
        client.post(f"{address}guidelines/", body, content_type="application/json", headers=headers)
        for _time in range(2)
    ]
    assert [answer.status_code for answer in again] == [201, 412]
    assert patch("*", target=5).status_code == 200
