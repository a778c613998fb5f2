"""One run of a model version over a dataset: it goes on, and predicts no pair twice."""

import importlib
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.urls import reverse

from apps.datasets.services import pair_get_or_create
from apps.inference import services
from apps.inference.models import Prediction, Run
from apps.inference.pairs_left import pairs_left, pairs_pending
from apps.jobs.models import Job, JobFailure
from apps.jobs.runner import run as run_job
from apps.jobs.services import job_cancel, job_retry
from workers.runtimes import overlap
from workers.runtimes.runtime import Output, Pending

pytestmark = pytest.mark.both


@pytest.fixture
def model(study):
    return services.model_register_overlap(study=study, actor=None, name="words", threshold=1)


@pytest.fixture
def start(model, dataset, ada):
    return lambda: services.run_start(model=model, dataset=dataset, actor=ada)


@pytest.fixture
def asked(monkeypatch):
    """The hypotheses that the model was asked about, in order; those with "cat" it says nothing of."""
    found = []

    def predict(self, pairs):
        found.extend(hypothesis for _premise, hypothesis in pairs)
        return [
            Pending("It is no friend of cats.")
            if "cat" in hypothesis
            else Output("entailment", {"entailment": 1.0})
            for _premise, hypothesis in pairs
        ]

    monkeypatch.setattr(overlap.Overlap, "predict", predict)
    return found


def add(dataset, hypothesis):
    return pair_get_or_create(
        dataset=dataset, premises=[("It rains.", None)], hypothesis=hypothesis, origin="import"
    )


def test_a_second_start_predicts_new_pairs_alone_and_overwrites_nothing(start, dataset, work, asked):
    first = start()
    work()
    before = list(Prediction.objects.order_by("pk").values())
    new = add(dataset, "A dog barks.")
    asked.clear()
    second = start()
    assert (second.pk, second.job_id != first.job_id) == (first.pk, True)
    work()
    assert asked == ["A dog barks."]
    assert list(Prediction.objects.order_by("pk").values())[:5] == before
    assert Prediction.objects.get(pair=new).created_at is not None
    second.job.refresh_from_db()
    assert (second.job.total, second.job.done) == (1, 1)


def test_where_nothing_is_left_nothing_starts(start, work):
    first = start()
    work()
    assert start() == first
    assert Job.objects.count() == 1


def test_a_pending_pair_is_tried_again_and_says_why_meanwhile(start, dataset, work, asked, monkeypatch):
    cat = add(dataset, "A cat barks.")
    run = start()
    work()
    run.job.refresh_from_db()
    assert (run.job.state, run.job.failed) == ("done", 1)
    assert run.job.result == {"predictions": 5, "left pending": 1}
    new = add(dataset, "A bird barks.")
    assert [(pair, pair.reason) for pair in pairs_pending(run)] == [
        (cat, "It is no friend of cats."),
        (new, ""),
    ]
    monkeypatch.setattr(
        overlap.Overlap,
        "predict",
        lambda self, pairs: [Output("entailment", {"entailment": 1.0})] * len(pairs),
    )
    start()
    work()
    assert not pairs_left(run).exists()
    assert run.predictions.count() == 7


def test_a_cancelled_run_goes_on_where_it_was(start, dataset, work, asked, monkeypatch, ada):
    monkeypatch.setattr(overlap.Overlap, "chunk", 2, raising=False)
    monkeypatch.setattr(overlap.Overlap, "__init__", lambda self, threshold: None)
    run = start()
    seen = overlap.Overlap.predict

    def cancelling(self, pairs):
        job_cancel(job=run.job, actor=ada)
        return seen(self, pairs)

    monkeypatch.setattr(overlap.Overlap, "predict", cancelling)
    run_job(run.job_id)
    run.job.refresh_from_db()
    assert (run.job.state, run.predictions.count()) == ("cancelled", 0)
    monkeypatch.setattr(overlap.Overlap, "predict", seen)
    old, run = run.job, start()
    work()
    assert run.predictions.count() == 5
    job_retry(job=old, actor=ada)
    run_job(old.pk)
    old.refresh_from_db()
    assert (old.state, old.error) == ("failed", "Another job goes on with this run.")


