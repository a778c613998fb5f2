"""Training as a job: epochs as rows, taken up where it was broken off, and a model at the end."""

from __future__ import annotations

import importlib.util
import json
from unittest.mock import patch

import pytest
from django.core.exceptions import ValidationError

if not all(importlib.util.find_spec(name) for name in ("torch", "safetensors")):
    pytest.skip("torch is not installed (make neural)", allow_module_level=True)
from apps.inference import networks, services, training_sets, trainings
from apps.inference.mixing import Row
from apps.inference.models import LearningCurve, Model, Training, TrainingRun, TrainingSet
from apps.inference.training_sets import Made
from apps.jobs import kinds
from apps.jobs.models import Job
from apps.jobs.services import job_retry
from tests.workers.networks import tiny
from tests.workers.networks.test_trainer import both_ways
from tests.workers.networks.test_trainer import rows as made_rows
from workers.apps import _check_of
from workers.networks import NETWORKS
from workers.networks.saved import SavedError, card_of, folder_of, network_load
from workers.runtimes import runtime_for

pytestmark = pytest.mark.neural


@pytest.fixture(autouse=True)
def tiny_network(monkeypatch):
    monkeypatch.setitem(NETWORKS, "tiny", tiny.KIND)
    offer = networks.NetworkOffer("tiny", "Tiny", "", tiny.KIND.sizes, tiny.KIND.training, _check_of("tiny"))
    monkeypatch.setitem(networks._offers, "tiny", offer)


@pytest.fixture
def training_set(study):
    """Rows that can be learnt, frozen as a set; of its validation nobody has all right."""
    import hashlib
    import zlib

    from apps.inference.mixing import Mixed

    parts = {
        "train": made_rows(0, 24),
        "validation": made_rows(24, 32) + both_ways(),
        "test": made_rows(32, 40),
    }
    mixed = Mixed({name: [Row(*row) for row in rows] for name, rows in parts.items()})
    lines = mixed.lines()
    made = Made(
        "small",
        {"labels": "two-way"},
        mixed.counts(),
        [],
        zlib.compress(lines),
        hashlib.sha256(lines).hexdigest(),
    )
    return training_sets.training_set_store(study=study, actor=None, made=made)


def start(training_set, name="net", **more):
    options = {"epochs": 4, "patience": 0, "batch": 8, **more.pop("options", {})}
    return trainings.training_start(
        training_set=training_set, actor=None, name=name, network="tiny", options=options, **more
    )


def fingerprint_of(training):
    return TrainingRun.objects.get(training=training).fingerprint


def forget_process():
    """As if the worker had been killed: nothing of a training is left in memory."""
    kind = kinds.kind_named(trainings.NETWORK_KIND)
    kind._going = kind._prepared = None


def test_a_training_ends_as_a_model_that_predicts_like_any_other(study, ada, training_set, dataset, work):
    training = start(training_set)
    work()
    training.refresh_from_db()
    assert training.job.state == Job.State.DONE, training.job.error
    assert (training.job.done, training.job.total) == (4, 4)
    assert [epoch.number for epoch in training.epochs.all()] == [1, 2, 3, 4]
    model = training.model
    assert (model.kind, model.name, model.config["labels"]) == (
        "network",
        "net",
        ["entailment", "non-entailment"],
    )
    run = services.run_start(model=model, dataset=dataset, actor=ada)
    work()
    run.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    assert run.predictions.count() == 5
    for prediction in run.predictions.all():
        assert sum(prediction.scores.values()) == pytest.approx(1, abs=1e-5)


def test_the_card_tells_of_data_seed_curves_and_machine(training_set, work):
    training = start(training_set)
    work()
    card = card_of(fingerprint_of(training))
    assert card["training set's fingerprint"] == training_set.fingerprint
    assert (card["seed"], len(card["curves"])) == (1, 4)
    assert {"torch", "python", "natlog"} <= set(card["versions"]) and card["machine"]
    assert Model.objects.get().config["card"] == card


