"""A chat model's server on this machine: it speaks as OpenAI's does, and says what a test has it say."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-0123456789abcdef"


def completion(
    text: str | None,
    *,
    probabilities: list[tuple[str, dict[str, float]]] | None = None,
    usage: tuple[int, int] | None = (100, 1),
    finish: str = "stop",
    refusal: str | None = None,
) -> dict[str, Any]:
    """An answer. ``probabilities`` has each token with those that could have stood in its place."""
    made: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": refusal},
                "finish_reason": finish,
                "logprobs": None,
            }
        ],
    }
    if probabilities is not None:
        made["choices"][0]["logprobs"] = {
            "content": [
                {
                    "token": token,
                    "logprob": -0.1,
                    "bytes": None,
                    "top_logprobs": [
                        {"token": other, "logprob": math.log(share), "bytes": None}
                        for other, share in others.items()
                    ],
                }
                for token, others in probabilities
            ]
        }
    if usage is not None:
        made["usage"] = {
            "prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)
        }  # fmt: skip
    return made


class Reply:
    """What comes back: a status, a body (JSON unless it is bytes), headers, after a pause in seconds."""

    def __init__(self, status: int, body: Any = b"", pause: float = 0.0, **headers: str) -> None:
        self.status = status
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.pause = pause
        self.headers = {"Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }


def error(status: int, message: str, code: str = "", **headers: str) -> Reply:
    return Reply(status, {"error": {"message": message, "code": code, "type": "error"}}, **headers)


class ChatServer:
    """Answers with ``script``, one reply a request, and then with ``says`` of the pair's hypothesis (which
    may be a text, or a :class:`Reply`), unless it ``refuses`` the request. ``asked`` has the bodies of all
    requests, ``keys`` the keys."""

    def __init__(self) -> None:
        self.script: list[Reply | dict[str, Any]] = []
        self.says: Callable[[str], Any] = lambda hypothesis: "yes"
        self.refuses: Callable[[dict[str, Any]], Reply | None] = lambda body: None
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.address = ""
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()

    @property
    def hypotheses(self) -> list[str]:
        """Of what pairs it was asked, in order."""
        return [hypothesis_of(body) for body in self.asked]

    @contextmanager
    def listening(self) -> Iterator[ChatServer]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self) -> None:
                with suppress(ConnectionError):
                    super().handle()

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = outer.reply_to(self.path, body, self.headers.get("Authorization", ""))
                time.sleep(reply.pause)
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                with outer._lock:
                    outer._at_once -= 1

            def log_message(self, *words: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        self.address = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def reply_to(self, path: str, body: dict[str, Any], authorization: str) -> Reply:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self.asked.append(body)
            self.keys.append(authorization.removeprefix("Bearer "))
            if path != "/v1/chat/completions":
                return error(404, f"no {path} here")
            said = self.refuses(body)
            if said is None:
                said = self.script.pop(0) if self.script else self.says(hypothesis_of(body))
        if isinstance(said, str):
            said = completion(said)
        return said if isinstance(said, Reply) else Reply(200, said)


def hypothesis_of(body: dict[str, Any]) -> str:
    """The hypothesis in the last message of a shipped template."""
    (line,) = [
        line for line in body["messages"][-1]["content"].split("\n") if line.startswith("Hypothesis: ")
    ]
    return line.removeprefix("Hypothesis: ")