def test_the_database_holds_one_run_of_a_version_over_a_dataset(start, model, dataset):
    start()
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(model=model, dataset=dataset)
    Run.objects.create(model=model, dataset=dataset, fingerprint="another version")


def test_doubles_of_older_databases_stay_and_the_furthest_goes_on(model, dataset, start, asked, work):
    far, near, empty = (Run.objects.create(model=model, dataset=dataset, is_current=False) for _n in range(3))
    pairs = list(dataset.pairs.all())
    for run, number in ((far, 3), (near, 2)):
        for pair in pairs[:number]:
            Prediction.objects.create(run=run, pair=pair, label="non-entailment")
    migration = importlib.import_module("apps.inference.migrations.0004_run_once")
    migration.one_is_current(apps, SimpleNamespace())
    assert list(Run.objects.filter(is_current=True)) == [far]
    assert start() == far
    work()
    assert asked == [pair.hypothesis for pair in pairs[3:]]
    assert (far.predictions.count(), near.predictions.count(), empty.predictions.count()) == (5, 2, 0)


def test_pending_pairs_stand_on_the_page_and_in_the_api_with_their_reasons(
    start, study, dataset, work, asked, rosa, client_of
):
    add(dataset, "A cat barks.")
    run = start()
    client = client_of(rosa)
    address = reverse("models:run", args=[study.slug, run.pk])
    assert "0 of 6 pairs" in client.get(address).content.decode()
    work()
    page = client.get(address).content.decode()
    assert "5 of 6 pairs" in page
    assert "It is no friend of cats." in page and "Try them again" in page
    pending = client.get(reverse("models:pending", args=[study.slug, run.pk])).content.decode()
    assert "A cat barks." in pending
    (row,) = client.get(f"/api/v1/runs/{run.pk}/pending/").json()["results"]
    assert (row["premise"], row["hypothesis"]) == ("It rains.", "A cat barks.")
    assert row["reason"] == "It is no friend of cats."
    again = client.post(reverse("models:run_start", args=[study.slug, run.model_id]), {"dataset": dataset.pk})
    assert again.headers["Location"] == address
    assert Job.objects.filter(state="queued").count() == 1


def test_a_run_at_work_shows_what_it_has_so_far(start, study, dataset, rosa, client_of, monkeypatch):
    monkeypatch.setattr(overlap.Overlap, "__init__", lambda self, threshold: vars(self).update(
        threshold=threshold, chunk=2))  # fmt: skip
    run = start()
    client = client_of(rosa)
    seen = []

    predict = overlap.Overlap.predict

    def looking(self, pairs):
        answer = client.get(reverse("models:figures", args=[study.slug, run.pk])).content.decode()
        seen.append(
            [
                words
                for words in ("0 of 5", "2 of 5", "4 of 5", "every 5s", "<strong>50.0 %")
                if words in answer
            ]
        )
        return predict(self, pairs)

    monkeypatch.setattr(overlap.Overlap, "predict", looking)
    run_job(run.job_id)
    assert seen == [["0 of 5", "every 5s"], ["2 of 5", "every 5s"], ["4 of 5", "every 5s", "<strong>50.0 %"]]
    over = client.get(reverse("models:figures", args=[study.slug, run.pk])).content.decode()
    assert "5 of 5" in over and "every 5s" not in over


def test_a_reason_of_an_earlier_job_is_told_until_a_later_one_has_another(start, dataset, work, asked, study):
    cat = add(dataset, "A cat barks.")
    run = start()
    work()
    again = start()
    assert [pair.reason for pair in pairs_pending(run)] == ["It is no friend of cats."]
    JobFailure.objects.create(job=again.job, item=str(cat.pk), message="Now it is asleep.")
    assert [pair.reason for pair in pairs_pending(run)] == ["Now it is asleep."]
