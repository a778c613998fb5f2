"""Two sides of a dataset held against each other: what changed from the one to the other."""

from __future__ import annotations

import csv
import io

import pytest

from apps.campaigns.models import Campaign, Guideline
from apps.dashboard.changes import changes
from apps.dashboard.sides import sides_of
from apps.datasets.models import GoldLabel
from measures.agreement import cohen
from measures.intervals import cohen_interval
from tests.api.conftest import token_client  # noqa: F401 - a fixture
from tests.dashboard.conftest import WORDS
from tests.datasets.conftest import Maker
from tests.releases.conftest import release  # noqa: F401 - a fixture

pytestmark = pytest.mark.both


@pytest.fixture
def side(dataset):
    """The one side whose title begins so."""

    def find(title):
        (found,) = [side for side in sides_of(dataset) if side.title.startswith(title)]
        return found

    return find


@pytest.fixture
def labelled(make):
    """Two conventions: the first pair's label stays, the second's changes, the third has the first alone."""
    pairs = [make(calculus="e"), make(calculus="e", direction="upward"), make(calculus="n")]
    for pair, letter in zip(pairs, "en", strict=False):
        make.label(pair, letter, convention="default", is_current=False)
    return pairs


def test_conventions_of_the_calculus(dataset, labelled, side):
    found = changes(dataset, side("natlog · 1 · med"), side("natlog · 1 · default"))
    assert found.counts == {
        ("downward", "entailment", "entailment"): 1,
        ("upward", "entailment", "non-entailment"): 1,
    }
    assert found.changed == {("upward", "entailment", "non-entailment"): [labelled[1].pk]}
    assert (found.only_one, found.only_two) == (1, 0)
    assert found.agreement().raw == 0.5
    # Turned round, what was before is after.
    back = changes(dataset, side("natlog · 1 · default"), side("natlog · 1 · med"))
    assert back.changed == {("upward", "non-entailment", "entailment"): [labelled[1].pk]}
    assert (back.only_one, back.only_two) == (0, 1)


def test_campaigns_by_their_majorities(dataset, make, study, side):
    other = Campaign.objects.create(study=study, name="Again", task="validation", dataset=dataset)
    Guideline.objects.create(campaign=other, version=1, body="Judge.")
    again = Maker(other)
    pairs = [make("een"), make("nnn"), make("en"), make("eee")]
    for pair, answers in zip(pairs, ("nne", "nnn", "eee", ""), strict=True):
        if answers:
            again.judge(pair, answers)
    found = changes(dataset, side("Judging"), side("Again"))
    # The third has no majority in the first campaign, the fourth wasn't judged in the second.
    assert found.changed == {("downward", "entailment", "non-entailment"): [pairs[0].pk]}
    assert found.counts["downward", "non-entailment", "non-entailment"] == 1
    assert (found.only_one, found.only_two) == (1, 1)


def test_runs_of_one_model_go_by_their_fingerprints(dataset, make, predict):
    pairs = [make(), make()]
    predict("net", pairs, "en")
    predict("net", pairs, "cn")
    titles = [side.title for side in sides_of(dataset)]
    assert len(set(titles)) == 2 and all(title.startswith("net (") for title in titles)
    found = changes(dataset, *reversed(sides_of(dataset)))
    assert found.is_two_way  # non-entailment stands for both of the others
    assert list(found.changed) == [("downward", "entailment", "non-entailment")]


def test_three_labels_are_told_apart_where_both_sides_have_them(dataset, make, predict):
    pairs = [make(), make()]
    predict("one", pairs, "ec")
    predict("two", pairs, "ce")
    found = changes(dataset, *reversed(sides_of(dataset)))
    assert not found.is_two_way
    assert sorted(line[1:] for line in found.changed) == [
        ("contradiction", "entailment"), ("entailment", "contradiction"),
    ]  # fmt: skip
    assert found.agreement().value == -1


def test_releases_as_they_were_frozen(dataset, make, release, side):  # noqa: F811
    pairs = [make("eee", calculus="e"), make("nnn", calculus="n")]
    release(rule="majority", swaps=False)
    # What is decided afterwards changes no release that is out.
    make.campaign.items.get(pair=pairs[0]).judgements.update(answer="non-entailment")
    make("eee", calculus="e")
    release(rule="majority", swaps=False)
    found = changes(dataset, side("release 1"), side("release 2"))
    assert found.changed == {("downward", "entailment", "non-entailment"): [pairs[0].pk]}
    assert (found.only_one, found.only_two) == (0, 1)


@pytest.fixture
def many(make):
    """Twenty pairs under two conventions; on five of them they differ, on half of those upwards."""
    said = ["ee"] * 9 + ["nn"] * 6 + ["en"] * 3 + ["ne"] * 2
    for number, (one, two) in enumerate(said):
        pair = make(calculus=one, direction="upward" if number % 2 else "downward")
        make.label(pair, two, convention="default", is_current=False)


