"""What the health checks of the containers call well, and how they say what is not."""

import os
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from config import health


@pytest.fixture
def server():
    """A server that answers ``/health/`` for polarlab.example alone, as Django does."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.path == "/health/" and self.headers["Host"] == "polarlab.example"
            self.send_response(200 if known else 400)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_web_asks_under_a_name_that_the_server_accepts(server, monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "polarlab.example,other.example")
    health.web(server)
    monkeypatch.setenv("ALLOWED_HOSTS", "other.example")
    with pytest.raises(health.Unwell, match="answers with 400"):
        health.web(server)


def test_web_says_that_nothing_answers(server):
    host, port = server.split(":")
    with pytest.raises(health.Unwell, match="does not answer"):
        health.web(f"{host}:{'1' if port != '1' else '2'}")


@pytest.mark.parametrize(
    ("age", "complaint"), [(None, "no beat-schedule"), (10, None), (1000, "last written 1000 s ago")]
)
def test_beat_is_well_while_it_writes_its_schedule(age, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("POLARLAB_VAR", str(tmp_path))
    if age is not None:
        for suffix in ("dat", "dir"):
            file = tmp_path / f"beat-schedule.{suffix}"
            file.touch()
            os.utime(file, (time.time() - age,) * 2)
    assert health.main("beat") == (1 if complaint else 0)
    printed = capsys.readouterr().err
    assert complaint in printed if complaint else printed == ""
