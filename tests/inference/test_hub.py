"""Fetching a model from a hub, over real HTTP from a small server of the test's own."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ValidationError

from apps.inference.hub import hub_fetch_start, hub_folder
from apps.jobs.models import Job
from workers import hub as fetching

REVISION = "0123456789" * 4
FILES = {
    "config.json": json.dumps({"id2label": {"0": "entailment", "1": "neutral"}}).encode(),
    "model.safetensors": bytes(range(256)) * 40,
    "tokenizer.json": b"{}",
    "pytorch_model.bin": b"pickled",
    "modeling_own.py": b"print('code')",
    "onnx/config.json": b"{}",
}


class Hub(BaseHTTPRequestHandler):
    files = FILES
    asked: list[tuple[str, str]] = []
    lies = False

    def do_GET(self):
        path = urlsplit(self.path).path
        type(self).asked.append((path, self.headers.get("Range", "")))
        if path == f"/api/models/owner/name/revision/{REVISION}":
            siblings = [
                {
                    "rfilename": name,
                    "size": len(content),
                    **({"lfs": {"sha256": self._digest(content)}} if name.endswith("safetensors") else {}),
                }
                for name, content in self.files.items()
            ]
            return self._answer(200, json.dumps({"sha": REVISION, "siblings": siblings}).encode())
        if path.startswith(f"/owner/name/resolve/{REVISION}/"):  # as the hub does, elsewhere
            return self._answer(302, b"", Location="/files/" + path.rpartition("/")[2])
        if path.startswith("/files/"):
            first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
            return self._answer(206, self.files[path.removeprefix("/files/")][first : last + 1])
        return self._answer(404, b"")

    def _digest(self, content):
        return hashlib.sha256(b"other" if self.lies else content).hexdigest()

    def _answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def hub(settings, monkeypatch):
    monkeypatch.setattr(Hub, "asked", [])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.MODEL_HUB = f"http://127.0.0.1:{server.server_port}"
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(fetching, "RANGE", 4096)
    yield Hub
    server.shutdown()
    server.server_close()


def fetch(study, **fields):
    fields = {"hub": "owner/name", "revision": REVISION, **fields}
    return hub_fetch_start(study=study, actor=None, **fields)


def worked(job, work):
    work()
    job.refresh_from_db()
    return job


def test_weights_tokenizer_and_configuration_come_and_nothing_else(study, hub, work):
    job = worked(fetch(study), work)
    assert job.state == Job.State.DONE, job.error
    folder = hub_folder("owner/name", REVISION)
    assert job.result == {"folder": f"hub/owner--name@{REVISION[:12]}"}
    wanted = ["config.json", "model.safetensors", "tokenizer.json"]
    assert sorted(path.name for path in folder.iterdir()) == wanted
    assert all((folder / name).read_bytes() == FILES[name] for name in wanted)
    with pytest.raises(ValidationError, match="there already"):
        fetch(study)


def test_a_worker_that_was_killed_goes_on_where_the_file_ends(study, hub, work):
    draft = hub_folder("owner/name", REVISION).with_name(f".owner--name@{REVISION[:12]}.part")
    draft.mkdir(parents=True)
    (draft / "model.safetensors").write_bytes(FILES["model.safetensors"][:5000])
    assert worked(fetch(study), work).state == Job.State.DONE
    ranges = [asked for path, asked in hub.asked if path == "/files/model.safetensors"]
    assert ranges[0] == "bytes=5000-9095"


def test_a_file_that_came_differently_is_refused(study, hub, work, monkeypatch):
    monkeypatch.setattr(hub, "lies", True)
    job = worked(fetch(study), work)
    assert (job.state, "came differently" in job.error) == (Job.State.FAILED, True)
    assert not hub_folder("owner/name", REVISION).exists()


def test_pickled_weights_alone_are_refused(study, hub, work, monkeypatch):
    monkeypatch.setattr(hub, "files", {name: FILES[name] for name in ("config.json", "pytorch_model.bin")})
    assert "no safetensors weights" in worked(fetch(study), work).error


def test_what_the_hub_does_not_have_is_said(study, hub, work):
    assert worked(fetch(study, hub="owner/other"), work).error == "The hub answers 404."


def test_a_hub_that_is_not_there_is_said_to_be(study, hub, work, settings):
    settings.MODEL_HUB = "http://127.0.0.1:1"
    job = worked(fetch(study), work)
    assert job.state == Job.State.FAILED and job.error.startswith("The hub cannot be reached: ")


def test_a_host_that_is_not_allowed_is_asked_nothing(study, hub, settings):
    settings.OUTBOUND_HOSTS = []
    with pytest.raises(ValidationError, match=r"may not speak to 127\.0\.0\.1"):
        fetch(study)
    assert hub.asked == []


def test_without_the_setting_nothing_is_fetched(study, settings, client_of, ada):
    settings.MODEL_HUB = ""
    with pytest.raises(ValidationError, match="POLARLAB_MODEL_HUB"):
        fetch(study)
    page = client_of(ada).get(f"/s/{study.slug}/models/fetch/").content.decode()
    assert "This server fetches no models" in page


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"revision": "main"}, "revision"),
        ({"revision": "0" * 39}, "revision"),
        ({"hub": "../../etc"}, "hub"),
        ({"hub": "a/b/c"}, "hub"),
        ({"hub": ""}, "hub"),
    ],
)
def test_a_name_or_revision_that_is_none_is_refused(study, hub, fields, named):
    with pytest.raises(ValidationError) as refused:
        fetch(study, **fields)
    assert list(refused.value.error_dict) == [named]
    assert not Job.objects.exists()
