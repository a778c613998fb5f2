"""Datasets and pairs through the API: making, filtering, editing, deciding, labelling."""

import pytest

from apps.curation import bulk_edits
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair, Tag
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.jobs.models import Job
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.both

DATASETS, PAIRS, EDITS = "/api/v1/datasets/", "/api/v1/pairs/", "/api/v1/pair-edits/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None):
    return client.post(path, body or {}, content_type="application/json")


@pytest.fixture
def dataset(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="Farm")
    for number, direction in enumerate(["upward", "downward", "downward"]):
        pair_get_or_create(
            dataset=dataset,
            premises=[(f"Dog {number} barks.", None)],
            hypothesis=f"Old dog {number} barks.",
            origin="import",
            direction=direction,
        )
    return dataset


def numbers(dataset):
    return list(dataset.pairs.order_by("pk").values_list("pk", flat=True))


def test_a_dataset_is_made_once_under_its_name(client, study):
    body = {"study": study.slug, "name": "Farm", "licence": "CC0", "three_way": True}
    answer = post(client, DATASETS, body)
    assert answer.status_code == 201
    row = client.get(answer["Location"]).json()
    assert row["labels"] == ["entailment", "non-entailment", "contradiction"]
    again = post(client, DATASETS, body)
    assert again.status_code == 422 and again.json()["errors"][0]["pointer"] == "#/name"
    assert Dataset.objects.count() == 1


def test_the_pages_filters_are_the_apis(client, dataset):
    path = f"{DATASETS}{dataset.pk}/pairs/"
    found = client.get(path, {"direction": "downward", "text": "old 1"}).json()["results"]
    assert [row["premises"] for row in found] == [["Dog 1 barks."]]
    assert len(client.get(path).json()["results"]) == 3
    wrong = client.get(path, {"direction": "sideways"})
    assert wrong.status_code == 400 and wrong.json()["errors"][0]["parameter"] == "direction"
    assert client.get(path, {"colour": "red"}).status_code == 400


def test_a_page_of_filtered_pairs_costs_the_same_however_many_there_are(
    client, dataset, django_assert_max_num_queries
):
    with django_assert_max_num_queries(14):
        client.get(f"{DATASETS}{dataset.pk}/pairs/", {"direction": "downward"})


def test_a_tag_is_put_on_ticked_pairs_and_taken_back(client, dataset, ada):
    first, second, _third = numbers(dataset)
    body = {"dataset": dataset.pk, "action": "add", "tag": "odd", "pairs": [first, second]}
    answer = post(client, EDITS, body)
    assert answer.status_code == 201
    assert (answer.json()["matched"], answer.json()["changed"]) == (2, 2)
    assert client.get(f"{PAIRS}{first}/").json()["tags"] == [{"name": "odd", "source": "hand"}]
    changes = client.get(answer["Location"] + "changes/").json()["results"]
    assert [change["pair"] for change in changes] == [first, second]
    undone = post(client, answer["Location"] + "undo/")
    assert undone.json()["undone_at"] and not Tag.objects.exists()
    assert post(client, answer["Location"] + "undo/").status_code == 422
    assert AuditEvent.objects.get(action="pairs.edited").actor == ada


def test_a_flag_is_put_on_all_pairs_that_pass_filters(client, dataset):
    body = {"dataset": dataset.pk, "action": "add", "tag": "needs-review"}
    answer = post(client, EDITS, {**body, "filters": {"direction": "downward"}})
    assert answer.json()["changed"] == 2
    assert post(client, EDITS, {**body, "filters": {}}).json()["matched"] == 3
    assert Tag.objects.filter(name="needs-review").count() == 3


@pytest.mark.parametrize(
    "which",
    [{}, {"pairs": [1], "filters": {}}, {"filters": {"colour": "red"}}, {"filters": {"direction": "no"}}],
)
def test_an_edit_says_plainly_which_pairs_it_means(which, client, dataset):
    body = {"dataset": dataset.pk, "action": "add", "tag": "odd", **which}
    assert post(client, EDITS, body).status_code == 422
    assert not Tag.objects.exists()


