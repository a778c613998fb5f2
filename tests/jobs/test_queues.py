"""Queues: a worker given to models takes nothing else, and the other no models, while both live."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from apps.jobs import kinds, runner, selectors, services
from apps.jobs.kinds import Chunk, kind_named
from apps.jobs.models import Job, Worker
from config import environment

pytestmark = [pytest.mark.django_db, pytest.mark.both]


class Steps:
    """Work of three chunks, each of which asks what goes on meanwhile."""

    def __init__(self) -> None:
        self.meanwhile: Any = lambda: None
        self.order: list[str] = []

    def total(self, job: Job) -> int:
        return 3

    def work(self, job: Job) -> Chunk | None:
        if job.cursor == 3:
            return None
        self.order.append(f"{job.title} {job.cursor}")
        self.meanwhile()
        return Chunk(job.cursor + 1, 1, None)

    def store(self, job: Job, chunk: Chunk) -> None:
        """Nothing is stored."""

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@pytest.fixture
def steps(monkeypatch) -> Steps:
    kind_named("inference.run")  # the others are registered before
    made = Steps()
    for name, queue in (("test.parse", Job.Queue.GENERAL), ("test.model", Job.Queue.MODELS)):
        monkeypatch.setitem(kinds._kinds, name, made)
        monkeypatch.setitem(kinds._queues, name, queue)
    return made


@pytest.fixture
def start(study, ada, steps):
    def make(kind: str, title: str = "job", waiting: float = 0, **more: Any) -> Job:
        job = services.job_start(study=study, kind=kind, title=title, actor=ada, **more)
        Job.objects.filter(pk=job.pk).update(queued_at=timezone.now() - timedelta(seconds=waiting))
        return Job.objects.get(pk=job.pk)

    return make


def live(*queues: str) -> None:
    Worker.objects.create(name=f"elsewhere {queues}", seen_at=timezone.now(), queues=list(queues))


def states(*jobs: Job) -> list[str]:
    return [Job.objects.get(pk=job.pk).state for job in jobs]


def test_what_is_registered_by_workers_waits_for_a_worker_of_models():
    kind_named("inference.run")
    of_workers = {name for name, kind in kinds._kinds.items() if type(kind).__module__.startswith("workers")}
    assert of_workers >= {"inference.run", "inference.train", "campaigns.model_reply"}
    assert {name for name, queue in kinds._queues.items() if queue == Job.Queue.MODELS} >= of_workers


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        (["models"], ["general"], ["queued", "done"]),
        (["general"], ["models"], ["done", "queued"]),
        (["general", "models"], [], ["done", "done"]),
    ],
)
def test_a_worker_takes_its_own_queues(start, settings, own, other, expected):
    settings.QUEUES = own
    live(*own)
    if other:
        live(*other)
    parse, model = start("test.parse", waiting=3600), start("test.model", waiting=3600)
    runner.run_waiting()
    assert states(parse, model) == expected


def test_a_parse_goes_on_while_the_worker_of_models_is_at_a_long_run(start, steps, settings):
    live("models")
    live("general")
    parse, model = start("test.parse", "parse"), start("test.model", "run")
    seen = []

    def the_other_worker() -> None:
        if settings.QUEUES == ["models"]:
            settings.QUEUES = ["general"]
            runner.run_waiting()
            settings.QUEUES = ["models"]
            seen.append(states(parse, model))

    steps.meanwhile = the_other_worker
    settings.QUEUES = ["models"]
    runner.run_waiting()
    assert seen[0] == ["done", "running"]
    assert states(model) == ["done"]


def test_without_a_worker_of_models_others_take_over_what_has_waited(start, settings):
    """A Compose file whose service isn't started: late, and not never."""
    settings.QUEUES = ["general"]
    live("general")
    fresh, old = start("test.model"), start("test.model", waiting=3600)
    runner.run_waiting()
    assert states(fresh, old) == ["queued", "done"]
    assert not selectors.to_take().exists()


def test_what_was_taken_over_lets_own_work_pass_between_two_chunks(start, steps, settings):
    settings.QUEUES = ["general"]
    model = start("test.model", "run", waiting=3600)
    parses = []

    def a_parse_comes() -> None:
        if not parses:
            parses.append(start("test.parse", "parse"))

    steps.meanwhile = a_parse_comes
    runner.run_waiting()
    assert steps.order == ["run 0", "parse 0", "parse 1", "parse 2", "run 1", "run 2"]
    assert states(model, *parses) == ["done", "done"]


def test_the_most_urgent_goes_first_whosever_it_is(start, steps, settings):
    settings.QUEUES = ["general"]
    start("test.parse", "parse")
    start("test.model", "reply", waiting=3600, urgency=Job.Urgency.CARD)
    runner.run_waiting()
    assert steps.order[0] == "reply 0"


def test_a_silent_run_is_taken_up_by_a_worker_of_its_queue_alone(start, settings):
    model = start("test.model")
    long_ago = timezone.now() - timedelta(hours=1)
    Job.objects.filter(pk=model.pk).update(state="running", claim="x", heartbeat_at=long_ago)
    live("models")
    settings.QUEUES = ["general"]
    runner.run_waiting()
    assert states(model) == ["running"]
    settings.QUEUES = ["models"]
    runner.run_waiting()
    assert states(model) == ["done"]


def test_health_counts_each_queue_and_names_one_that_nobody_takes(start, client):
    live("general")
    start("test.model")
    start("test.parse")
    told = client.get("/health/work/")
    assert told.status_code == 503
    assert told.json()["queues"] == {
        "general": {"queued": 1, "running": 0, "workers": 1},
        "models": {"queued": 1, "running": 0, "workers": 0},
    }
    assert told.json()["complaints"] == ["no worker takes the queue “models”; others see to it late"]
    live("models")
    assert client.get("/health/work/").json()["complaints"] == []


def test_a_worker_says_which_queues_it_takes(settings):
    settings.QUEUES = ["models"]
    services.worker_seen(name="w")
    assert Worker.objects.get().queues == ["models"]
    assert selectors.queues_taken() == {"models"}


def test_one_from_an_older_version_takes_all():
    Worker.objects.create(name="w", seen_at=timezone.now())
    assert selectors.queues_taken() == set(Job.Queue.values)


def test_the_setting_knows_the_queues(monkeypatch):
    assert set(settings.QUEUES) == set(Job.Queue.values)
    monkeypatch.setenv("Q", "modles")
    with pytest.raises(ImproperlyConfigured, match="Q: 'modles' is none of general, models"):
        environment.some_of("Q", ["general", "models"])


def test_how_long_is_left_is_told_by_the_speed_since_the_claim(start):
    now = timezone.now()
    job = start("test.model")
    assert job.seconds_left is None
    # 100 of 400 in an earlier stretch, 100 more within 50 s since this claim.
    job.state, job.heartbeat_at, job.total, job.done, job.done_when_claimed = "running", now, 400, 200, 100
    job.claimed_at, job.stored_at = now - timedelta(seconds=50), now
    assert job.seconds_left in (99, 100)
