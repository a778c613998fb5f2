"""Whatever a chunk does, its worker lives and its job ends: an item that never ends, of every kind of job.

The keeper is the worker's own, in a thread; the process that does the jobs is a real one, in which
``tests/jobs/endless`` is installed.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from apps.campaigns.models import Campaign, Item
from apps.campaigns.services import assignment_next, judgement_submit
from apps.corpora.models import Corpus, Sentence
from apps.corpora.services import PARSE_KIND
from apps.datasets.models import CalculusLabel, Dataset
from apps.datasets.services import pair_get_or_create
from apps.generation.models import MachineBatch
from apps.inference.models import Model, Prediction, Run
from apps.inference.services import run_start
from apps.jobs import kinds, services
from apps.jobs.kinds import AllOrNothing, InItems, kind_named
from apps.jobs.models import Job, Worker
from apps.quality import checks
from apps.studies.models import Study
from tests.campaigns.conftest import *  # noqa: F403 (a campaign of blanks)
from workers import keeper as keeping
from workers.keeper import Keeper

# What claims a job's row and marks it is tried on PostgreSQL too; what becomes of a process is the same.
pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 480
"""Seconds until a machine that is busy with other things counts as hung."""


def database_url() -> str:
    its = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{its['NAME']}"
    return f"postgres://{its['USER']}:{its['PASSWORD']}@{its['HOST']}:{its['PORT']}/{its['NAME']}"


@pytest.fixture
def environment(monkeypatch, db) -> None:
    """That of the process that does the jobs: seconds are long, if not for a machine that is busy."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.jobs.endless.settings")
    monkeypatch.setenv("DATABASE_URL", database_url())
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "6")
    monkeypatch.setenv("POLARLAB_ITEM_SECONDS", "4")
    monkeypatch.setattr(keeping, "LOOK_SECONDS", 0.1)


@pytest.fixture
def keeper(environment) -> Iterator[Keeper]:
    kept = Keeper()
    kept.start()
    yield kept
    kept.stop(patience=30)


def ended(*jobs: Job) -> list[Job]:
    """The jobs, when all are over."""
    until = time.monotonic() + PATIENCE
    while not all(Job.objects.get(pk=job.pk).is_over for job in jobs):
        states = [str((job.kind, job.state, job.singly, job.error)) for job in Job.objects.all()]
        assert time.monotonic() < until, "\n".join(states)
        time.sleep(0.1)
    return [Job.objects.get(pk=job.pk) for job in jobs]


def failures(job: Job) -> list[tuple[str, str]]:
    return list(job.failures.values_list("text", "message"))


LONG = "took longer than 4 s"
TEXTS = ["A dog barked.", "An endless dog barked.", "A cat slept.", "Two endless cats slept.", "It rained."]
ENDLESS = [(text, LONG) for text in TEXTS if "endless" in text]


@pytest.fixture
def corpus(study: Study) -> Corpus:
    made = Corpus.objects.create(study=study, name="Dogs", licence="CC0", source="own")
    for position, text in enumerate(TEXTS):
        digest = hashlib.sha256(text.encode()).hexdigest()
        Sentence.objects.create(corpus=made, position=position, text=text, digest=digest)
    return made


@pytest.fixture
def pairs(dataset: Dataset) -> Dataset:
    for text in TEXTS:
        pair_get_or_create(dataset=dataset, premises=[("It rains.", None)], hypothesis=text, origin="import")
    return dataset


@pytest.fixture
def judged(creation: Campaign, participant, ben, cleo, dan) -> Campaign:
    """A campaign in which the second of three answers to one blank is endless."""
    Item.objects.exclude(blank__text="dogs").update(is_complete=True, counted=3)
    for user, word in ((ben, "small"), (cleo, "endless"), (dan, "wet")):
        lease = assignment_next(campaign=creation, participant=participant(user))
        texts = [f"{word} dogs", f"{word} poodles", f"{word} dogs of mine"]
        judgement_submit(assignment=lease, replacements=texts)
    return creation


