"""Before a release is made, the page says what it would take, how its splits would come out, and why."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.datasets.models import GoldLabel
from apps.releases.forecast import preview, suggested, too_few
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.services import gold_rule_create, release_create
from apps.tallies import selectors
from apps.tallies.models import KeptTally

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def shown_of(client_of, ada, study, dataset):
    """The page as a researcher gets it: a function of what is sent; without anything, as it opens."""
    client, address = client_of(ada), reverse("releases:new", args=[study.slug, dataset.pk])

    def show(**sent) -> str:
        answer = client.post(address, sent, follow=True) if sent else client.get(address)
        return answer.content.decode()

    return show


@pytest.fixture
def two_judgements(make, campaign) -> None:
    campaign.target = 2
    campaign.save()
    for _number in range(4):
        make("ee", calculus="e")


def test_the_form_begins_with_what_the_campaigns_collect_and_says_so(two_judgements, dataset, shown_of):
    found = suggested(dataset)
    assert (found.rule, found.judgements) == ("all", 2)
    shown = shown_of()
    assert "“Judging” collects 2 judgements a pair" in shown.replace("&quot;", '"')
    assert 'name="judgements" value="2"' in shown
    assert preview(dataset, Options(judgements=found.judgements)).total == 8 / 2


def test_asking_for_more_than_campaigns_collect_says_why_nothing_comes(
    two_judgements, dataset, ada, shown_of
):
    reason = "“Judging” collects 2 judgements a pair, and the rule asks for 3."
    judges = judges_of(dataset)
    assert too_few(judges, Options()) == reason
    assert reason in shown_of(rule="all", judgements=3, count="yes", train=100, validation=0, test=0)
    with pytest.raises(ValidationError, match="and the rule asks for 3"):
        release_create(dataset=dataset, actor=ada, options=Options())
    assert too_few(judges, Options(judgements=2)) == ""


def test_where_campaigns_collect_three_or_more_it_is_meds(make, campaign, dataset):
    campaign.target = 5
    campaign.save()
    make("eeeee", calculus="e")
    assert (suggested(dataset).judgements, suggested(dataset).why) == (3, "")


def test_pairs_that_came_with_labels_and_are_judged_nowhere_take_the_files(study, ada, client_of):
    from apps.datasets.services import dataset_create, pair_get_or_create

    dataset = dataset_create(study=study, actor=ada, name="Brought in")
    pair = pair_get_or_create(dataset=dataset, premises=[("A", None)], hypothesis="B", origin="import")
    GoldLabel.objects.create(pair=pair, source="file", label="entailment")
    found = suggested(dataset)
    assert (found.rule, found.judgements) == ("file", 0)
    shown = client_of(ada).get(reverse("releases:new", args=[study.slug, dataset.pk])).content.decode()
    assert "they came with labels" in shown
    assert preview(dataset, Options(rule=found.rule, judgements=found.judgements)).total == 1


@pytest.mark.parametrize(
    ("sent", "rule", "judgements"),
    [({}, "all", 2), ({"rule": "majority"}, "majority", 2), ({"rule": "file"}, "file", 0),
     ({"judgements": 1}, "all", 1)],
)  # fmt: skip
def test_the_api_begins_with_the_same(two_judgements, dataset, client_of, ada, sent, rule, judgements):
    body = {"dataset": dataset.pk, "keep_unlabelled": True, **sent}
    made = client_of(ada).post("/api/v1/releases/", body, content_type="application/json")
    assert made.status_code == 201, made.content
    assert (made.json()["options"]["rule"], made.json()["options"]["judgements"]) == (rule, judgements)


# ---- Splits -----------------------------------------------------------------------------------


def test_the_splits_are_those_that_the_release_draws(make, dataset, release):
    for number in range(20):
        make("eee", calculus="e" if number % 3 else "n")
    options = {"rule": "majority", "train": 60, "validation": 20, "test": 20, "seed": 3}
    found = preview(dataset, Options(**options))
    made, _files = release(**options)
    splits = made.manifest["splits"]
    assert found.twins
    assert {share.name: share.rows for share in found.splits if share.rows} == splits["pairs"]
    assert (found.groups, found.largest_group) == (splits["groups"], splits["largest_group"])
    assert found.total + found.twins == sum(splits["pairs"].values())


def test_a_large_group_is_told_of_before_and_on_the_card(make, dataset, shown_of, release):
    for number in range(6):
        make("eee", calculus="e", premise="No dog ran.", hypothesis=f"No dog number {number} ran.")
    for _number in range(2):
        make("eee", calculus="e")
    shown = shown_of(
        rule="all", judgements=3, train=50, validation=0, test=50, seed=1, matching=2, count="yes"
    )
    assert "in 3 groups, and no group is divided. The largest has 6 pairs." in shown
    assert "be met more closely with this seed" in shown
    _made, files = release(train=50, test=50, swaps=False)
    card = " ".join(files.text("README.md").split())
    assert "train 50 % (75.0 % came out)" in card
    assert "The largest group has 6 of 8 pairs." in card


# ---- What is on the form is what is made ------------------------------------------------------


def test_what_stands_on_the_form_is_made_whatever_was_counted_before(make, shown_of, dataset):
    """Counting goes by one choice; then another one is on the form, and the button is pressed."""
    make("eee", calculus="e")
    first = {"rule": "all", "judgements": 3, "matching": 2, "train": 80, "validation": 10, "test": 10}
    shown_of(**first, seed=1, swaps="on", count="yes")
    assert not Release.objects.exists()
    second = {"rule": "majority", "judgements": 1, "train": 50, "validation": 0, "test": 50, "seed": 9}
    shown_of(**second, keep_unlabelled="on", unnatural="any")
    made = Release.objects.get()
    options = {**made.options, "swaps": made.options["swaps"]}
    assert {name: options[name] for name in second} == second
    assert (options["swaps"], options["keep_unlabelled"], options["unnatural"]) == (False, True, "any")


def test_a_named_rule_and_a_changed_field_are_not_both_taken(make, shown_of, study, ada):
    make("eee", calculus="e")
    named = gold_rule_create(study=study, actor=ada, name="One", options=Options(judgements=1))
    form = {
        "rule": "all",
        "judgements": 3,
        "matching": 2,
        "train": 100,
        "validation": 0,
        "test": 0,
        "seed": 1,
    }
    shown = shown_of(**{**form, "judgements": 2}, gold_rule=named.pk)
    assert "One v1 says something else" in shown
    assert not Release.objects.exists()
    shown_of(**form, gold_rule=named.pk)
    assert Release.objects.get().options["judgements"] == 1


# ---- What it costs ----------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["all", "majority"])
def test_counting_takes_no_more_statements_for_more_pairs(make, dataset, rule):
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            preview(dataset, Options(rule=rule))
        return len(queries)

    make("eee", calculus="e")
    few = cost()
    for _number in range(30):
        make("eee", calculus="e")
    assert cost() == few <= 12


def test_a_large_study_s_counts_are_kept_and_are_those_of_a_small_one(
    make, dataset, shown_of, work, monkeypatch
):
    for number in range(20):
        make("eee", calculus="e" if number % 3 else "n")
    at_once = preview(dataset, Options())
    assert (at_once.total, at_once.twins, len(at_once.splits)) == (13, 13, 3)
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 0)
    assert "These numbers are being counted." in shown_of()
    assert work() == 1
    shown = shown_of()
    assert "with enough judgements</dt><dd>20<" in shown and "As of" in shown
    assert preview(dataset, Options()) == at_once
    assert preview(dataset, Options(train=100, validation=0, test=0)) != at_once


def test_a_release_that_is_there_is_counted_against(make, dataset, release, monkeypatch):
    make("nnn", calculus="e")
    monkeypatch.setattr(selectors, "SMALL", -1)
    options = Options(rule="majority")
    assert [one.source for one in preview(dataset, options).otherwise] == ["people"]
    release(rule="majority", swaps=False)
    KeptTally.objects.update(as_of=F("as_of") - 2 * selectors.BEHIND)
    assert [one.source for one in preview(dataset, options).otherwise] == ["people", "release"]


@pytest.mark.parametrize("rule", ["all", "posterior"])
def test_the_page_takes_fifteen_statements(make, dataset, client_of, ada, release, rule):
    make("eee", calculus="e")
    release()
    client, address = client_of(ada), reverse("releases:new", args=[dataset.study.slug, dataset.pk])
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"{address}?rule={rule}&swaps=on").status_code == 200
    assert len(queries) <= 15, [query["sql"][:150] for query in queries]
