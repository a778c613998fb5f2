"""Label Studio 1.23: a choice for each pair, through the API that its labelling stream uses."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .browser import BenchError, Browser, expect
from .loop import Annotator
from .processes import free_port, running
from .rivals import PASSWORD, Rival

ADMIN = "admin@bench.example"
PAGE = """<View>
  <Text name="premise" value="$premise"/><Text name="hypothesis" value="$hypothesis"/>
  <Choices name="label" toName="hypothesis" choice="single">
    <Choice value="entailment"/><Choice value="non-entailment"/>
  </Choices>
</View>"""
LABELS = ("entailment", "non-entailment")


class LabelStudio(Rival):
    name = "Label Studio"
    requirements = ("label-studio==1.23.2",)

    @contextmanager
    def serving(self, url: str) -> Iterator[None]:
        """As ``label-studio start`` runs it: one process with a thread for each connection."""
        self.fresh_folder()
        self.port = free_port()
        env = self.environment(
            LABEL_STUDIO_BASE_DATA_DIR=str(self.folder / "data"),
            LABEL_STUDIO_USERNAME=ADMIN,
            LABEL_STUDIO_PASSWORD=PASSWORD,
            COLLECT_ANALYTICS="0",
            SENTRY_DSN="",
            FRONTEND_SENTRY_DSN="",
            LATEST_VERSION_CHECK="0",
            **(_postgres(url) if url.startswith("postgres") else {}),
        )
        command = [self.program("label-studio"), "start", "--no-browser", "--port", str(self.port)]
        command += ["--internal-host", "127.0.0.1", "--username", ADMIN, "--password", PASSWORD]
        with running(command, env, self.folder / "log", self.port, seconds=300) as started:
            self.roots = [started.pid]
            self.people = 0
            self.admin = self._signed_in(ADMIN)
            yield

    def add_people(self, number: int) -> None:
        for turn in range(self.people, number):
            browser = self.browser()
            page = expect(browser.get("/user/signup/"), 200)
            person = {
                "email": f"person{turn}@bench.example",
                "password": PASSWORD,
                "csrfmiddlewaretoken": page.csrf,
            }
            expect(browser.post("/user/signup/", person), 302)
        self.people = max(self.people, number)

    def add_project(self, pairs: Sequence[tuple[str, str]], target: int) -> int:
        tasks = [{"data": {"premise": premise, "hypothesis": hypothesis}} for premise, hypothesis in pairs]
        return self.add_tasks(tasks, target)

    def add_tasks(self, tasks: Sequence[dict[str, Any]], target: int) -> int:
        project = {
            "title": f"Bench {secrets.token_hex(3)}",
            "label_config": PAGE,
            "maximum_annotations": target,
        }
        pk = int(expect(self.admin.post_json("/api/projects", project), 201).json["id"])
        sent = expect(self.admin.post_json(f"/api/projects/{pk}/import", tasks), 201).json
        if sent["task_count"] != len(tasks):
            raise BenchError(f"Label Studio took {sent['task_count']} of {len(tasks)} pairs in")
        return pk

    def add_answered(self, pairs: Sequence[tuple[str, str]], people: int) -> int:
        """Its import takes answers along."""
        answers = [choice(LABELS[turn % 2]) for turn in range(people)]
        tasks = [
            {"data": {"premise": premise, "hypothesis": hypothesis}, "annotations": answers}
            for premise, hypothesis in pairs
        ]
        return self.add_tasks(tasks, people)

    def annotators(self, project: int, number: int) -> list[Annotator]:
        return [LabelStudioAnnotator(self, project, f"person{turn}@bench.example") for turn in range(number)]

    def stored(self, project: int) -> int:
        return int(self.admin.get(f"/api/projects/{project}").json["total_annotations_number"])

    def beyond(self, project: int, target: int) -> int:
        """How many of the tasks have more answers than they want, out of its own export."""
        tasks = expect(self.admin.get(f"/api/projects/{project}/export?exportType=JSON"), 200).json
        return sum(len(task["annotations"]) > target for task in tasks)

    def export(self, project: int, path: Path) -> int:
        """From the request to the file, in JSON; returns its bytes."""
        got = expect(self.admin.get(f"/api/projects/{project}/export?exportType=JSON"), 200)
        return path.write_bytes(got.body)

    def _signed_in(self, email: str) -> Browser:
        browser = self.browser()
        sign_in(browser, email)
        return browser


def _postgres(url: str) -> dict[str, str]:
    parts = urlsplit(url)
    return {
        "DJANGO_DB": "default",
        "POSTGRE_NAME": parts.path.lstrip("/"),
        "POSTGRE_USER": parts.username or "",
        "POSTGRE_PASSWORD": parts.password or "",
        "POSTGRE_HOST": parts.hostname or "",
        "POSTGRE_PORT": str(parts.port or 5432),
    }


def choice(label: str) -> dict[str, Any]:
    """An answer as its page sends it."""
    value = {"from_name": "label", "to_name": "hypothesis", "type": "choices", "value": {"choices": [label]}}
    return {"result": [value], "lead_time": 1.0}


def sign_in(browser: Browser, email: str) -> None:
    page = expect(browser.get("/user/login/"), 200)
    fields = {"email": email, "password": PASSWORD, "csrfmiddlewaretoken": page.csrf}
    expect(browser.post("/user/login/", fields), 302)
    browser.headers["X-CSRFToken"] = browser.cookies["csrftoken"]


class LabelStudioAnnotator(Annotator):
    """The labelling stream: the next task is asked for, its answer sent. Two requests an answer."""

    def __init__(self, program: LabelStudio, project: int, email: str) -> None:
        super().__init__(program.port)
        self.email, self.project, self.turn, self.task = email, project, 0, 0

    def sign_in(self) -> None:
        sign_in(self.browser, self.email)

    def begin(self) -> bool:
        return self.ask()

    def ask(self) -> bool:
        with self.waiting("next"):
            found = self.browser.post_json(f"/api/dm/actions?id=next_task&project={self.project}", {})
        if found.status == 404:
            return False
        self.task = int(expect(found, 200).json["id"])
        return True

    def label(self) -> bool:
        """Whether it was accepted."""
        where = f"/api/tasks/{self.task}/annotations?project={self.project}"
        return self.browser.post_json(where, choice(LABELS[self.turn % 2])).status == 201

    def answer(self) -> bool:
        with self.waiting("submit"):
            if not self.label():
                raise BenchError("Label Studio refused an answer")
        self.turn += 1
        return self.ask()
