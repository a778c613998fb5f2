"""Training sets, trainings and learning curves through the API."""

import json

import pytest

from apps.inference.models import Training, TrainingSet
from apps.inference.networks import NetworkOffer, _offers
from apps.jobs.models import Job
from tests.api.addresses import address
from tests.api.conftest import fill, token_client  # noqa: F401 - fixtures


@pytest.fixture(autouse=True)
def an_offer(monkeypatch):
    """A network that takes any options."""

    def check(given, small):
        return {"epochs": 3, "dropouts": [], "sizes": {}, **given}

    monkeypatch.setitem(_offers, "esim", NetworkOffer("esim", "ESIM", "Chen et al. 2017", {}, {}, check))


@pytest.fixture
def send(ada, token_client):  # noqa: F811
    client = token_client(ada)

    def post(name, body):
        return client.post(address(name), json.dumps(body), content_type="application/json")

    return post


def test_a_set_is_mixed_by_a_job(study, send, fill, work):  # noqa: F811
    pair = fill(study)["pairs"]
    for number in range(6):
        new = type(pair).objects.create(
            dataset=pair.dataset, hypothesis=f"{number}", digest=f"new {number}", origin="import"
        )
        new.premises.create(position=0, text=f"premise {number}")
        new.gold_labels.create(source="file", label=("entailment", "non-entailment")[number % 2])
    body = {
        "study": study.slug,
        "name": "mixed",
        "sources": [{"source": f"dataset:{pair.dataset_id}"}],
        "validation": 0.0,
    }
    answer = send("training-sets", body)
    assert answer.status_code == 202, answer.content
    work()
    assert TrainingSet.objects.get(name="mixed").counts["train"]["label"]["entailment"] >= 3


def test_a_training_is_started_and_tells_its_epochs(study, ada, send, fill, token_client):  # noqa: F811
    rows = fill(study)
    body = {"training_set": rows["training-sets"].pk, "name": "net", "network": "esim", "seeds": 2}
    answer = send("trainings", {**body, "options": {"epochs": 5}})
    assert answer.status_code == 201, answer.content
    training = Training.objects.get(name="net")
    assert (training.options["epochs"], training.job.state) == (5, Job.State.QUEUED)
    told = token_client(ada).get(f"{address('trainings', rows['trainings'].pk)}epochs/").json()
    assert [epoch["number"] for epoch in told["results"]] == [1]


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("training-sets", {"sources": [{"source": "dataset:999"}]}, "sources"),
        ("training-sets", {"seed": -1}, "seed"),
        ("training-sets", {"colour": "red"}, "colour"),
        ("learning-curves", {"sizes": []}, "sizes"),
        ("learning-curves", {"network": "none"}, "network"),
    ],
)
def test_what_makes_no_sense_is_refused_under_its_name(study, send, fill, name, change, field):  # noqa: F811
    dataset = f"dataset:{fill(study)['datasets'].pk}"
    body = {"study": study.slug, "name": "x", "sources": [{"source": dataset}]}
    if name == "learning-curves":
        body |= {
            "varied": dataset,
            "sizes": [2],
            "directions": ["upward"],
            "network": "esim",
            "test": [dataset],
        }
    answer = send(name, {**body, **change})
    assert answer.status_code == 422 and field in json.dumps(answer.json()), answer.content