@pytest.mark.both
@pytest.mark.parametrize("takes_back", [True, False])
def test_a_kind_without_items_fails_and_says_why(keeper, study, ada, monkeypatch, takes_back):
    """Each job costs a process, so that a kind stands for all that are ended alike."""
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "1")
    kind_named("datasets.label")
    alike = [
        name
        for name, kind in kinds._kinds.items()
        if not isinstance(kind, InItems) and isinstance(kind, AllOrNothing) == takes_back and "." in name
    ]
    (job,) = ended(services.job_start(study=study, kind=alike[0], title="Long", actor=ada, draft=0))
    assert (job.kind, job.state, job.error) == (alike[0], "failed", "It was ended: took longer than 1 s.")


def test_an_answer_that_is_never_checked_fails_alone(keeper, judged, study, ada):
    started = services.job_start(
        study=study, kind="campaigns.check", title="Check", actor=ada, campaign=judged.pk
    )
    (job,) = ended(started)
    assert (job.state, job.done, job.failed) == ("done", 3, 1)
    assert [why for _text, why in failures(job)] == [LONG]
    assert not checks.unchecked(judged).exists()


def test_the_items_of_every_other_kind_are_looked_at_here():
    kind_named("datasets.label")
    itemised = {name for name, kind in kinds._kinds.items() if isinstance(kind, InItems)}
    assert itemised == {
        PARSE_KIND, "datasets.label", "datasets.machine_pairs", "inference.run", "campaigns.check"
    }  # fmt: skip


def test_a_sentence_that_never_parses_fails_alone(keeper, corpus, study, ada, monkeypatch):
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "90")  # the pipeline is loaded
    monkeypatch.setenv("POLARLAB_ITEM_SECONDS", "6")
    params = {"corpus": corpus.pk, "convention": "default"}
    started = services.job_start(study=study, kind=PARSE_KIND, title="Parse", actor=ada, **params)
    (job,) = ended(started)
    assert (job.state, job.done, job.failed, [why for _text, why in failures(job)]) == (
        "done", 5, 2, ["took longer than 6 s"] * 2
    )  # fmt: skip
    assert job.result["marked"] == 3


@pytest.mark.both
def test_a_pair_that_is_never_labelled_fails_alone(keeper, pairs, study, ada):
    started = services.job_start(
        study=study, kind="datasets.label", title="Label", actor=ada, dataset=pairs.pk
    )
    (job,) = ended(started)
    assert (job.state, job.done, job.failed, failures(job)) == ("done", 5, 2, ENDLESS)
    assert CalculusLabel.objects.count() == 3


def test_a_pair_that_is_never_predicted_fails_alone(keeper, pairs, study, ada):
    model = Model.objects.create(study=study, name="M", kind="majority", config={"label": "entailment"})
    run = Run.objects.create(model=model, dataset=pairs)
    started = services.job_start(study=study, kind="inference.run", title="Run", actor=ada, run=run.pk)
    (job,) = ended(started)
    assert (job.state, job.done, job.failed, failures(job)) == ("done", 5, 2, ENDLESS)
    assert Prediction.objects.count() == 3


def test_a_sentence_of_which_pairs_are_made_for_ever_fails_alone(keeper, corpus, dataset, study, ada):
    batch = MachineBatch.objects.create(
        dataset=dataset, corpus=corpus, last_sentence=10**9, options={"limit": 10}
    )
    started = services.job_start(
        study=study, kind="datasets.machine_pairs", title="Make", actor=ada, batch=batch.pk
    )
    (job,) = ended(started)
    assert (job.state, job.done, job.failed, failures(job)) == ("done", 5, 2, ENDLESS)


# ---- What else may befall a process -----------------------------------------------------------


def label(study: Study, dataset: Dataset, **more) -> Job:
    return services.job_start(
        study=study, kind="datasets.label", title="Label", actor=None, dataset=dataset.pk, **more
    )


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, [(job.kind, job.state, job.error) for job in Job.objects.all()]
        time.sleep(0.05)


def test_a_pair_of_which_the_process_dies_fails_alone_at_the_fifth_time(keeper, dataset, study):
    for text in ("A dog barked.", "A deadly dog barked.", "It rained."):
        pair_get_or_create(dataset=dataset, premises=[("It rains.", None)], hypothesis=text, origin="import")
    (job,) = ended(label(study, dataset))
    assert (job.state, job.done, job.failed) == ("done", 3, 1)
    (failure,) = failures(job)
    assert failure == ("A deadly dog barked.", "the process that worked on it died, 5 times")


