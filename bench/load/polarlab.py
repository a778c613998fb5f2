"""Polarlab: gunicorn as the Dockerfile starts it, and annotators who do what the pages do."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .browser import BenchError, expect
from .loop import Annotator, Measured, measure
from .processes import free_port, memory_mb, running

ROOT = Path(__file__).resolve().parents[2]
WORKER_STARTS = 8
ANSWERS = ("entailment", "non-entailment")
_OPEN = re.compile(rb'<form[^>]* action="([^"]+)"[^>]*data-open="yes"')
_INSTRUCTIONS = re.compile(rb'id="instructions" data-version="([^"]+)"')


@dataclass
class Installation:
    """A database and a folder that one or more measurements use."""

    kind: str
    env: dict[str, str]
    database: str
    folder: Path
    gunicorn: str = ""

    def do(self, task: str, **parameters: Any) -> Any:
        """One task of study.py, in a process of its own."""
        command = [sys.executable, "-m", "bench.load.study", task, json.dumps(parameters)]
        done = subprocess.run(command, env=self.env, cwd=ROOT, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            raise BenchError(done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    @contextmanager
    def working(self) -> Iterator[None]:
        """A worker, as in docker-compose.yml, that is ready."""
        celery = [sys.executable, "-m", "celery", "--app", "config"]
        command = [*celery, "worker", "--concurrency", "1", "--loglevel", "WARNING"]
        with running(command, self.env, self.folder / "worker.log", cwd=str(ROOT)):
            time.sleep(WORKER_STARTS)
            yield

    @contextmanager
    def serving(self) -> Iterator[tuple[int, int]]:
        """The server, as (its port, the process above its workers)."""
        port = free_port()
        _name, *given = _docker_command()
        given[given.index("--bind") + 1] = f"127.0.0.1:{port}"
        command = [str(Path(sys.executable).with_name("gunicorn")), *given, *self.gunicorn.split()]
        log = self.folder / "gunicorn.log"
        with running(command, self.env, log, port, cwd=str(ROOT)) as process:
            yield port, process.pid


def _docker_command() -> list[str]:
    """The Dockerfile's CMD."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return json.loads(text[text.rindex("CMD [") + 4 :])


def installation(kind: str, url: str, database: str, folder: Path, gunicorn: str = "") -> Installation:
    """As in production, on one of the two databases; REDIS_URL is used where it is set, with PostgreSQL."""
    env = {name: value for name, value in os.environ.items() if name != "REDIS_URL" or kind == "postgresql"}
    env |= {
        "POLARLAB_ENV": "production",
        "POLARLAB_VAR": str(folder / f"var-{kind}"),
        "DATABASE_URL": url,
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "127.0.0.1",
        "PUBLIC_URL": "http://127.0.0.1",
        "SSL_REDIRECT": "0",
        "LOG_LEVEL": "WARNING",
    }
    made = Installation(kind, env, database, folder, gunicorn)
    made.do("migrate")
    return made


class PolarlabAnnotator(Annotator):
    """Signs in by a link. With ``script`` as work.js does it: the answer goes out with Polarlab-Inline and
    the next card is in the response. Without: a redirect, and the card by a request of its own."""

    def __init__(self, port: int, link: str, campaign: int, *, script: bool) -> None:
        super().__init__(port)
        self.link, self.campaign, self.script = link, campaign, script
        self.address, self.csrf, self.version, self.turn = "", "", "yes", 0
        self.seen: set[str] = set()

    def sign_in(self) -> None:
        page = expect(self.browser.get(f"/link/{self.link}/"), 200)
        expect(self.browser.post(f"/link/{self.link}/", {"csrfmiddlewaretoken": page.csrf}), 302)

    def begin(self) -> bool:
        """As the link on the page of one's work leads to it."""
        start = f"/work/{self.campaign}/"
        found = expect(self.browser.get(start), 200, 302)
        if found.status == 200 and f"{start}begin/".encode() in found.body:
            expect(self.browser.post(f"{start}begin/", {"csrfmiddlewaretoken": found.csrf}), 302)
            found = expect(self.browser.get(start), 200, 302)
        return found.status == 302 and self._card(found.headers["Location"])

    def answer(self) -> bool:
        answer = ANSWERS[self.turn % 2]
        self.turn += 1
        fields = {"csrfmiddlewaretoken": self.csrf, "answer": answer}
        headers = {"Polarlab_Inline": self.version} if self.script else {}
        with self.waiting("submit"):
            sent = expect(self.browser.post(self.address, fields, **headers), 200, 302)
        if sent.status == 200:
            return self._take(sent.headers["Polarlab-Address"] or "", sent.body, sent.csrf)
        onward = sent.headers["Location"]
        return onward != f"/work/{self.campaign}/" and self._card(onward)

    def _card(self, address: str) -> bool:
        with self.waiting("next"):
            page = expect(self.browser.get(address), 200)
        return self._take(address, page.body, page.csrf)

    def _take(self, address: str, body: bytes, csrf: str) -> bool:
        """Every response must hold a card that waits, and one that was not there before."""
        form = _OPEN.search(body)
        if not form or form.group(1).decode() != address or address in self.seen:
            raise BenchError(f"no new card at {address!r}: {body[:300]!r}")
        self.seen.add(address)
        if instructions := _INSTRUCTIONS.search(body):
            self.version = instructions.group(1).decode()
        self.address, self.csrf = address, csrf
        return True


def load(
    place: Installation, made: dict[str, Any], seconds: float, *, script: bool = True, name: str = "Polarlab"
) -> Measured:
    """One row: a server of its own for the campaign and the links in ``made``, the loop, and what the
    database says then."""
    before = place.do("kept", campaigns=[made["campaign"]])[0]
    with place.serving() as (port, process):
        people = [PolarlabAnnotator(port, link, made["campaign"], script=script) for link in made["links"]]
        name = name if script else f"{name}, no script"
        row = measure(
            people, program=name, database=place.kind, meter=([process], place.database), seconds=seconds
        )
        row.memory = memory_mb([process])
    row.check = verdict(place.do("check", campaign=made["campaign"]), row.accepted + before)
    return row


def campaign(place: Installation, dataset: int, annotators: int) -> dict[str, Any]:
    """A fresh one over the dataset, three answers an item, for :func:`load`."""
    name = f"Load {secrets.token_hex(4)}"
    return place.do("campaign", dataset=dataset, target=3, annotators=annotators, name=name)


def verdict(stored: dict[str, Any], accepted: int) -> str:
    """``ok``, or what is wrong with what is stored."""
    wrong = [f"{stored[name]} {name}" for name in ("surplus", "beyond", "miscounted") if stored[name]]
    if stored["stored"] != accepted:
        wrong.append(f"{accepted} accepted, {stored['stored']} stored")
    return ", ".join(wrong) or "ok"
