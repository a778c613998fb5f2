"""An experiment renamed, archived and deleted: what stays, what goes, and what happens while it runs."""

from __future__ import annotations

from threading import Event, Thread
from time import sleep

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.urls import reverse

from apps.experiments import retention, services
from apps.experiments.models import Cell, Experiment, Split
from apps.experiments.protocols import read
from apps.inference.models import Model, Training, TrainingSet
from apps.jobs import kinds, runner
from apps.jobs.models import Job
from apps.studies import retention as keeping
from apps.studies.models import AuditEvent
from tests.experiments.conftest import SMALL, neural


@pytest.fixture
def dealt(start):
    """An experiment whose trainings wait."""

    def make(**more):
        experiment = start(**more)
        runner.run(experiment.job_id)
        return Experiment.objects.get(pk=experiment.pk)

    return make


def actions():
    return list(AuditEvent.objects.filter(action__startswith="experiment").values_list("action", flat=True))


def test_renamed_it_leaves_its_trainings_their_names_and_no_other_takes_them(start, dealt, ada):
    experiment = dealt()
    retention.experiment_rename(experiment, ada, "Another")
    assert Experiment.objects.get().name == "Another"
    assert Training.objects.filter(name="An experiment, D1, tiny, 1").exists()
    with pytest.raises(ValidationError, match="Choose another name: there is “An experiment, D1") as told:
        start()
    assert set(told.value.message_dict) == {"name"}
    start(name="A third")
    with pytest.raises(ValidationError, match="another experiment of that name"):
        retention.experiment_rename(experiment, ada, "A third")
    assert actions().count("experiment.renamed") == 1


def test_renamed_while_its_rows_are_dealt_it_goes_on_under_one_name(start, ada):
    experiment = start()
    retention.experiment_rename(experiment, ada, "Another")
    runner.run(experiment.job_id)
    assert all(name.startswith("An experiment, ") for name in Training.objects.values_list("name", flat=True))


def test_a_name_that_leaves_its_trainings_no_room_is_refused(start):
    long = read(SMALL.replace('"D1 and D2"', f'"{"D" * 100}"'), "long")
    with pytest.raises(ValidationError, match="At most 79 characters with this protocol"):
        start(name="n" * 80, protocol=long)
    start(name="n" * 79, protocol=long)


def test_archived_it_stands_in_the_archive_and_while_it_runs_it_is_not(dealt, ada, study, client_of):
    experiment = dealt()
    with pytest.raises(ValidationError, match="It still runs"):
        keeping.archive(thing=experiment, actor=ada)
    services.experiment_cancel(experiment=experiment, actor=ada)
    keeping.archive(thing=experiment, actor=ada)
    address, client = reverse("experiments:list", args=[study.slug]), client_of(ada)
    page, shelf = (client.get(address + query).content.decode() for query in ("", "?archived=yes"))
    assert ">An experiment</bdi>" not in page and "1 in the archive" in page
    assert ">An experiment</bdi>" in shelf
    keeping.archive(thing=experiment, actor=ada, archived=False)
    assert ">An experiment</bdi>" in client.get(address).content.decode()
    assert {"experiment.archived", "experiment.unarchived"} <= set(actions())


def test_deleted_while_it_runs_it_is_cancelled_first_and_nothing_of_it_is_left(dealt, ada, study, settings):
    experiment = dealt()
    running = Training.objects.first()
    Job.objects.filter(pk=running.job_id).update(state=Job.State.RUNNING, claim="somebody's")
    checkpoints = settings.VAR_DIR / "trainings" / str(running.pk)
    checkpoints.mkdir(parents=True)
    reasons, goes = keeping.said_before_deleting(experiment)
    assert not reasons and goes == ["6 trainings, with their runs", "7 jobs, which are cancelled"]
    keeping.delete(thing=experiment, actor=ada, name="An experiment")
    for kind in (Experiment, Split, Cell, Training, TrainingSet):
        assert not kind.objects.exists(), kind
    waited = Job.objects.exclude(pk=running.job_id).exclude(kind=services.DEAL_KIND)
    assert set(waited.values_list("state", flat=True)) == {Job.State.CANCELLED}
    assert Job.objects.get(pk=running.job_id).cancel_requested
    assert actions()[0] == "experiment.deleted"


def test_answers_from_elsewhere_are_told_of_before_they_go(dealt):
    experiment = dealt()
    for contestant in ("RoBERTa", "RoBERTa", "GPT"):
        seed = Cell.objects.filter(contestant=contestant).count() + 1
        Cell.objects.create(split=Split.objects.first(), contestant=contestant, seed=seed, scores={"D1": {}})
    assert "the answers of 2 models from elsewhere" in keeping.said_before_deleting(experiment)[1]


@pytest.mark.django_db(transaction=True)
def test_the_checkpoints_of_a_deleted_experiment_are_forgotten(dealt, ada, settings):
    experiment = dealt()
    checkpoints = settings.VAR_DIR / "trainings" / str(Training.objects.first().pk)
    checkpoints.mkdir(parents=True, exist_ok=True)
    keeping.delete(thing=experiment, actor=ada, name="An experiment")
    assert not checkpoints.exists()


def test_another_experiments_work_still_keeps_it(dealt, start, ada):
    experiment = dealt()
    start(name="Another")
    with pytest.raises(ValidationError, match="A job of this study runs"):
        keeping.delete(thing=experiment, actor=ada, name="An experiment")
    # Refused, it goes on: nothing was cancelled.
    waiting = services.jobs_of([experiment.pk]).filter(state=Job.State.QUEUED)
    assert waiting.count() == 7 and Training.objects.count() == 6


@neural
def test_the_models_that_it_kept_stay(dealt, ada, work):
    experiment = dealt(keeps=True)
    work()
    keeping.delete(thing=experiment, actor=ada, name="An experiment")
    assert Model.objects.count() == 4 and not Training.objects.exists()


def test_on_its_pages_it_is_renamed_and_deleted_by_its_name(dealt, ada, study, client_of):
    experiment, client = dealt(), client_of(ada)
    keep = reverse("studies:keep", args=[study.slug, "experiment", experiment.pk])
    assert (
        keep
        in client.get(reverse("experiments:experiment", args=[study.slug, experiment.pk])).content.decode()
    )
    page = client.get(keep).content.decode()
    assert "6 trainings, with their runs" in page
    delete = reverse("studies:keep_delete", args=[study.slug, "experiment", experiment.pk])
    client.post(delete, {"typed": "Something else"})
    assert Experiment.objects.exists()
    deleted = client.post(delete, {"typed": "An experiment"})
    assert deleted.url == reverse("experiments:list", args=[study.slug])
    assert not Experiment.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_deleted_while_a_worker_stores_its_rows_it_waits_for_them_and_takes_them_along(
    start, ada, monkeypatch
):
    experiment = start()
    dealing, stores = kinds.kind_named(services.DEAL_KIND), Event()
    went = dealing.store

    def slow(job, chunk):
        stores.set()
        sleep(0.5)  # the job's row is locked; the split's row comes after it
        went(job, chunk)

    def work():
        try:
            runner.run(experiment.job_id)
        finally:
            connection.close()

    monkeypatch.setattr(dealing, "store", slow)
    worker = Thread(target=work)
    worker.start()
    try:
        assert stores.wait(60)
        keeping.delete(thing=experiment, actor=ada, name="An experiment")
    finally:
        worker.join()
    assert Job.objects.get(pk=experiment.job_id).state == Job.State.CANCELLED
    for kind in (Experiment, Split, Cell, TrainingSet):
        assert not kind.objects.exists(), kind
