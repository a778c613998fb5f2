"""Write a large release and measure the worker: seconds by the clock, of its processor and of the database
server's, peak memory, the longest chunk, and how busy the machine was beside it; print a table.

    python -m bench.releases            # 5,000 pairs
    python -m bench.releases 1000000    # needs some 8 GB of disk

Fills a database of its own in a temporary folder (SQLite; PostgreSQL where DATABASE_URL names an empty
one) with pairs of three judgements each, every fourth of them with a swapped twin, and runs the release's
job in a process of its own, as a worker would.
"""

# ruff: noqa: S608

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEOPLE, ANSWERS = 50, 3
# In SQL, by the pair's number; two pairs share a premise.
PREMISE = "'No dog number ' || (k / 2) || ' of the many that live in the old town ran after a cat today.'"
HYPOTHESIS = (
    "'No small dog number ' || {k} || ' of the many that live in the old town ran after a cat today.'"
)
LIMIT_MB = 400


def main(pairs: int) -> int:
    with tempfile.TemporaryDirectory(prefix="polarlab-bench-") as folder:
        os.environ["POLARLAB_VAR"] = folder
        begin = time.perf_counter()
        job = fill(pairs)
        filled = time.perf_counter() - begin
        command = [sys.executable, __file__, "--work", str(job)]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)  # noqa: S603 — ours
        if done.returncode:
            return done.returncode
        found = json.loads(done.stdout.splitlines()[-1])
    names = (
        "database", "pairs", "published", "judgements", "archive MB", "filled s", "released s", "processor s",
        "server s", "peak MB", "longest chunk s", "load",
    )  # fmt: skip
    print(f"| {' | '.join(names)} |")
    print("|---|" + "---:|" * (len(names) - 1))
    print(
        f"| {found['database']} | {pairs:,} | {found['published']:,} | {found['judgements']:,} | "
        f"{found['archive']:.0f} | {filled:.0f} | {found['seconds']:.0f} | {found['processor']:.0f} | "
        f"{found['server']:.0f} | {found['peak']:.0f} | {found['longest']:.1f} | {found['load']:.0f} |"
    )
    print(f"processor seconds by stage: {found['processors']}")
    print(f"server's processor seconds by stage: {found['servers']}")
    print(f"seconds by stage: {found['stages']}")
    print(f"peak MB by stage: {found['peaks']}")
    if found["peak"] > LIMIT_MB:
        print(f"more than {LIMIT_MB} MB")
        return 1
    return 0


def start() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()


def fill(pairs: int) -> int:
    """Fill the database; returns the number of the release's job, which waits."""
    start()
    from django.core.management import call_command

    from apps.accounts.models import User
    from apps.datasets.services import dataset_create
    from apps.releases.gold_rules import Options
    from apps.releases.services import release_create
    from apps.studies.services import participant_simulate, study_create

    call_command("migrate", verbosity=0)
    user = User.objects.create_user("bench@example.org", None, name="Bench", may_create_studies=True)
    study = study_create(actor=user, name="Bench")
    dataset = dataset_create(study=study, actor=user, name="Pairs", simulated=True)
    people = [
        participant_simulate(study=study, actor=user, pseudonym=f"p{number}").pk for number in range(PEOPLE)
    ]
    fill_pairs(dataset, pairs, people)
    release = release_create(dataset=dataset, actor=user, options=Options(rule="majority"))
    return release.job.pk


def fill_pairs(dataset, pairs: int, people: list[int]) -> None:
    """The database writes the rows itself: a million pairs take minutes, not an hour."""
    from django.db import connection, transaction
    from django.db.models import Min
    from django.utils import timezone

    from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement
    from apps.datasets.models import CalculusLabel, Pair, Premise
    from bench.load.filling import NUMBERS, _skip_references, insert

    campaign = Campaign.objects.create(
        study=dataset.study, name="Judging", task="validation", dataset=dataset
    )
    guideline = Guideline.objects.create(campaign=campaign, version=1, body="Judge.")
    now = timezone.now()
    with transaction.atomic():
        _skip_references()
        texts = [PREMISE, HYPOTHESIS.format(k="k")]
        insert(
            Pair(dataset=dataset, origin="crowd", direction="downward", genre="crowd:downward_monotone"),
            {"hypothesis": texts[1], "digest": _digest(*texts)},
            NUMBERS.format(last=pairs - 1) + "{insert} SELECT {values} FROM n ORDER BY k",
        )
        first = Pair.objects.filter(dataset=dataset).aggregate(first=Min("pk"))["first"]
        number = f"(p.id - {first})"
        of_pairs = f"{{insert}} SELECT {{values}} FROM datasets_pair p WHERE p.dataset_id = {dataset.pk}"
        of_pairs += " ORDER BY p.id"
        premise = PREMISE.replace("k / 2", f"{number} / 2")
        insert(Premise(position=0), {"pair_id": "p.id", "text": premise}, of_pairs)
        label = CalculusLabel(
            engine="natlog",
            engine_version="1",
            convention="med",
            parser="p",
            label="entailment",
            direction="downward",
            reason="the replacement is more specific, at a downward place (↓): “small dog” for “dog”",
        )
        detail = [
            json.dumps({"swappable": swappable, "swap_bar": "a synonym was put in", "tags": []})
            for swappable in (True, False)
        ]
        cast = "::jsonb" if connection.vendor == "postgresql" else ""
        swappable = f"CASE WHEN {number} % 4 = 0 THEN '{detail[0]}'{cast} ELSE '{detail[1]}'{cast} END"
        insert(label, {"pair_id": "p.id", "detail": swappable}, of_pairs)
        insert(Item(campaign=campaign), {"pair_id": "p.id", "position": number}, of_pairs)
        of_items = f"FROM campaigns_item i CROSS JOIN n WHERE i.campaign_id = {campaign.pk} ORDER BY i.id, k"
        insert(
            Assignment(state="submitted", leased_at=now, shown_at=now, expires_at=now),
            {"item_id": "i.id", "participant_id": f"{people[0]} + (i.position + k) % {PEOPLE}"},
            NUMBERS.format(last=ANSWERS - 1) + "{insert} SELECT {values} " + of_items,
        )
        answer = (
            f"CASE WHEN (a.id - {_first(Assignment)}) % 10 = 0 THEN 'non-entailment' ELSE 'entailment' END"
        )
        insert(
            Judgement(guideline=guideline, seconds=12.5, submitted_at=now),
            {
                "assignment_id": "a.id",
                "item_id": "a.item_id",
                "participant_id": "a.participant_id",
                "answer": answer,
            },
            "{insert} SELECT {values} FROM campaigns_assignment a ORDER BY a.id",
        )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _first(model) -> int:
    from django.db.models import Min

    return model.objects.aggregate(first=Min("pk"))["first"]


