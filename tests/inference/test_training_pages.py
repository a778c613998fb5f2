"""Pages of training sets, trainings and learning curves; what a stranger sees of them."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.urls import reverse

from apps.inference.models import LearningCurve, Model, Training, TrainingEpoch, TrainingRun, TrainingSet
from apps.inference.networks import NetworkOffer, _offers
from apps.jobs.models import Job
from apps.jobs.runner import run as run_job


@pytest.fixture(autouse=True)
def an_offer(monkeypatch):
    """A network that takes any options: pages need none that is real."""

    def check(given, small):
        return {"epochs": 3, "dropouts": [], "sizes": {"hidden": 5}, "small": small, **given}

    monkeypatch.setitem(_offers, "esim", NetworkOffer("esim", "ESIM", "Chen et al. 2017", {}, {}, check))


@pytest.fixture
def page(client_of, ada, study):
    client = client_of(ada)

    def call(name, *args, data=None):
        address = reverse(f"models:{name}", args=[study.slug, *args])
        return client.get(address) if data is None else client.post(address, data, follow=True)

    return call


@pytest.fixture
def training_set(page, dataset, make_dataset, work):
    """Made by the page's own form."""
    rows = [
        (f"A {n} black dog.", f"A {n} dog.", "upward", ("entailment", "non-entailment")[n % 2], "")
        for n in range(20)
    ]
    machine = make_dataset("machine", rows=rows)
    made = page("set_new", data={
        "name": "mixed", "source_1": f"dataset:{machine.pk}", "count_1": 10, "labels": "two-way",
        "test": [f"dataset:{dataset.pk}"], "validation": 0.2, "seed": 1,
    })  # fmt: skip
    assert made.status_code == 200
    work()
    return TrainingSet.objects.get(name="mixed")


def test_a_set_is_made_by_its_form_and_shows_what_is_in_it(page, training_set):
    text = page("set", training_set.pk).content.decode()
    assert "five pairs" in text and training_set.fingerprint in text
    assert "entailment" in text and "Train a network on it" in text


def test_the_list_has_sets_trainings_and_curves(page, training_set, study):
    LearningCurve.objects.create(study=study, name="Figure 2", spec={})
    Training.objects.create(study=study, name="first net", training_set=training_set, network="esim")
    text = page("trainings").content.decode()
    assert all(name in text for name in ("mixed", "first net", "Figure 2"))


def test_a_training_is_started_from_its_sets_page(page, training_set):
    shown = page(
        "set", training_set.pk, data={"name": "net", "network": "esim", "seeds": 2, "dropouts": "0, 0.2"}
    )
    training = Training.objects.get()
    assert (training.seeds, training.options["dropouts"]) == (2, [0.0, 0.2])
    assert training.job.state == Job.State.QUEUED
    assert "No epoch is over yet" in shown.content.decode()


def test_a_trainings_page_calls_its_options_as_the_form_does_and_can_cancel_it(page, training_set):
    data = {"name": "net", "network": "esim", "seeds": 1, "dropouts": "0, 0.2", "hypothesis_only": "on"}
    page("set", training_set.pk, data=data)
    training = Training.objects.get()
    text = page("training", training.pk).content.decode()
    assert "<dt>Dropouts to choose from</dt>" in text and "0.0, 0.2" in text
    assert "hypothesis_only" not in text and "By the hypothesis alone</dt><dd>yes" in text
    cancel = reverse("jobs:cancel", args=[training.study.slug, training.job_id])
    assert f'action="{cancel}"' in text
    training.job.state = Job.State.CANCELLED
    training.job.save()
    text = page("training", training.pk).content.decode()
    assert f'action="{cancel}"' not in text and "Go on where it stopped" in text