def test_kappa_has_the_interval_of_its_counts_on_the_page_in_files_and_in_the_api(
    dataset,
    many,
    held,
    client_of,
    token_client,  # noqa: F811
    rosa,
    study,
):
    whole = {("e", "e"): 10, ("n", "n"): 6, ("e", "n"): 4, ("n", "e"): 2}  # with the two of ``labelled``
    words = {(WORDS[one], WORDS[two]): n for (one, two), n in whole.items()}
    low, high = cohen_interval(words, seed=1)
    assert low < cohen(words).value < high
    page = f"/s/{study.slug}/dashboard/{dataset.pk}/compare/"
    table = list(csv.DictReader(io.StringIO(client_of(rosa).get(page, held | {"as": "agreement.csv"}).text)))
    assert [row["direction"] for row in table] == ["↑ upward", "↓ downward", "all"]
    assert (float(table[2]["kappa_from"]), float(table[2]["kappa_to"])) == pytest.approx((low, high))
    assert float(table[0]["kappa_from"]) < low  # a half says less than all
    found = token_client(rosa).get(f"/api/v1/datasets/{dataset.pk}/sides/", held).json()
    assert (found["kappa_from"], found["kappa_to"]) == pytest.approx((low, high))


def test_where_kappa_is_undefined_it_has_no_interval(dataset, labelled, held, token_client, rosa):  # noqa: F811
    found = changes(dataset, *sides_of(dataset)[:2])
    assert found.agreement("downward").undefined and "downward" not in found.intervals
    listed = token_client(rosa).get(f"/api/v1/datasets/{dataset.pk}/sides/").json()
    assert (listed["kappa_from"], listed["kappa_to"]) == (None, None)


@pytest.fixture
def held(dataset, labelled):
    """The address of two conventions."""
    one, two = (f"calculus:natlog/1/{convention}/p" for convention in ("med", "default"))
    return {"one": one, "two": two}


def test_the_page_its_files_and_the_list_of_what_changed(dataset, labelled, held, client_of, rosa, study):
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{dataset.pk}/compare"
    page = client.get(f"{address}/", held)
    text = page.content.decode()
    assert [row.pair.pk for row in page.context["rows"]] == [labelled[1].pk]
    assert "alone: 1 pair." in text and "alone: 0 pairs." in text
    assert client.get(f"{address}/", held | {"direction": "downward"}).context["rows"] == []
    assert len(client.get(f"{address}/", held | {"first": "entailment"}).context["rows"]) == 1
    table = list(csv.DictReader(io.StringIO(client.get(f"{address}/", held | {"as": "agreement.csv"}).text)))
    assert [(row["direction"], row["pairs"], row["changed"], row["same"]) for row in table] == [
        ("↑ upward", "1", "1", "0.0"), ("↓ downward", "1", "0", "1.0"), ("all", "2", "1", "0.5"),
    ]  # fmt: skip
    assert client.get(f"{address}/", held | {"as": "labels.svg"}).content.startswith(b"<svg")
    lines = b"".join(client.get(f"{address}.csv", held).streaming_content).decode()
    (row,) = csv.DictReader(io.StringIO(lines, newline=""))
    assert (row["pair"], row["first"], row["second"]) == (str(labelled[1].pk), WORDS["e"], WORDS["n"])


def test_what_cannot_be_held_against_each_other_is_said(
    dataset, labelled, held, client_of, rosa, olaf, study
):
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{dataset.pk}/compare"
    assert "choose one on each side" in client.get(f"{address}/").content.decode()
    same = client.get(f"{address}/", held | {"two": held["one"]}).content.decode()
    assert "Choose another: these are the same." in same
    assert "not one of the available choices" in client.get(f"{address}/?one=run:9").content.decode()
    assert client.get(f"{address}/?as=agreement.csv").status_code == 404
    assert client.get(f"{address}.csv").status_code == 404
    GoldLabel.objects.create(pair=labelled[2], source="file", label="entailment")
    nothing = client.get(f"{address}/", held | {"one": "gold:file"}).content.decode()
    assert "No pair has a label on both sides." in nothing
    for page in (f"{address}/", f"{address}.csv"):
        assert client_of(olaf).get(page, held).status_code == 404


def test_where_there_is_one_side_alone_the_page_says_what_to_do(dataset, make, client_of, rosa, study):
    make(calculus="e")
    page = client_of(rosa).get(f"/s/{study.slug}/dashboard/{dataset.pk}/compare/").content.decode()
    assert "nothing to hold against each other yet" in page


def test_the_api_has_the_same(dataset, labelled, held, ada, olaf, token_client):  # noqa: F811
    client, address = token_client(ada), f"/api/v1/datasets/{dataset.pk}/sides/"
    listed = client.get(address).json()
    assert [side["key"] for side in listed["sides"]] == [held["one"], held["two"]]
    assert (listed["counts"], listed["count"]) == ([], 0)
    found = client.get(address, held).json()
    assert (found["only_one"], found["only_two"], found["raw"], found["two_way"]) == (1, 0, 0.5, True)
    assert [row["pair"] for row in found["pairs"]] == [labelled[1].pk]
    for query in ({"one": "run:9"}, held | {"two": held["one"]}, {"page": "2"}, {"model": "1"}):
        assert client.get(address, query).status_code == 400
    assert token_client(olaf).get(address).status_code == 404
