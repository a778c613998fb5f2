"""Whatever a chunk does, its worker lives and its job ends: an item that never ends, of every kind of job.

The keeper is the worker's own, in a thread; the process that does the jobs is a real one, in which
``tests/jobs/endless`` is installed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator

import pytest
from django.db import connection

from apps.corpora.models import Corpus, Sentence
from apps.corpora.services import PARSE_KIND
from apps.datasets.models import CalculusLabel, Dataset, MachineBatch
from apps.datasets.services import pair_get_or_create
from apps.inference.models import Model, Prediction, Run
from apps.jobs import kinds, services
from apps.jobs.kinds import InItems, kind_named
from apps.jobs.models import Job
from apps.studies.models import Study
from tests.campaigns.conftest import *  # noqa: F403 (a campaign of blanks)
from workers import keeper as keeping
from workers.keeper import Keeper

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

PATIENCE = 240
"""Seconds until a machine that is busy with other things counts as hung."""


def database_url() -> str:
    its = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{its['NAME']}"
    return f"postgres://{its['USER']}:{its['PASSWORD']}@{its['HOST']}:{its['PORT']}/{its['NAME']}"


@pytest.fixture
def environment(monkeypatch, db) -> None:
    """That of the process that does the jobs: a second is long."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.jobs.endless.settings")
    monkeypatch.setenv("DATABASE_URL", database_url())
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "3")
    monkeypatch.setenv("POLARLAB_ITEM_SECONDS", "2")
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


LONG = "took longer than 2 s"
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


def test_a_kind_without_items_fails_and_says_why(keeper, study, ada, monkeypatch):
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "1")
    kind_named("datasets.label")
    whole = [name for name, kind in kinds._kinds.items() if not isinstance(kind, InItems) and "." in name]
    assert len(whole) >= 12
    jobs = [services.job_start(study=study, kind=name, title=name, actor=ada) for name in whole]
    for job in ended(*jobs):
        assert (job.kind, job.state, job.error) == (job.kind, "failed", "It was ended: took longer than 1 s.")


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
