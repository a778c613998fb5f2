"""The cast and the stage of the tests.

The cast: Ada (admin and researcher), Rosa (researcher), Ben, Cleo and Dan (annotators) in one study,
and Olaf the outsider, researcher of another. Background jobs run when a test calls ``work()``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.utils import translation

from tests import migrated

# Playwright keeps an event loop in the test's thread; the tests' own queries are synchronous all the same.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "postgres: needs PostgreSQL; run in the second pass, with DATABASE_URL set",
        "both: runs on SQLite and once more on PostgreSQL",
        "browser: needs Chromium",
        "redis: needs Redis",
        "neural: needs torch and transformers",
        "first_visit: the instructions have not been read yet",
    ):
        config.addinivalue_line("markers", line)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix) -> None:
    """The tests' database begins as a copy of a migrated one, if there is one: nothing is left to migrate."""
    creation = connection.creation
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.template()
        return
    empty = creation._create_test_db

    def copied(*args, **kwargs) -> str:
        name = empty(*args, **kwargs)
        migrated.copy_file(name)
        return name

    creation._create_test_db = copied


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real files (POLARLAB_SHARED_DATA)."""
    folder = Path(settings.SHARED_DATA)
    if not folder.is_dir():
        pytest.skip(f"no real files at {folder}; set POLARLAB_SHARED_DATA")
    return folder


@pytest.fixture(autouse=True)
def quick_settings(settings, tmp_path):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.AXES_ENABLED = False
    settings.API_RATES = {"reads": 0, "writes": 0}
    caches["counted"].clear()


@pytest.fixture(autouse=True)
def nobody_s_language():
    """A request leaves its reader's language behind in the thread."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def nothing_sent(monkeypatch):
    """No test talks to a broker by accident: sending a job does nothing unless a test wants it."""
    monkeypatch.setattr("apps.jobs.services.send", lambda pk: None)


@pytest.fixture(autouse=True)
def instructions_read(request, monkeypatch):
    """Everybody has read the instructions before; tests of a first visit are marked so."""
    if not request.node.get_closest_marker("first_visit"):
        monkeypatch.setattr("apps.annotation.views._is_first_visit", lambda *who: False)


@pytest.fixture
def work(db) -> Callable[[], int]:
    """Run every queued job, as a worker would; returns how many ran."""
    from apps.jobs.models import Job
    from apps.jobs.runner import run

    def run_all() -> int:
        count = 0
        while (job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first()) is not None:
            run(job.pk)
            job.refresh_from_db()
            count += 1
            assert job.state != Job.State.QUEUED, job.error
        return count

    return run_all


def _person(email: str, **fields):
    from apps.accounts.models import User

    return User.objects.create_user(
        f"{email}@example.org", "correct horse", name=email.capitalize(), **fields
    )


@pytest.fixture
def ada(db):
    return _person("ada", may_create_studies=True)


@pytest.fixture
def study(ada):
    from apps.studies.services import study_create

    return study_create(actor=ada, name="Dogs and cats")


def _member(study, name: str, role: str):
    from apps.studies.models import Membership

    user = _person(name)
    Membership.objects.create(study=study, user=user, role=role)
    return user


@pytest.fixture
def rosa(study):
    return _member(study, "rosa", "researcher")


@pytest.fixture
def ben(study):
    return _member(study, "ben", "annotator")


@pytest.fixture
def cleo(study):
    return _member(study, "cleo", "annotator")


@pytest.fixture
def dan(study):
    return _member(study, "dan", "annotator")


@pytest.fixture
def olaf(db):
    from apps.studies.services import study_create

    user = _person("olaf", may_create_studies=True)
    study_create(actor=user, name="Another study")
    return user


@pytest.fixture
def client_of() -> Callable[..., Client]:
    """A signed-in client for a member of the cast."""

    def make(user) -> Client:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return make


@pytest.fixture
def saved(tmp_path) -> Callable[..., Path]:
    """A text or bytes as a file."""

    def save(content: str | bytes, name: str = "pairs.tsv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return save


@pytest.fixture
def on_postgresql() -> bool:
    return connection.vendor == "postgresql"


@pytest.fixture
def visit(browser, live_server, client_of):
    """A signed-in page of a user's own browser at a path; afterwards: no console error, no CSP violation."""
    contexts, complaints = [], []

    def open_for(user, path: str, **options):
        context = browser.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        session = client_of(user).cookies["polarlab_session"].value
        context.add_cookies([{"name": "polarlab_session", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_for
    for context in contexts:
        context.close()
    # A refused form comes with status 422, and the console repeats it.
    assert [text for text in complaints if "422" not in text] == []


@pytest.fixture(scope="module")
def browser(chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """The path of a Chromium, or a skip. What is expected of a page may take as long as a slow machine needs:
    who waits for what comes at once waits no longer for it."""
    import shutil

    from playwright.sync_api import expect

    expect.set_options(timeout=30_000)

    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        pytest.skip("no Chromium here; install it or set CHROMIUM")
    yield path