@pytest.mark.parametrize("kind", ["panels.tell", "datasets.label"], ids=["in C", "in Python"])
def test_cancel_ends_what_hangs(kind, keeper, pairs, study, ada, monkeypatch):
    """Long before its time is over."""
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "3600")
    monkeypatch.setenv("POLARLAB_ITEM_SECONDS", "3600")
    job = services.job_start(study=study, kind=kind, title="Hang", actor=ada, dataset=pairs.pk)
    until(lambda: Job.objects.get(pk=job.pk).state == "running")
    services.job_cancel(job=job, actor=ada)
    (job,) = ended(job)
    assert (job.state, job.error) == ("cancelled", "")
    after = services.job_start(study=study, kind=kind, title="After", actor=ada, dataset=0, short=True)
    ended(after)


@pytest.mark.both
def test_a_run_whose_process_is_killed_goes_on_at_the_last_chunk(keeper, dataset, study, ada):
    """With each pair predicted once."""
    for number in range(80):
        pair_get_or_create(
            dataset=dataset, premises=[("It rains.", None)], hypothesis=f"A slow {number}.", origin="import"
        )
    model = Model.objects.create(study=study, name="M", kind="majority", config={"label": "entailment"})
    job = run_start(model=model, dataset=dataset, actor=ada).job
    Job.objects.filter(pk=job.pk).update(singly=80)  # small chunks
    until(lambda: Job.objects.get(pk=job.pk).done > 4)
    os.kill(keeper.hand.process.pid, signal.SIGKILL)
    killed = Prediction.objects.count()
    (job,) = ended(job)
    assert 4 < killed < 80, "it was at work"
    assert (job.state, job.done, job.failed) == ("done", 80, 0)
    assert Prediction.objects.count() == 80


@pytest.mark.both
def test_what_an_annotator_waits_for_passes_what_is_at_work_and_what_waits(keeper, dataset, study, ada):
    """In the one process that there is, between two chunks of a job that goes on afterwards."""
    for number in range(400):
        pair_get_or_create(
            dataset=dataset, premises=[("It rains.", None)], hypothesis=f"A slow {number}.", origin="import"
        )
    running = label(study, dataset)
    until(lambda: Job.objects.get(pk=running.pk).done > 0)
    waiting = label(study, dataset)
    urgent = services.job_start(study=study, kind="campaigns.model_reply", title="Reply", actor=ada, short=1)
    ended(running, waiting, urgent)
    running, waiting, urgent = (Job.objects.get(pk=job.pk) for job in (running, waiting, urgent))
    assert running.started_at < urgent.started_at < urgent.finished_at < running.finished_at
    assert running.finished_at < waiting.finished_at
    assert (running.state, running.done, running.attempts) == ("done", 400, 1)


@pytest.mark.both
def test_several_workers_don_t_hang_one_after_another(keeper, environment, pairs, study):
    """The row says what the first learnt: one chunk hangs, and each endless pair once, whoever is at it."""
    second = Keeper()
    second.start()
    try:
        (job,) = ended(label(study, pairs))
    finally:
        second.stop(patience=30)
    assert (job.state, job.done, failures(job)) == ("done", 5, ENDLESS)


@pytest.mark.both
def test_a_worker_that_ends_in_order_leaves_its_job_to_the_next_at_once(keeper, environment, pairs, study):
    job = label(study, pairs)
    until(lambda: Job.objects.get(pk=job.pk).state == "running")
    until(lambda: Worker.objects.filter(name=keeper.name).exists())
    keeper.stop(patience=30)
    job.refresh_from_db()
    assert (job.state, job.claim, job.attempts) == ("queued", "", 0)
    assert not Worker.objects.exists()


def test_the_process_ends_with_its_keeper(environment, study, ada):
    """Even in a loop that lets nothing else run."""
    job = services.job_start(study=study, kind="panels.tell", title="Hang", actor=ada)
    script = "import django; django.setup(); from workers.keeper import keeper; keeper._keep()"
    worker = subprocess.Popen([sys.executable, "-c", script], cwd=settings.BASE_DIR)
    try:
        until(lambda: Job.objects.get(pk=job.pk).state == "running")
        listing = ["ps", "--ppid", str(worker.pid), "-o", "pid="]
        (hand,) = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split()
    finally:
        worker.kill()
        worker.wait()
    until(lambda: not Path(f"/proc/{hand}").exists())