def _digest(premise: str, hypothesis: str) -> str:
    """As :func:`apps.frame.texts.pair_digest`, of texts in ASCII, in SQL."""
    from django.db import connection

    text = f"""'["' || {premise} || '", "' || {hypothesis} || '"]'"""
    if connection.vendor == "postgresql":
        return f"encode(sha256(convert_to({text}, 'UTF8')), 'hex')"
    return f"SHA256({text})"


def work(pk: int) -> None:
    """Run the job as a worker does; print what it took."""
    start()
    from django.db import connection

    from apps.jobs.models import Job
    from apps.jobs.runner import run
    from apps.releases.job import STAGE, Releasing
    from apps.releases.models import Release
    from apps.releases.storage import final_path

    chunks: list[float] = []
    stages: Counter[str] = Counter()
    processors: Counter[str] = Counter()
    servers: Counter[str] = Counter()
    peaks: dict[str, float] = {}
    names = ("twins", "read", "judgements", "splits", "format and pack", "")
    plain = Releasing.work

    server = Server()

    def timed(self, job):
        begin, busy, name = time.perf_counter(), time.process_time(), names[job.cursor // STAGE]
        served = server.seconds()
        try:
            return plain(self, job)
        finally:
            chunks.append(time.perf_counter() - begin)
            stages[name] += chunks[-1]
            processors[name] += time.process_time() - busy
            servers[name] += server.seconds() - served
            peaks[name] = max(peaks.get(name, 0), round(peak_mb()))
            peak_forget()

    Releasing.work = timed
    begin, busy = time.perf_counter(), time.process_time()
    run(pk)
    seconds, processor = time.perf_counter() - begin, time.process_time() - busy
    job, release = Job.objects.get(pk=pk), Release.objects.get(job=pk)
    assert job.state == "done", job.error
    found = {
        "database": connection.vendor,
        "seconds": seconds,
        "processor": processor,
        "server": server.seconds(),
        "servers": {name: round(servers[name]) for name in names if name},
        "load": os.getloadavg()[1],
        "peak": max(*peaks.values(), peak_mb()),
        "peaks": peaks,
        "longest": max(chunks),
        "stages": {name: round(stages[name]) for name in names if name},
        "processors": {name: round(processors[name]) for name in names if name},
        "published": release.manifest["counts"]["pairs"]["total"],
        "judgements": release.manifest["counts"]["judgements"],
        "archive": final_path(release).stat().st_size / 2**20,
    }
    print(json.dumps(found))


class Server:
    """The processor seconds of the server's processes that serve this one (PostgreSQL on the same machine; a
    query that it spreads over several processes is counted for the first alone). SQLite has none: its work
    is the worker's."""

    def __init__(self) -> None:
        from django.db import connection
        from django.db.backends.signals import connection_created

        self._last: dict[int, float] = {}
        connection.close()
        connection_created.connect(self._opened, weak=False)

    def _opened(self, *, connection, **_of: object) -> None:
        if connection.vendor == "postgresql":
            self._last[connection.connection.get_backend_pid()] = 0.0

    def seconds(self) -> float:
        """Up to now; of a process that is over, up to when it was last asked for."""
        for number in self._last:
            with suppress(FileNotFoundError, ProcessLookupError):
                stat = Path(f"/proc/{number}/stat").read_text(encoding="utf-8")
                user, system = stat.rpartition(")")[2].split()[11:13]
                self._last[number] = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return sum(self._last.values())


def peak_mb() -> float:
    """The most memory that this process has held at once (``ru_maxrss`` would count its parent's too)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def peak_forget() -> None:
    """Begin to measure the peak anew from what is held now (Linux, ``man 5 proc``)."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(int(sys.argv[2]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
