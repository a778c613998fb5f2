"""The dashboard of a large study: the same numbers, counted by a job and kept."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.http import urlencode

from apps.comparison.judges import judges_of
from apps.dashboard import (
    agreement,
    artifacts,
    breakdown,
    changes,
    composition,
    counted,
    disagreements,
    listed,
    selectors,
    soft,
)
from apps.dashboard.disagreements import Wanted
from apps.dashboard.entailed import entailed
from apps.dashboard.hard_pairs import Hard, hard_numbers
from apps.dashboard.models import Norm
from apps.dashboard.sides import sides_of
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
    assert listed.hard_numbers(hard, wait=True).value == hard_numbers(hard) != []
    broken = breakdown.breakdown(dataset, "tag", "calculus", judges, runs, (runs[0], runs[1]))
    asked = (dataset, "tag", "calculus", judges, runs, (runs[0], runs[1]))
    assert counted.broken_down(*asked, wait=True).value == broken
    assert counted.foresight(dataset, judges, runs, wait=True).value == soft.foresight(dataset, judges, runs)
    found = artifacts.artifacts(dataset, "calculus", judges, runs)
    assert counted.given_away(dataset, "calculus", judges, runs, wait=True).value == found
    pairs[0].facts = {"verb": "know"}
    pairs[0].save()
    by_verb = counted.entailed_by(dataset, "verb", judges, runs, wait=True).value
    assert by_verb == entailed(dataset, "verb", judges, runs) and by_verb.lines[0].value == "know"
    wanted = Wanted(tag="lexical")
    queue = disagreements.queue(dataset, judges, runs, wanted)
    assert listed.queue(dataset, judges, runs, wanted, wait=True).value == queue and len(queue) == 1
    one, two, *_rest = sides_of(dataset)
    changed = listed.changed(dataset, one, two, wait=True).there
    direct_changes = changes.changes(dataset, one, two)
    assert changed == direct_changes and changed.intervals


@pytest.fixture
def contrasted(make, pairs, predict):
    """A contrast of the first pair."""
    pair = make("ee", calculus="n")
    pair.facts = {"contrast": "every-some", "contrast_of": pairs[0].pk}
    pair.save()
    predict("One", [pair], "e")
    return pair


PAGES = [
    "home",
    "agreement",
    "composition",
    "hard",
    "breakdown",
    "soft",
    "artifacts",
    "disagreements",
    "changes",
    "contrasts",
    "norms",
]


@pytest.fixture
def address(study, dataset, pairs, contrasted):
    for number, pair in enumerate(pairs * 2):
        pair.facts = {"verb": ["know", "hope"][number % 2]}
        pair.save()
    Norm.objects.create(
        study=study, name="Veridicality", source="own", numbers={"know": 2, "hope": -1}, size=2
    )

    def of(name):
        of_study = name in ("home", "norms")
        path = reverse(f"dashboard:{name}", args=[study.slug, *([] if of_study else [dataset.pk])])
        if name != "changes":
            return path
        one, two, *_rest = sides_of(dataset)
        return f"{path}?{urlencode({'one': one.key, 'two': two.key})}"

    return of


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_that_it_is_counting_and_then_has_its_numbers(client, rosa, address, large, work, name):
    client.force_login(rosa)
    first = client.get(address(name))
    assert b"These numbers are being counted" in first.content and b'hx-select="#numbers"' in first.content
    work()
    second = client.get(address(name))
    if name == "contrasts":  # its list is counted when there is a place for it
        work()
        second = client.get(address(name))
    assert b"being counted" not in second.content and b"As of" in second.content


@pytest.mark.parametrize("name", PAGES)
def test_a_kept_page_takes_few_queries(
    client, rosa, address, large, work, name, django_assert_max_num_queries
):
    client.force_login(rosa)
    for _look in range(2):
        client.get(address(name))
        work()
    with django_assert_max_num_queries(15):
        client.get(address(name))


def test_what_is_marked_leaves_the_queue_at_once(client, rosa, study, dataset, pairs, large, work, address):
    client.force_login(rosa)
    path = f"{address('disagreements')}?open=on"
    client.get(path)
    work()
    first, second, *_rest = client.get(path).context["places"]
    client.post(
        f"/s/{study.slug}/dashboard/{dataset.pk}/disagreements/act/?open=on",
        {"pair": first.pair, "do": "flag"},
    )
    after = client.get(path)
    assert after.context["pair"].pk == second.pair and first not in after.context["places"]


def test_a_file_waits_for_its_numbers(client, rosa, study, dataset, pairs, large):
    client.force_login(rosa)
    answer = client.get(reverse("dashboard:agreement", args=[study.slug, dataset.pk]), {"as": "all.csv"})
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")
