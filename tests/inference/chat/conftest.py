"""A server that answers, a model of it, and a run over the five pairs."""

from __future__ import annotations

import pytest

from config.environment import ChatKey
from tests.inference.chat.server import KEY, ChatServer
from workers.runtimes import chat_server


@pytest.fixture
def server(settings, monkeypatch):
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    settings.CHAT_KEYS = [ChatKey("lab", "127.0.0.1", None, "", KEY)]
    monkeypatch.setattr(chat_server, "FIRST_WAIT", 0.01)
    with ChatServer().listening() as server:
        yield server


@pytest.fixture
def register(study, ada, server):
    """A chat model of the server."""
    from apps.inference.chat.registration import model_register_chat

    def make(name="tiny", **fields):
        asked = {"server": server.address, "server_model": "tiny", "template": "two-way-1", "key": "lab"}
        return model_register_chat(study=study, actor=ada, name=name, **{**asked, **fields})

    return make


@pytest.fixture
def start(ada, dataset):
    """A run of a model over a dataset; the five pairs unless another is given."""
    from apps.inference.services import run_start

    def begin(model, over=None, **budget):
        return run_start(model=model, dataset=over or dataset, actor=ada, **budget)

    return begin


@pytest.fixture
def go(server):
    """Work on a run's job once, as a worker does; returns the job as it is then."""
    from apps.jobs.runner import run as run_job

    def once(run):
        run_job(run.job_id)
        run.job.refresh_from_db()
        return run.job

    return once