@pytest.mark.parametrize("slices", [1, 2, 3])
def test_killed_at_any_moment_it_ends_with_the_same_network_bit_for_bit(training_set, work, slices):
    """The worker dies after a slice of the second epoch or at its end; another goes on at the checkpoint."""
    whole = start(training_set, "whole")
    work()
    forget_process()
    broken = start(training_set, "broken")
    kind = kinds.kind_named(trainings.NETWORK_KIND)
    went, calls = kind.work, []

    def dies(job):
        if job.cursor == 2:
            calls.append(job.cursor)
            if len(calls) == slices:
                raise SystemExit  # nothing is stored, nothing tidied up
        return went(job)

    short = patch("workers.network_training.SLICE_SECONDS", 0.0)
    with patch.object(kind, "work", dies), short, pytest.raises(SystemExit):
        work()
    forget_process()
    Job.objects.filter(pk=broken.job_id).update(state=Job.State.QUEUED, claim="")
    work()
    assert broken.epochs.count() == 4
    assert fingerprint_of(broken) == fingerprint_of(whole)


def test_killed_between_the_checkpoint_and_its_row_it_tells_the_epoch_once(training_set, work):
    whole = start(training_set, "whole")
    work()
    forget_process()
    broken = start(training_set, "broken")
    kind = kinds.kind_named(trainings.NETWORK_KIND)
    stored = kind.store

    def dies(job, chunk):
        if job.cursor == 1 and chunk.payload is not None:
            raise SystemExit
        stored(job, chunk)

    with patch.object(kind, "store", dies), pytest.raises(SystemExit):
        work()
    forget_process()
    Job.objects.filter(pk=broken.job_id).update(state=Job.State.QUEUED, claim="")
    work()
    assert [epoch.number for epoch in broken.epochs.all()] == [1, 2, 3, 4]
    assert fingerprint_of(broken) == fingerprint_of(whole)


def test_cancelled_it_keeps_what_is_there_and_goes_on_from_it(training_set, ada, work):
    training = start(training_set)
    kind = kinds.kind_named(trainings.NETWORK_KIND)
    stored = kind.store

    def then_cancel(job, chunk):
        stored(job, chunk)
        if job.cursor == 1 and chunk.payload is not None:
            job.cancel_requested = True  # what somebody asks for just then

    with patch.object(kind, "store", then_cancel):
        work()
    training.job.refresh_from_db()
    assert training.job.state == Job.State.CANCELLED
    assert training.epochs.count() == 2
    job_retry(job=training.job, actor=ada)
    work()
    assert training.epochs.count() == 4 and Model.objects.filter(name="net").exists()


def test_several_seeds_and_the_best_dropout(training_set, work):
    training = start(training_set, seeds=3, options={"dropouts": [0.0, 0.2]})
    work()
    runs = list(training.runs.all())
    assert [(run.seed, run.dropout) for run in runs[:2]] == [(1, 0.0), (1, 0.2)]
    best = trainings.best_run(runs[:2]).dropout
    assert [(run.seed, run.dropout) for run in runs[2:]] == [(2, best), (3, best)]
    assert len(trainings.final_runs(training, runs)) == 3
    assert training.runs.get(fingerprint=Model.objects.get().fingerprint) in runs


def test_what_converges_early_counts_as_done(training_set, work):
    training = start(training_set, options={"epochs": 60, "patience": 2})
    work()
    training.job.refresh_from_db()
    assert training.job.done == training.job.total == 60 > training.epochs.count()


def test_without_being_kept_it_is_measured_and_not_saved(training_set, work, var_dir):
    training = start(training_set, keeps=False)
    work()
    assert not Model.objects.exists() and not list(var_dir.glob("models/network-*"))
    assert TrainingRun.objects.get(training=training).scores["made"]["all"][1] == 16


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"options": {"epochs": -1}}, "options"),
        ({"options": {"sizes": {"hiden": 3}}}, "options"),
        ({"seeds": 0}, "seeds"),
        ({"name": " "}, "name"),
    ],
)
def test_nothing_is_started_that_makes_no_sense(training_set, fields, named):
    with pytest.raises(ValidationError) as error:
        start(training_set, **fields)
    assert set(error.value.message_dict) == {named}
    assert not Training.objects.exists() and not Job.objects.exists()


def test_an_unknown_network_is_refused(training_set):
    with pytest.raises(ValidationError, match="no such network"):
        trainings.training_start(training_set=training_set, actor=None, name="x", network="huge")


# ---- Saved ----------------------------------------------------------------------------------