def test_a_trainings_page_shows_curves_and_scores_and_moves_while_it_goes_on(page, training_set):
    page("set", training_set.pk, data={"name": "net", "network": "esim", "seeds": 2})
    training = Training.objects.get()
    for run in (0, 1):
        for number in (1, 2):
            TrainingEpoch.objects.create(
                training=training, run=run, number=number, loss=1 / number, train_accuracy=0.5,
                validation_accuracy=0.6, seconds=1,
            )  # fmt: skip
        TrainingRun.objects.create(
            training=training, run=run, seed=run + 1, best_epoch=2, validation_accuracy=0.6, parameters=7,
            scores={"five pairs": {"all": [3 + run, 5], "upward": [1, 2]}}, seconds=2,
        )  # fmt: skip
    moving = page("training_moving", training.pk).content.decode()
    assert moving.count("<svg") == 2 and moving.count("<polyline") == 2 + 4
    assert "70" in moving and "±" in moving
    assert "hx-get" in moving
    training.job.state = Job.State.DONE
    training.job.save()
    assert "hx-get" not in page("training_moving", training.pk).content.decode()


def test_in_german_the_validation_part_is_called_no_task_of_people(client_of, ada, page, training_set, study):
    page("set", training_set.pk, data={"name": "net", "network": "esim", "seeds": 1})
    training = Training.objects.get()
    card = {"best epoch": 12, "validation accuracy": 0.895, "test": {}, "threads": 1, "versions": {}}
    training.model = Model.objects.create(study=study, name="net", kind="network", config={"card": card})
    training.save()
    TrainingRun.objects.create(
        training=training, run=0, seed=1, best_epoch=12, validation_accuracy=0.895, parameters=7, scores={},
        seconds=2,
    )  # fmt: skip
    client = client_of(ada)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    of_runs, of_model = (
        client.get(reverse(f"models:{name}", args=[study.slug, pk])).content.decode()
        for name, pk in (("training", training.pk), ("model", training.model_id))
    )
    assert ">Validierung</th>" in of_runs and "Paare beurteilen" not in of_runs
    assert "12, Validierung 89" in of_model and "Paare beurteilen" not in of_model
    assert "<dt>Versionen</dt>" in of_model


def test_a_learning_curve_is_asked_for_and_shown(page, study, dataset, make_dataset, work):
    rows = [
        (f"A {n} {way} black dog.", f"A {n} {way} dog.", way, ("entailment", "non-entailment")[n % 2], "")
        for n in range(12)
        for way in ("upward", "downward")
    ]
    machine = make_dataset("machine", rows=rows)
    page("curve_new", data={
        "name": "Figure 2", "varied": f"dataset:{machine.pk}", "sizes": "5, 10",
        "directions": ["upward", "downward"], "ratios": "0.5", "ratio_size": 10, "network": "esim",
        "seeds": 1, "labels": "two-way", "test": [f"dataset:{dataset.pk}"], "validation": 0, "seed": 1,
    })  # fmt: skip
    curve = LearningCurve.objects.get()
    run_job(curve.job_id)
    assert curve.training_sets.count() == 5, Job.objects.get(pk=curve.job_id).error
    for training in Training.objects.all():
        TrainingRun.objects.create(
            training=training, run=0, seed=1, best_epoch=1, parameters=1, seconds=1,
            scores={"five pairs": {"all": [3, 5], "upward": [1, 2], "downward": [2, 2]}},
        )  # fmt: skip
    text = page("curve", curve.pk).content.decode()
    assert text.count('<svg class="curves"') == 3
    assert "Figure 2, 10, 50 % upward" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source_1": "dataset:999"}, "Select a valid choice"),
        ({"source_1": ""}, "Name from 1 to"),
        ({"validation": 2}, "less than or equal"),
    ],
)
def test_a_form_that_makes_no_sense_says_so_and_makes_nothing(page, dataset, change, said):
    sent = {"name": "x", "source_1": f"dataset:{dataset.pk}", "labels": "two-way", "validation": 0, "seed": 1}
    assert said in page("set_new", data={**sent, **change}).content.decode()
    assert not Job.objects.exists()


def test_a_stranger_sees_none_of_it(client_of, olaf, study, training_set):
    training = Training.objects.create(study=study, name="net", training_set=training_set, network="esim")
    curve = LearningCurve.objects.create(study=study, name="c", spec={})
    stranger = client_of(olaf)
    for name, pk in (("set", training_set.pk), ("training", training.pk), ("curve", curve.pk)):
        assert stranger.get(reverse(f"models:{name}", args=[study.slug, pk])).status_code == 404
