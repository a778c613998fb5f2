"""The embedded broker: a message is seen whole or not at all."""

import multiprocessing
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue

MESSAGES = 100


def connection(folder: Path) -> Connection:
    import config.celery  # noqa: F401  (names the transport)

    for name in ("messages", "control"):
        (folder / name).mkdir(exist_ok=True)
    options = {
        "data_folder_in": str(folder / "messages"),
        "data_folder_out": str(folder / "messages"),
        "control_folder": str(folder / "control"),
    }
    return Connection("files://localhost", transport_options=options)


def send(folder: Path, count: int) -> None:
    queue = Queue("celery", Exchange("celery"), routing_key="celery")
    with connection(folder) as open_connection:
        producer = open_connection.Producer()
        for number in range(count):
            producer.publish(
                {"number": number, "padding": "x" * 5000}, exchange=queue.exchange, routing_key="celery",
                declare=[queue],
            )  # fmt: skip


def test_a_reader_beside_two_writers_gets_every_message_whole(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=send, args=(tmp_path, MESSAGES // 2)) for _ in range(2)]
    for writer in writers:
        writer.start()
    got = 0
    with connection(tmp_path) as open_connection:
        queue = open_connection.SimpleQueue("celery")
        while got < MESSAGES:
            message = queue.get(timeout=30)
            assert len(message.payload["padding"]) == 5000
            message.ack()
            got += 1
    for writer in writers:
        writer.join()


def test_half_written_files_are_never_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is on its way has a name that no queue looks for."""
    monkeypatch.setattr(Path, "replace", lambda beside, path: None)
    with connection(tmp_path) as open_connection:
        channel = open_connection.channel()
        channel._put("celery", {"id": "1"})
        assert [file.name[0] for file in (tmp_path / "messages").iterdir()] == ["."]
        with pytest.raises(Empty):
            channel._get("celery")
