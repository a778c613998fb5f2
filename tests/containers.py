"""The whole Compose file, tried as a host would: ``make containers``.

Builds the image, starts every service under a project, volumes and a port of their own, waits until each
calls itself well, signs in, parses three sentences, publishes a release, restarts each service once and
publishes another after it, and takes everything down. Needs a container engine with Compose, and nothing
but Python. Prints a line for each step; the first that goes wrong ends it with 1 and the services' last
lines.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROJECT = "polarlab-check"
HOST = "polarlab.example"
PATIENCE_SECONDS = 240
STAY = ("postgres", "redis", "web", "worker", "beat")
SENTENCES = "No dogs bark.\nEvery cat that sleeps dreams.\nAt most six children ran.\n"
PAIRS = (
    "premise\thypothesis\tlabel\n"
    "No dogs bark.\tNo small dogs bark.\tentailment\n"
    "Some dogs bark.\tSome small dogs bark.\tneutral\n"
    "Every cat dreams.\tEvery old cat dreams.\tentailment\n"
)


class Failed(Exception):
    """A step that did not come out right, and how."""


def main() -> int:
    with compose_project() as project:
        try:
            with step("build the image"):
                project.engine("build", "--network", "host", "--tag", "polarlab", ".")
            with step("start"):
                project("up", "--detach", "--no-build")
            for service in STAY:
                with step(f"{service} is well"):
                    project.wait_until_well(service)
            with step("sign in"):
                site = Site(project.port)
                site.register(project("exec", "-T", "web", "python", "manage.py", "invite"))
            with step("parse three sentences"):
                parse_three(site)
            with step("publish a release"):
                dataset = bring_pairs(site)
                release(site, dataset)
            for service in STAY:
                with step(f"restart {service}, and publish another"):
                    project("restart", service)
                    for other in STAY:
                        project.wait_until_well(other)
                    release(site, dataset)
            with step("the doctor finds nothing"):
                project("exec", "-T", "web", "python", "manage.py", "doctor")
        except Failed as error:
            print(f"\n{error}\n", project("logs", "--tail", "40"), sep="\n", file=sys.stderr)
            return 1
    print("All of it works.")
    return 0


@contextmanager
def step(what: str) -> Iterator[None]:
    print(f"{what:44}", end="", flush=True)
    began = time.monotonic()
    try:
        yield
    except (Failed, OSError, ValueError, KeyError) as error:
        print("failed")
        raise Failed(f"{what}: {type(error).__name__}: {error}") from error
    print(f"{time.monotonic() - began:6.1f} s")


# ---- The engine ----------------------------------------------------------------------------------
class Project:
    """Docker Compose on a copy of the file that has no name, so that nothing of a real installation is
    touched (and that a Compose of before names can read it)."""

    def __init__(self, file: Path) -> None:
        self.docker = shutil.which("docker") or sys.exit("No docker here: make containers needs an engine.")
        with_plugin = subprocess.run([self.docker, "compose", "version"], capture_output=True, check=False)
        compose = [self.docker, "compose"] if not with_plugin.returncode else [shutil.which("docker-compose")]
        if not compose[0]:
            sys.exit("No Compose here: install the plugin, or docker-compose.")
        self._compose = [*compose, "-p", PROJECT, "-f", str(file), "--project-directory", str(ROOT)]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._environment = {
            "COMPOSE_HTTP_TIMEOUT": "900",  # engines that copy whole images take minutes for one container
            **os.environ,
            "SECRET_KEY": secrets.token_hex(48),
            "POSTGRES_PASSWORD": secrets.token_hex(16),
            "PUBLIC_URL": f"https://{HOST}",
            "PORT": str(self.port),
            "COMPOSE_PROGRESS": "quiet",
        }

    def __call__(self, *arguments: str) -> str:
        return self._run([*self._compose, *arguments])

    def engine(self, *arguments: str) -> str:
        return self._run([self.docker, *arguments])

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=3600,
        )
        if done.returncode:
            raise Failed(f"{' '.join(command[-4:])}: {(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def wait_until_well(self, service: str) -> None:
        container = self("ps", "--quiet", service).strip()
        deadline = time.monotonic() + PATIENCE_SECONDS
        said = ""
        while time.monotonic() < deadline:
            said = self.engine("inspect", "--format", "{{.State.Health.Status}}", container).strip()
            if said == "healthy":
                return
            time.sleep(1)
        raise Failed(f"{service} is {said} after {PATIENCE_SECONDS} s")


@contextmanager
def compose_project() -> Iterator[Project]:
    text = re.sub(r"^name:.*$", "", (ROOT / "docker-compose.yml").read_text(), flags=re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "docker-compose.yml"
        file.write_text(text)
        project = Project(file)
        project("down", "--volumes", "--timeout", "20")
        try:
            yield project
        finally:
            project("down", "--volumes", "--timeout", "20")


# ---- The product, through its pages and its API -----------------------------------------------------
class Site:
    """A browser of sorts, and a token, at the web container's port; as its proxy, it speaks for https."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"
        self._headers = {"Host": HOST, "X-Forwarded-Proto": "https", "Referer": f"https://{HOST}/"}
        policy = DefaultCookiePolicy(secure_protocols=("http", "https"))
        self._jar = CookieJar(policy)
        self._open = urllib.request.build_opener(
            NoRedirect, urllib.request.HTTPCookieProcessor(self._jar)
        ).open

    def register(self, link: str) -> None:
        """Accept an invitation, and make a token."""
        path = urllib.parse.urlsplit(link.strip().splitlines()[-1])
        if path.netloc != HOST:
            raise Failed(f"the invitation leads to {path.netloc}")
        person = {"name": "Host", "email": "host@example.org", "password": "a long pass phrase"}
        self.form(path.path, person)
        self.form("/profile/", {"name": "check", "scopes": ["write", "people", "release"]})
        found = re.search(r'id="secret"[^>]*>\s*([^<\s]+)', self.page("/profile/"))
        if not found:
            raise Failed("no token on the page")
        self._headers["Authorization"] = f"Bearer {found[1]}"

    def page(self, path: str) -> str:
        with self._open(urllib.request.Request(self._base + path, headers=self._headers)) as answer:
            return str(answer.read().decode())

    def form(self, path: str, fields: dict[str, Any]) -> None:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.page(path))
        data = urllib.parse.urlencode(
            {**fields, "csrfmiddlewaretoken": token[1] if token else ""}, doseq=True
        )
        request = urllib.request.Request(self._base + path, data.encode(), self._headers)
        with self._open(request) as answer:
            if answer.status != 302:
                raise Failed(f"{path}: {answer.status}, where the form should have been taken")

    def api(self, method: str, path: str, body: object = None) -> Any:
        url = self._base + (path if path.startswith("/") else f"/api/v1/{path}")
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
            return json.load(answer) if "json" in answer.headers["Content-Type"] else answer.read()

    def until(self, path: str, is_done: Callable[[Any], bool]) -> Any:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_done(found := self.api("GET", path)):
            if time.monotonic() > deadline:
                raise Failed(f"{path} is not done after {PATIENCE_SECONDS} s: {found}")
            time.sleep(1)
        return found

    def job(self, number: int) -> None:
        job = self.until(f"jobs/{number}/", lambda job: job["is_over"])
        if job["state"] != "done" or job["failed"]:
            raise Failed(f"job {number}: {job}")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Redirects lead to the public name, which only a proxy serves; they are read, not followed."""

    def http_error_302(self, request: Any, answer: Any, *rest: Any) -> Any:
        return answer


def parse_three(site: Site) -> None:
    study = site.api("POST", "studies/", {"name": "Containers"})["slug"]
    text = {"study": study, "name": "Three", "licence": "CC0", "source": "ourselves", "text": SENTENCES}
    draft = site.api("POST", "corpus-drafts/", text)
    corpus = site.api("POST", f"corpus-drafts/{draft['id']}/commit/", {})["corpus"]
    site.job(site.api("POST", f"corpora/{corpus}/parse/", {})["id"])
    blanks = site.api("POST", "blank-sets/", {"study": study, "name": "All", "filters": {}})
    if not blanks["id"]:
        raise Failed("no blanks")


def bring_pairs(site: Site) -> int:
    draft = site.api(
        "POST",
        "pair-drafts/",
        {"study": "containers", "name": "Pairs", "text": PAIRS, "file_name": "pairs.tsv"},
    )
    draft = site.until(f"pair-drafts/{draft['id']}/", lambda found: found["state"] != "reading")
    site.api("POST", f"pair-drafts/{draft['id']}/commit/", {})
    draft = site.until(f"pair-drafts/{draft['id']}/", lambda found: found["state"] == "committed")
    return int(draft["dataset"])


def release(site: Site, dataset: int) -> None:
    made = site.api("POST", "releases/", {"dataset": dataset, "rule": "file"})
    site.job(made["job"])
    made = site.api("GET", f"releases/{made['id']}/")
    archive = site.api("GET", urllib.parse.urlsplit(made["download"]).path)
    if archive[:2] != b"PK":
        raise Failed(f"the archive begins with {archive[:20]!r}")


if __name__ == "__main__":
    sys.exit(main())
