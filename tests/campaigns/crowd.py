"""A real server, a crowd of annotators at its pages, and an instrument in the database that sees each grant.

Nothing here knows the program from inside: annotators follow links and send forms over HTTP, and the
instrument is a trigger of PostgreSQL's. Everything stays on 127.0.0.1.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.db import connection

LABELS = ("entailment", "non-entailment", "unnatural")
PATIENCE = 30  # seconds until an answer that doesn't come counts as lost

# A grant: the row is somebody's from now on, and was not before. The item's lock makes grants that did
# not take it wait here, so that the count sees those before; a fresh statement counts.
TRIGGER = """
CREATE TABLE seen_grant (assignment bigint, item bigint, counted int, live int, wanted int);
CREATE FUNCTION see_grant() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE has int; wants int; test boolean; held int;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.state = 'leased' AND OLD.expires_at > clock_timestamp() THEN
    RETURN NULL;
  END IF;
  SELECT is_test INTO test FROM campaigns_item WHERE id = NEW.item_id;
  IF test THEN  -- as many as are drawn; nobody locks its item
    INSERT INTO seen_grant VALUES (NEW.id, NEW.item_id, 0, 0, 0);
    RETURN NULL;
  END IF;
  SELECT counted, wanted INTO has, wants FROM campaigns_item WHERE id = NEW.item_id FOR NO KEY UPDATE;
  SELECT count(*) INTO held FROM campaigns_assignment
    WHERE item_id = NEW.item_id AND state = 'leased' AND expires_at > clock_timestamp();
  INSERT INTO seen_grant VALUES (NEW.id, NEW.item_id, has, held, wants);
  RETURN NULL;
END $$;
CREATE TRIGGER see_grant AFTER INSERT OR UPDATE ON campaigns_assignment FOR EACH ROW
  WHEN (NEW.state = 'leased' AND NEW.expires_at > clock_timestamp()) EXECUTE FUNCTION see_grant();
"""
GONE = """
DROP TRIGGER IF EXISTS see_grant ON campaigns_assignment;
DROP FUNCTION IF EXISTS see_grant();
DROP TABLE IF EXISTS seen_grant;
"""


@contextlib.contextmanager
def every_grant_seen() -> Iterator[None]:
    """Have PostgreSQL itself write every grant down, with what the item had and wanted at that moment."""
    with connection.cursor() as cursor:
        cursor.execute(GONE + TRIGGER)  # one that was killed leaves it behind
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(GONE)


def grants() -> int:
    return int(_one("SELECT count(*) FROM seen_grant"))


def grants_beyond() -> int:
    """How many grants made counted answers and live leases more than the target in force."""
    return int(_one("SELECT count(*) FROM seen_grant WHERE counted + live > wanted"))


def _one(question: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(question)
        (found,) = cursor.fetchone()
        return int(found)


class Server:
    """gunicorn with two workers on the tests' own database."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        at = connection.settings_dict
        user = at["USER"] + (f":{at['PASSWORD']}" if at["PASSWORD"] else "")
        kept = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
        self._environment = kept | {
            "DATABASE_URL": f"postgres://{user}@{at['HOST']}:{at['PORT'] or 5432}/{at['NAME']}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "ERROR",
            "POLARLAB_VAR": str(folder),
            "SECRET_KEY": settings.SECRET_KEY,
        }
        self.log = folder / "server.log"
        self._master: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{self.port}"]
        command += ["--workers", "2", "--threads", "8", "--no-control-socket", "--log-level", "error"]
        with self.log.open("ab") as log:
            self._master = subprocess.Popen(
                command,
                cwd=settings.BASE_DIR,
                env=self._environment,
                start_new_session=True,
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 300
        while not self._answers():
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def kill_a_worker(self, chance: random.Random) -> bool:
        """SIGKILL one of the workers; gunicorn starts another. False while none is there."""
        assert self._master
        children = Path(f"/proc/{self._master.pid}/task/{self._master.pid}/children").read_text().split()
        if not children:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(chance.choice(children)), signal.SIGKILL)
        return True

    def kill(self) -> None:
        """SIGKILL all of it, master and workers, as when the machine loses its power."""
        if self._master:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._master.pid, signal.SIGKILL)
            self._master.wait()
            self._master = None