def test_many_pairs_are_edited_by_a_job(client, dataset, work, monkeypatch):

    monkeypatch.setattr(bulk_edits, "AT_ONCE", 1)
    answer = post(client, EDITS, {"dataset": dataset.pk, "action": "add", "tag": "odd", "filters": {}})
    assert answer.json()["job"] and answer.json()["finished_at"] is None
    work()
    assert client.get(answer["Location"]).json()["changed"] == 3


def test_a_researcher_decides_on_a_pair(client, dataset):
    path = f"{PAIRS}{numbers(dataset)[0]}/adjudicate/"
    answer = post(client, path, {"label": "entailment"})
    assert answer.json()["gold"] == [{"source": "adjudication", "label": "entailment", "is_outdated": False}]
    post(client, path, {"label": "non-entailment"})
    assert GoldLabel.objects.get().label == "non-entailment"
    assert post(client, path, {"label": "perhaps"}).status_code == 422


def test_a_pair_is_kept_from_being_swapped_and_allowed_again(client, dataset):
    path = f"{PAIRS}{numbers(dataset)[0]}/swappable/"
    assert post(client, path, {"swappable": False}).json()["tags"][0]["name"] == "no-swap"
    assert post(client, path, {"swappable": True}).json()["tags"] == []


def test_the_calculus_labels_anew_in_the_background(client, dataset):
    path = f"{DATASETS}{dataset.pk}/relabel/"
    answer = post(client, path, {"convention": "med"})
    assert answer.status_code == 202 and answer.json()["kind"] == "datasets.label"
    assert Job.objects.get().params == {"dataset": dataset.pk, "convention": "med"}
    assert post(client, path, {"convention": "none"}).status_code == 422


def test_the_sets_of_labels_are_listed(client, study, fill):
    pair = fill(study)["pairs"]
    (row,) = client.get(f"{DATASETS}{pair.dataset_id}/label-sets/").json()
    assert (row["engine"], row["labels"], row["current"]) == ("natlog", 1, 1)


def test_what_a_newer_labelling_says_otherwise_is_listed(client, study, fill):
    pair = fill(study)["pairs"]
    old = pair.calculus_labels.get()
    pair.calculus_labels.update(is_current=False)
    CalculusLabel.objects.create(
        pair=pair, label="non-entailment", direction="downward", reason="now", parser="p", engine="natlog",
        engine_version="2", convention="default",
    )  # fmt: skip
    path = f"{DATASETS}{pair.dataset_id}/label-changes/"
    before = {"engine": "natlog", "engine_version": "1", "convention": "default", "parser": "p"}
    (row,) = client.get(path, before).json()["results"]
    assert row == {
        "pair": pair.pk, "label": "non-entailment", "reason": "now", "was": "entailment",
        "was_reason": old.reason,
    }  # fmt: skip
    assert client.get(path, {**before, "engine_version": "2"}).json()["results"] == []
    missing = client.get(path, {"engine": "natlog"})
    assert missing.status_code == 400 and len(missing.json()["errors"]) == 3


def test_others_pairs_are_nobodys_business(dataset, olaf, ben, token_client):
    pk = numbers(dataset)[0]
    for user in (olaf, ben):
        other = token_client(user)
        assert post(other, f"{PAIRS}{pk}/adjudicate/", {"label": "entailment"}).status_code == 404
        assert post(other, f"{DATASETS}{dataset.pk}/relabel/", {"convention": "med"}).status_code == 404
        assert other.get(f"{DATASETS}{dataset.pk}/pairs/").status_code == 404
        body = {"dataset": dataset.pk, "action": "add", "tag": "odd", "filters": {}}
        assert post(other, EDITS, body).status_code == 422
    assert not GoldLabel.objects.exists() and not Tag.objects.exists()


def test_another_datasets_pair_is_not_among_the_ticked(client, dataset, study, ada):
    other = dataset_create(study=study, actor=ada, name="Other")
    made = pair_get_or_create(dataset=other, premises=[("A.", None)], hypothesis="B.", origin="import")
    body = {"dataset": dataset.pk, "action": "add", "tag": "odd", "pairs": [made.pk]}
    assert post(client, EDITS, body).status_code == 422
    assert Pair.objects.count() == 4 and not Tag.objects.exists()
