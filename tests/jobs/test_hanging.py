"""A whole installation in which some work never ends: the line goes on, on files and on Redis.

The second pass runs it on PostgreSQL and Redis (``tests/browser/conftest.py``).
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Server, server  # noqa: F401  (the fixture that starts an installation)
from tests.jobs.test_start import workers_of

pytestmark = pytest.mark.both

PATIENCE = 480
"""Seconds until a machine that is busy with other things counts as hung."""

SET_UP = """
from apps.accounts.models import User
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.jobs.services import job_start
from apps.studies.services import study_create
ada = User.objects.create_user("ada@example.org", "correct horse")
PAIRS = {"Hers": ["A dog barked.", "An endless dog barked.", "It rained."], "Theirs": ["A cat."]}
for name, texts in PAIRS.items():
    study = study_create(actor=ada, name=name)
    dataset = dataset_create(study=study, actor=ada, name=name)
    for text in texts:
        pair_get_or_create(dataset=dataset, premises=[("It rains.", None)], hypothesis=text, origin="import")
    if name == "Hers":
        job_start(study=study, kind="inference.train", title="hangs", actor=ada)
    job_start(study=study, kind="datasets.label", title=name, actor=ada, dataset=dataset.pk)
"""
CANCEL = """
from apps.accounts.models import User
from apps.jobs.models import Job
from apps.jobs.services import job_cancel
job_cancel(job=Job.objects.get(title="hangs"), actor=User.objects.get())
"""
STATES = """
import json
from apps.jobs.models import Job
jobs = Job.objects.all()
print(json.dumps({job.title: [job.state, job.done, [f.message for f in job.failures.all()]] for job in jobs}))
"""


@pytest.fixture
def endless(monkeypatch) -> None:
    """The environment of the installation. What hangs as a whole is cancelled long before its time."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.jobs.endless.settings")
    monkeypatch.setenv("POLARLAB_CHUNK_SECONDS", "600")
    monkeypatch.setenv("POLARLAB_ITEM_SECONDS", "3")


def asked(running: Server) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{running.url}/health/work/", timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def wait_until(running: Server, condition: Callable[[dict[str, Any]], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition(told := asked(running)):
        assert time.monotonic() < deadline, told
        time.sleep(0.5)


def test_the_line_goes_on(endless, server: Server) -> None:  # noqa: F811
    server.manage("shell", "-v0", "-c", SET_UP)
    wait_until(server, lambda told: told["running"] == 1 and told["queued"] == 2)
    (worker,) = workers_of(server)
    server.manage("shell", "-v0", "-c", CANCEL)
    wait_until(server, lambda told: told["running"] == told["queued"] == 0)
    assert json.loads(server.manage("shell", "-v0", "-c", STATES)) == {
        "hangs": ["cancelled", 0, []],
        "Hers": ["done", 3, ["took longer than 3 s"]],
        "Theirs": ["done", 1, []],
    }
    assert workers_of(server) == [worker], "its worker lives"
    assert asked(server)["status"] == "ok"