class Annotator:
    """Somebody with a browser: takes cards, answers, now and then twice, changes their mind, walks away."""

    def __init__(self, port: int, start: str, cookies: str = "", seed: int = 0) -> None:
        self.port, self.start, self.cookies = port, start, cookies
        self.chance = random.Random(seed)
        self.said: dict[int, list[str]] = {}  # by assignment
        self.confirmed: set[int] = set()
        self.unsure: set[int] = set()  # a request may come late, so that an earlier answer stands at the end
        self.lost = self.repeated = self.changed = self.walked_away = self.nothing = 0
        self.odd: list[str] = []
        self._line: http.client.HTTPConnection | None = None

    def work(self, over: threading.Event) -> None:
        while not over.is_set():
            place, page = self._get(self.start)
            if f"{self.start}begin/" in page:
                self._ask("POST", f"{self.start}begin/", "")
                continue
            names = re.findall(r'name="(answer(?:-(\d+))?)"', page)
            if not names:
                self.nothing += 1
                over.wait(self.chance.uniform(1, 6))
                continue
            self._at_card(place, {name: int(pk or place.split("/")[-2]) for name, pk in names})

    def _at_card(self, place: str, fields: dict[str, int]) -> None:
        if self.chance.random() < 0.05:
            self.walked_away += 1
            return
        self._send(place, fields)
        if self.chance.random() < 0.05:
            self.changed += 1
            self._send(place, fields)

    def _send(self, place: str, fields: dict[str, int]) -> None:
        """Send answers until the server has said that they are saved; sometimes once more after that."""
        answers = {name: self.chance.choice(LABELS) for name in fields}
        for name, pk in fields.items():
            self.said.setdefault(pk, []).append(answers[name])
        for _attempt in range(60):
            status = self._post(place, answers)
            if status in (200, 302):
                break
            self.lost += 1
            self.unsure.update(fields.values())
            time.sleep(0.3)
        else:
            self.odd.append(f"{place}: never taken")
            return
        self.confirmed.update(fields.values())
        if self.chance.random() < 0.2:
            self.repeated += 1
            self._post(place, answers)

    def _post(self, place: str, answers: dict[str, str]) -> int:
        """The status; 0 where the connection broke and nobody knows whether it was taken."""
        if self.chance.random() < 0.03:
            self._break_off(place, answers)
            return 0
        status, _place, _page = self._ask("POST", place, urlencode(answers))
        if status and status not in (200, 302):
            self.odd.append(f"{place}: {status}")
        return status

    def _break_off(self, place: str, answers: dict[str, str]) -> None:
        """Send it and hang up without waiting for the answer."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 5) as line:
            body = urlencode(answers)
            head = [f"POST {place} HTTP/1.1", *(f"{k}: {v}" for k, v in self._headers().items())]
            head += [f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}", "Connection: close"]
            line.sendall("\r\n".join([*head, "", body]).encode())

    def _get(self, place: str) -> tuple[str, str]:
        """The page at the end of the redirects, and its address; "" where it could not be had."""
        for _redirect in range(5):
            status, onward, page = self._ask("GET", place)
            if status != 302:
                return place, page if status == 200 else ""
            place = onward
        return place, ""

    def _ask(self, method: str, place: str, body: str | None = None) -> tuple[int, str, str]:
        try:
            if self._line is None:
                self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            self._line.request(method, place, body, self._headers())
            response = self._line.getresponse()
            page = response.read().decode()
            return response.status, urlsplit(response.getheader("Location") or "").path, page
        except (OSError, http.client.HTTPException):
            if self._line:
                self._line.close()
            self._line = None
            time.sleep(0.2)
            return 0, "", ""

    def may_stand(self, assignment: int, answer: str) -> bool:
        """Whether it is what was said last, or anything said where requests got lost on the way."""
        said = self.said[assignment]
        return answer == said[-1] or (assignment in self.unsure and answer in said)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self.cookies:
            headers |= {"Cookie": self.cookies, "X-CSRFToken": _CSRF}
        return headers


_CSRF = "a" * 32


def cookies_of(session: str) -> str:
    """What the browser of somebody who is signed in sends along."""
    return f"polarlab_session={session}; polarlab_csrf={_CSRF}"
