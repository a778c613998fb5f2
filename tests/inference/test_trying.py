"""A model tried on a pair, a network that writes meanings on a sentence: on their pages, by a job."""

from __future__ import annotations

import importlib.util

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.datasets.templatetags.datasets import reason
from apps.experiments import services as experiments
from apps.experiments.protocols import read
from apps.inference import trying
from apps.inference.models import Model, Training, TrainingSet
from apps.inference.services import model_register_majority
from apps.jobs.models import Job
from natlog.logic.meaning_match import matched
from tests.experiments.test_meanings import SMALL

neural = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("torch", "safetensors")),
    reason="torch is not installed (make neural)",
)


def address(study, name, pk):
    return reverse(f"models:{name}", args=[study.slug, pk])


@pytest.fixture
def client(rosa, client_of):
    return client_of(rosa)


@pytest.fixture
def model(study, ada):
    return model_register_majority(study=study, actor=ada, name="always", label="entailment")


def test_a_pair_gets_the_models_probabilities_beside_the_calculus_with_its_reason(study, client, model, work):
    page = address(study, "model", model.pk)
    assert "Try it on a pair" in client.get(page).content.decode()
    pair = {"premise": "No dog ran.", "hypothesis": "No small dog  ran."}
    answer = client.post(address(study, "try", model.pk), pair)
    assert answer["Location"] == f"{page}#tried"
    assert 'hx-trigger="every 2s"' in client.get(page).content.decode()
    work()
    job = trying.latest_try(model)
    assert job.state == Job.State.DONE and job.result["calculus"] == "entailment" and job.result["read"]
    assert job.result["label"] == "entailment" and job.params["hypothesis"] == "No small dog ran."
    shown = client.get(page).content.decode()
    assert (
        "No small dog ran." in shown and reason(job.result["reason"]) in shown and "*" in job.result["reason"]
    )
    assert 'hx-trigger="every 2s"' not in shown


@pytest.mark.parametrize("pair", [{}, {"premise": "A dog ran."}, {"premise": "x" * 1001, "hypothesis": "y"}])
def test_what_is_no_pair_starts_nothing(study, client, model, pair):
    client.post(address(study, "try", model.pk), pair)
    assert not Job.objects.exists()


def test_a_refused_pair_stays_in_its_fields_each_with_its_error_and_no_other_verdict(
    study, client, model, work
):
    here = address(study, "try", model.pk)
    client.post(here, {"premise": "No dog ran.", "hypothesis": "No small dog ran."})
    work()
    answer = client.post(here, {"premise": " ", "hypothesis": "A cat" + " ran" * 250})
    page = answer.content.decode()
    assert "The calculus says" not in page and "A cat ran ran" in page and f'action="{here}#try"' in page
    errors = answer.context["try_form"].errors
    assert set(errors) == {"premise", "hypothesis"}
    assert all(f'id="id_{name}_error"' in page and errors[name][0] in page for name in errors)
    assert not list(answer.context["messages"])
    assert client.get(here)["Location"] == address(study, "model", model.pk)


def test_a_pair_that_was_tried_stays_in_its_fields(study, client, model, work):
    client.post(address(study, "try", model.pk), {"premise": "No dog ran.", "hypothesis": "No cat ran."})
    work()
    page = client.get(address(study, "model", model.pk)).content.decode()
    assert 'value="No dog ran."' in page and 'value="No cat ran."' in page and "The calculus says" in page


def test_what_costs_something_or_came_from_elsewhere_is_not_tried(study, client, ada):
    made = Model.objects.create(study=study, name="file", kind="file", config={"version": "1"})
    assert "Try it on a pair" not in client.get(address(study, "model", made.pk)).content.decode()
    with pytest.raises(ValidationError):
        trying.pair_try(model=made, actor=ada, premise="A dog ran.", hypothesis="A dog moved.")
    assert not Job.objects.exists()


def test_through_the_api_the_job_says_the_same(client, model, work):
    pair = {"premise": "No dog ran.", "hypothesis": "No small dog ran."}
    answer = client.post(f"/api/v1/models/{model.pk}/try/", pair, content_type="application/json")
    assert answer.status_code == 202
    work()
    told = client.get(answer["Location"]).json()
    assert told["state"] == "done" and told["result"]["label"] == "entailment"
    assert told["result"]["calculus"] == "entailment" and told["result"]["reason"]