@pytest.fixture
def saved(training_set, work):
    training = start(training_set, options={"epochs": 12})
    work()
    return fingerprint_of(training)


def test_a_saved_network_says_what_it_said(saved):
    pairs = [("a black dog runs 1", "a dog runs 1"), ("a dog runs 1", "a black dog runs 1")]
    runtime = runtime_for(Model.objects.get())
    together = runtime.predict(pairs)
    assert [output.label for output in together] == ["entailment", "non-entailment"]
    alone = [runtime.predict([pair])[0] for pair in pairs]
    for one, other in zip(together, alone, strict=True):
        assert one.scores["entailment"] == pytest.approx(other.scores["entailment"], abs=1e-5)


@pytest.mark.parametrize("name", ["weights.safetensors", "config.json"])
def test_a_changed_folder_is_refused(saved, name):
    path = folder_of(saved) / name
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(SavedError, match="changed after training"):
        network_load(saved)


def test_a_folder_that_is_gone_and_a_name_that_is_none_are_refused(saved):
    folder_of(saved).rename(folder_of(saved).with_name("elsewhere"))
    with pytest.raises(SavedError, match="not on this machine"):
        network_load(saved)
    with pytest.raises(SavedError, match="malformed"):
        network_load("../../etc")


@pytest.mark.parametrize("change", [{"network": "none"}, {"format": "x"}, {"sizes": {}, "labels": ["a"]}])
def test_a_malformed_folder_is_refused_even_under_its_right_name(saved, change):
    from workers.networks import saved as module

    weights = (folder_of(saved) / "weights.safetensors").read_bytes()
    config = json.dumps({**json.loads((folder_of(saved) / "config.json").read_text()), **change}).encode()
    forged = folder_of(module._fingerprint(weights, config))
    forged.mkdir()
    (forged / "weights.safetensors").write_bytes(weights)
    (forged / "config.json").write_bytes(config)
    with pytest.raises(SavedError):
        network_load(forged.name.partition("-")[2])


# ---- Learning curves ------------------------------------------------------------------------


def test_a_learning_curve_is_one_form(study, ada, make_dataset, work):
    """MED, Figure 2 (i) to (iii), small."""
    labels = {"entailment": "entailment", "neutral": "non-entailment"}
    rows = [
        (
            f"A {way} {n} black dog.",
            f"A {way} {n} dog.",
            way,
            labels["entailment" if n % 2 else "neutral"],
            "",
        )
        for way in ("upward", "downward")
        for n in range(24)
    ]
    machine, tested = make_dataset("machine", rows=rows), make_dataset("tested")
    curve = trainings.curve_start(
        study=study,
        actor=ada,
        name="Figure 2",
        spec={"test": [f"dataset:{tested.pk}"]},
        varied=f"dataset:{machine.pk}",
        sizes=[10, 20],
        directions=["upward", "downward"],
        ratios=[0.5, 1.0],
        ratio_size=20,
        network="tiny",
        options={"epochs": 1},
        seeds=2,
    )
    work()
    names = set(TrainingSet.objects.filter(curve=curve).values_list("name", flat=True))
    assert names == {
        "Figure 2, 10 upward", "Figure 2, 20 upward", "Figure 2, 10 downward", "Figure 2, 20 downward",
        "Figure 2, 20, 50 % upward",
    }  # fmt: skip
    assert TrainingRun.objects.filter(training__training_set__curve=curve).count() == 10
    assert not Model.objects.exists()


def test_a_learning_curve_that_lacks_rows_makes_nothing(study, ada, make_dataset, work):
    machine, tested = (
        make_dataset("machine"),
        make_dataset("tested", rows=[("A.", "B.", "upward", "entailment", "")]),
    )
    curve = trainings.curve_start(
        study=study, actor=ada, name="Figure 2", spec={"test": [f"dataset:{tested.pk}"]},
        varied=f"dataset:{machine.pk}", sizes=[2, 50], directions=["upward"], ratios=[], ratio_size=None,
        network="tiny",
    )  # fmt: skip
    work()
    curve.job.refresh_from_db()
    assert curve.job.state == Job.State.FAILED and "2 upward rows left to draw from; 50" in curve.job.error
    assert not TrainingSet.objects.exists() and LearningCurve.objects.count() == 1
