"""doccano 1.8.4: text classification, each member for themselves, through the API that its page uses."""

from __future__ import annotations

import io
import json
import secrets
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from .browser import BenchError, Browser, expect
from .loop import Annotator
from .processes import free_port, running
from .rivals import PASSWORD, Rival

LABELS = ("entailment", "non-entailment")
PATIENCE = 240
ANSWERED = """
import django
django.setup()
from examples.models import Example
from label_types.models import CategoryType
from labels.models import Category
label = CategoryType.objects.filter(project={project}).first()
for example in Example.objects.filter(project={project}).values_list("pk", flat=True):
    Category.objects.bulk_create(
        Category(example_id=example, label=label, user_id=person) for person in {people}
    )
"""


class Doccano(Rival):
    name = "doccano"
    # Beside it, older releases of what its dependencies were made for, and PostgreSQL's driver.
    requirements = ("doccano==1.8.4", "setuptools<81", "marshmallow<4", "numpy<2", "psycopg2-binary")

    @contextmanager
    def serving(self, url: str) -> Iterator[None]:
        """As ``doccano webserver`` and ``doccano task`` start it, but on 127.0.0.1 and with two workers."""
        self.fresh_folder()
        self.port = free_port()
        (backend,) = self.home.glob("lib/python*/site-packages/backend")
        database = url if url.startswith("postgres") else f"sqlite:///{self.folder}/db.sqlite3"
        env = self.environment(
            DOCCANO_HOME=str(self.folder),
            STANDALONE="True",
            DJANGO_SETTINGS_MODULE="config.settings.production",
            DATABASE_URL=f"{database}?sslmode=disable" if url.startswith("postgres") else database,
            MEDIA_ROOT=str(self.folder / "media"),
            SECRET_KEY=secrets.token_urlsafe(40),
            PYTHONPATH=str(backend),
        )
        self.env, self.backend = env, backend
        for command in (["init"], ["createuser", "--username", "admin", "--password", PASSWORD]):
            done = subprocess.run(  # noqa: S603 — its own program; run where its "config" is found first
                [self.program("doccano"), *command], env=env, cwd=backend, capture_output=True, text=True
            )
            if done.returncode:
                raise BenchError(done.stderr[-1500:])
        web = ["gunicorn", "config.wsgi", "--workers", "2", "--bind", f"127.0.0.1:{self.port}"]
        task = ["celery", "--app=config", f"--workdir={backend}", "worker", "--concurrency=2"]
        log = self.folder / "log"
        with ExitStack() as stack:
            started = stack.enter_context(
                running([self.program(web[0]), *web[1:]], env, log, self.port, cwd=str(backend))
            )
            stack.enter_context(running([self.program(task[0]), *task[1:]], env, log, cwd=str(backend)))
            self.roots = [started.pid]
            self.people: list[int] = []
            self.admin = self._signed_in("admin")
            yield

    def add_people(self, number: int) -> None:
        for turn in range(len(self.people), number):
            person = {"username": f"person{turn}", "password1": PASSWORD, "password2": PASSWORD}
            self.people.append(expect(self.admin.post_json("/v1/users/create", person), 201).json["id"])

    def add_project(
        self, pairs: Sequence[tuple[str, str]], target: int, members: int | None = None, **rules: bool
    ) -> int:
        """It knows no target: every member answers every text. All people are members, or so many."""
        project = {
            "name": f"Bench {secrets.token_hex(3)}",
            "description": "Bench",
            "guideline": "",
            "project_type": "DocumentClassification",
            "resourcetype": "TextClassificationProject",
            "single_class_classification": True,
            "tags": [],
        }
        pk = int(expect(self.admin.post_json("/v1/projects", project | rules), 201).json["id"])
        where = f"/v1/projects/{pk}"
        for key, label in enumerate(LABELS):
            kind = {
                "text": label,
                "suffix_key": str(key),
                "background_color": "#73D8FF",
                "text_color": "#ffffff",
            }
            expect(self.admin.post_json(f"{where}/category-types", kind), 201)
        roles = {role["name"]: role["id"] for role in self.admin.get("/v1/roles").json}
        for person in self.people[:members]:
            member = {"user": person, "role": roles["annotator"]}
            expect(self.admin.post_json(f"{where}/members", member), 201)
        self._upload(where, [f"{premise}\n{hypothesis}" for premise, hypothesis in pairs])
        return pk

    def add_answered(self, pairs: Sequence[tuple[str, str]], people: int) -> int:
        """Written by its own models: one person after another would click for an hour."""
        project = self.add_project(pairs, people, members=people)
        script = ANSWERED.format(project=project, people=self.people[:people])
        command = [str(self.home / "bin" / "python"), "-c", script]
        done = subprocess.run(command, env=self.env, cwd=self.backend, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            raise BenchError(done.stderr[-1500:])
        return project

    def annotators(self, project: int, number: int) -> list[Annotator]:
        return [DoccanoAnnotator(self, project, f"person{turn}") for turn in range(number)]

    def stored(self, project: int) -> int:
        """Each member's own count of what is confirmed."""
        total = 0
        for turn in range(len(self.people)):
            browser = self._signed_in(f"person{turn}")
            total += browser.get(f"/v1/projects/{project}/examples?confirmed=true&limit=1").json["count"]
        return total

    def _signed_in(self, name: str) -> Browser:
        browser = self.browser()
        sign_in(browser, name)
        return browser

    def _upload(self, where: str, texts: Sequence[str]) -> None:
        """By the import page's own steps: the file, then the task that reads it."""
        lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        border = secrets.token_hex(16)
        body = io.BytesIO()
        body.write(
            f'--{border}\r\nContent-Disposition: form-data; name="filepond"\r\n\r\n{{}}\r\n'
            f'--{border}\r\nContent-Disposition: form-data; name="filepond"; filename="pairs.jsonl"\r\n'
            f"Content-Type: application/json\r\n\r\n{lines}\r\n--{border}--\r\n".encode()
        )
        kind = {"Content-Type": f"multipart/form-data; boundary={border}"}
        sent = expect(self.admin.send("POST", "/v1/fp/process/", body.getvalue(), kind), 200)
        wanted = {
            "format": "JSONL",
            "task": "DocumentClassification",
            "uploadIds": [sent.body.decode().strip('"')],
            "column_data": "text",
            "column_label": "label",
            "delimiter": "",
            "encoding": "utf_8",
        }
        task = expect(self.admin.post_json(f"{where}/upload", wanted), 200).json["task_id"]
        self.wait_for(task)
        count = self.admin.get(f"{where}/examples?limit=1").json["count"]
        if count != len(texts):
            raise BenchError(f"doccano took {count} of {len(texts)} texts in")

    def wait_for(self, task: str) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self.admin.get(f"/v1/tasks/status/{task}").json
            if found["ready"]:
                if found.get("error"):
                    raise BenchError(f"doccano: {found['error']}")
                return
            time.sleep(0.05)
        raise BenchError("doccano's task does not end")

    def export(self, project: int, path: Path) -> int:
        """From the request to the file, in JSONL; returns its bytes."""
        where = f"/v1/projects/{project}/download"
        asked = self.admin.post_json(where, {"format": "JSONL", "exportApproved": False})
        task = expect(asked, 200).json["task_id"]
        self.wait_for(task)
        return path.write_bytes(expect(self.admin.get(f"{where}?taskId={task}"), 200).body)


def sign_in(browser: Browser, name: str) -> None:
    expect(browser.post_json("/v1/auth/login/", {"username": name, "password": PASSWORD}), 200)
    browser.headers["X-CSRFToken"] = browser.cookies["csrftoken"]


class DoccanoAnnotator(Annotator):
    """The steps of its page: the text and its labels are fetched; a label is set, and the labels are fetched
    again; the text is confirmed, and it and the progress are fetched again. Seven requests an answer; only
    the first two and the three that send are waited for in the table."""

    def __init__(self, program: Doccano, project: int, name: str) -> None:
        super().__init__(program.port)
        self.name, self.where, self.turn = name, f"/v1/projects/{project}", 0
        self.example = ""
        self.labels: list[int] = []

    def sign_in(self) -> None:
        sign_in(self.browser, self.name)
        self.labels = [kind["id"] for kind in self._get(f"{self.where}/category-types")]

    def begin(self) -> bool:
        return self.ask()

    def ask(self) -> bool:
        with self.waiting("next"):
            query = f"limit=1&offset={self.turn}&q=&confirmed=&ordering="
            found = self._get(f"{self.where}/examples?{query}")["results"]
            if not found:
                return False
            self.example = f"{self.where}/examples/{found[0]['id']}"
            self._get(f"{self.example}/categories")
        return True

    def label(self) -> bool:
        """Whether it was accepted."""
        value = {"label": self.labels[self.turn % 2]}
        return self.browser.post_json(f"{self.example}/categories", value).status == 201

    def answer(self) -> bool:
        with self.waiting("submit"):
            if not self.label():
                raise BenchError("doccano refused a label")
            self._get(f"{self.example}/categories")
            expect(self.browser.post_json(f"{self.example}/states", {}), 201)
        self._get(self.example)
        self._get(f"{self.where}/metrics/progress")
        self.turn += 1
        return self.ask()

    def _get(self, path: str) -> Any:
        return expect(self.browser.get(path), 200).json