@pytest.mark.parametrize(
    "pair",
    [
        {},
        {"premise": "A dog ran."},
        {"premise": "x" * 1001, "hypothesis": "y"},
        {"premise": " ", "hypothesis": "y"},
    ],
)
def test_the_api_tells_what_is_no_pair(client, model, pair):
    answer = client.post(f"/api/v1/models/{model.pk}/try/", pair, content_type="application/json")
    assert answer.status_code == 422
    assert {error["pointer"] for error in answer.json()["errors"]} <= {"#/premise", "#/hypothesis"}
    assert not Job.objects.exists()


@pytest.fixture
def trained(study, ada, work, var_dir):
    experiments.experiment_start(
        study=study, actor=ada, name="Kept", protocol=read(SMALL, "meanings"), preset="smoke", keeps=True,
        networks=["small fol"],
    )  # fmt: skip
    work()
    return Training.objects.exclude(runs__fingerprint="").order_by("pk").first()


@neural
def test_a_sentence_gets_its_formula_compared_proved_and_matched(study, client, trained, work):
    page = address(study, "training", trained.pk)
    assert "Try it on a sentence" in client.get(page).content.decode()
    client.post(address(study, "training_try", trained.pk), {"sentence": "Every dog ran."})
    work()
    told = trying.latest_try(trained).result
    assert told["form"] == "fol" and told["gold"] == "all x1.(dog(x1) -> run(x1))"
    assert told["exact"] == (told["written"] == told["gold"])
    assert ("fault" in told) and (told["fault"] or told["gold_entails"])
    shown = client.get(page).content.decode()
    assert "all x1.(dog(x1) -&gt; run(x1))" in shown and "Every dog ran." in shown
    answer = client.post(
        f"/api/v1/trainings/{trained.pk}/try/", {"sentence": "Every wug ran"}, content_type="application/json"
    )
    assert answer.status_code == 202
    work()
    told = trying.latest_try(trained).result
    assert "wug" in told["unknown"] and "every" not in told["unknown"] and "gold" not in told
    shown = client.get(page).content.decode()
    assert "does not read this sentence" in shown and 'value="Every wug ran"' in shown
    refused = client.post(address(study, "training_try", trained.pk), {"sentence": " "}).content.decode()
    assert 'id="id_sentence_error"' in refused and "does not read this sentence" not in refused


@neural
def test_a_network_that_was_not_kept_is_not_tried(study, client, ada, work, var_dir):
    experiments.experiment_start(
        study=study, actor=ada, name="Not kept", protocol=read(SMALL, "meanings"), preset="smoke",
        networks=["small fol"],
    )  # fmt: skip
    work()
    training = Training.objects.order_by("pk").first()
    assert "Try it" not in client.get(address(study, "training", training.pk)).content.decode()
    with pytest.raises(ValidationError):
        trying.sentence_try(training=training, actor=ada, sentence="every dog ran")


def test_of_a_classifier_that_was_kept_the_model_is_named_that_is_tried(study, client, model):
    training_set = TrainingSet.objects.create(study=study, name="mixed", spec={}, rows=b"")
    training = Training.objects.create(
        study=study, name="net", training_set=training_set, network="esim", model=model
    )
    answer = client.post(
        f"/api/v1/trainings/{training.pk}/try/", {"sentence": "A dog ran"}, content_type="application/json"
    )
    assert answer.status_code == 422 and f"/api/v1/models/{model.pk}/try/" in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("form", "given", "gold", "proved", "lacks"),
    [
        ("vf", "ALL CAT RUN", "ALL AND CAT WILD RUN", ("no", "yes"), ["b2 wild x1"]),
        ("fol", "exists x1.(dog(x1) & run(x1))", "exists x1.(dog(x1) & run(x1))", ("yes", "yes"), []),
        ("clf", "b1 REF x1 [SEP] b1 dog x1", "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1", ("yes", "no"),
         ["b1 run x1"]),
    ],
)  # fmt: skip
def test_a_meaning_of_any_form_is_proved_and_its_clauses_are_matched(form, given, gold, proved, lacks):
    found = matched(form, given, gold)
    assert (found.gold_entails, found.entails_gold) == proved and found.only_gold == lacks
    assert matched(form, "nothing (", gold).fault
