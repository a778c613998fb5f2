"""The dashboard of a large study: the same numbers, counted by a job and kept."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.dashboard import agreement, composition, counted, selectors
from apps.dashboard.hard_pairs import Hard, hard_numbers
from apps.datasets.models import Tag
from apps.inference.selectors import latest_runs
from apps.tallies import selectors as tallies

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def large(monkeypatch):
    monkeypatch.setattr(tallies, "SMALL", -1)
    monkeypatch.setattr(tallies, "QUICK", 0)


@pytest.fixture
def pairs(make, predict):
    made = [
        make("een", calculus="e", direction="upward"),
        make("nnn", calculus="e", direction="downward"),
        make("een", calculus="n", direction="downward"),
    ]
    Tag.objects.create(pair=made[0], name="lexical", source="file")
    predict("One", made, "een")
    predict("Two", made, "nne")
    return made


def test_what_comes_back_is_what_was_counted(dataset, pairs, large):
    judges, runs = judges_of(dataset), latest_runs(dataset)
    kept = counted.comparison(dataset, judges, runs, {}, wait=True).value
    direct = selectors.comparison(dataset, judges, runs, {})
    assert kept is not None and (kept[0].counts, kept[0].agreement) == (direct.counts, direct.agreement)
    assert counted.report(dataset, judges, wait=True).value == agreement.report(dataset, judges)
    asked = {"labels": "human", "twins": False}
    assert counted.composed(dataset, judges, **asked, wait=True).value == composition.composition(
        dataset, judges, **asked
    )
    hard = Hard(dataset, runs, "human", 1)
    assert counted.hard_numbers(hard, wait=True).value == hard_numbers(hard) != []


@pytest.mark.parametrize("name", ["home", "agreement", "composition", "hard"])
def test_a_page_says_that_it_is_counting_and_then_has_its_numbers(
    client, rosa, study, dataset, pairs, large, work, name
):
    client.force_login(rosa)
    address = reverse(f"dashboard:{name}", args=[study.slug, *([] if name == "home" else [dataset.pk])])
    first = client.get(address)
    assert b"These numbers are being counted" in first.content and b'hx-select="#numbers"' in first.content
    work()
    second = client.get(address)
    assert b"being counted" not in second.content and b"As of" in second.content


def test_a_kept_page_takes_few_queries(
    client, rosa, study, dataset, pairs, large, work, django_assert_max_num_queries
):
    client.force_login(rosa)
    for name, most in (("home", 15), ("agreement", 15)):
        address = reverse(f"dashboard:{name}", args=[study.slug, *([] if name == "home" else [dataset.pk])])
        client.get(address)
        work()
        with django_assert_max_num_queries(most):
            client.get(address)


def test_a_file_waits_for_its_numbers(client, rosa, study, dataset, pairs, large):
    client.force_login(rosa)
    answer = client.get(reverse("dashboard:agreement", args=[study.slug, dataset.pk]), {"as": "all.csv"})
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")
