"""Import a large file of pairs and measure the worker, phase by phase: processor, peak memory; print a table.

    python -m bench.importing            # 50,000 pairs
    python -m bench.importing 1000000    # the most that a file may hold
    python -m bench.importing 50000 --uncounted    # without the triggers that count changes of rows

Writes a file in MED's columns, uploads it to a database of its own (SQLite in a temporary folder; PostgreSQL
where DATABASE_URL names an empty one), and runs both jobs, each in a process of its own, as a worker would.
Processor is the worker's and, on PostgreSQL, beside it that of the server's process that serves it. The
digest at the end is of what was stored, without numbers and times: two versions of the program that store
the same print the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_SECONDS = 12  # for 50,000 pairs, both phases, worker and database
DIRECTIONS = ("upward_monotone", "downward_monotone", "non_monotone")
LABELS = ("entailment", "neutral", "contradiction")


def main(pairs: int, *, uncounted: bool = False) -> int:
    with tempfile.TemporaryDirectory(prefix="polarlab-bench-") as folder:
        os.environ["POLARLAB_VAR"] = folder
        file = Path(folder) / "pairs.tsv"
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(rows(pairs))
        phases = [
            _phase("upload", str(file), *(["--uncounted"] if uncounted else [])),
            _phase("preview"),
            _phase("store"),
        ]
        digest = _phase("digest")
    print(f"{pairs:,} pairs, {file.name}, {phases[0]['megabytes']:.1f} MB, {phases[0]['database']}")
    print("| phase | worker s | database s | wall s | peak MB | longest chunk s |")
    print("|---|---:|---:|---:|---:|---:|")
    for found in phases:
        print(
            f"| {found['phase']} | {found['processor']:.1f} | {found['server']:.1f} | {found['wall']:.1f} | "
            f"{found['peak']:.0f} | {found['longest']:.1f} |"
        )
    both = sum(found["processor"] + found["server"] for found in phases[1:])
    print(
        f"preview and storing: {both:.1f} s of processor; stored: {digest['rows']} rows, {digest['digest']}"
    )
    if pairs == 50_000 and both > LIMIT_SECONDS:
        print(f"more than {LIMIT_SECONDS} s")
        return 1
    return 0


def rows(pairs: int) -> Iterator[str]:
    yield "index\tpromptID\tpairID\tgenre\tsentence1\tsentence2\tgold_label\n"
    for n in range(pairs):
        premise = f"No dog number {n // 2} of the many that live in the old town ran after a cat today."
        hypothesis = f"No small dog number {n} of the many that live in the old town ran after a cat today."
        genre = f"crowd:{DIRECTIONS[n % 3]}:{'npi' if n % 5 else 'conjunction'}"
        yield f"{n}\t{n // 2}\t{n}n\t{genre}\t{premise}\t{hypothesis}\t{LABELS[n % 7 % 3]}\n"


def _phase(name: str, *arguments: str) -> dict:
    command = [sys.executable, __file__, "--phase", name, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 — ours
    return json.loads(done.stdout.splitlines()[-1])


# ---- In a process of its own --------------------------------------------------------------------
def start() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()


def phase(name: str, arguments: list[str]) -> dict:
    start()
    from django.core.management import call_command
    from django.db import connection

    from apps.tallies.changes import triggers_lift

    if name == "upload":
        call_command("migrate", verbosity=0)
        if "--uncounted" in arguments:
            arguments.remove("--uncounted")
            triggers_lift()
    # What every worker has paid for before its first job.
    from apps.imports import drafts
    from apps.jobs.kinds import kind_named

    kind_named(drafts.IMPORT_KIND)
    connection.ensure_connection()
    before = server_seconds(connection)
    chunks: list[float] = []
    begin, processor = time.perf_counter(), time.process_time()
    work = {"upload": upload, "preview": preview, "store": store, "digest": stored}[name]
    found = work(*arguments, *([] if name in ("upload", "digest") else [chunks]))
    return {
        "phase": name,
        "processor": time.process_time() - processor,
        "wall": time.perf_counter() - begin,
        "server": server_seconds(connection) - before,
        "peak": peak_mb(),
        "longest": max(chunks, default=0),
        "database": connection.vendor,
        **found,
    }


def upload(file: str) -> dict:
    """The request that takes the file in. The draft waits for its preview's job."""
    from apps.accounts.models import User
    from apps.imports import services
    from apps.studies.services import study_create

    user = User.objects.create_user("bench@example.org", None, name="Bench", may_create_studies=True)
    study = study_create(actor=user, name="Bench")
    with Path(file).open("rb") as opened:
        draft = services.draft_create(
            study=study, actor=user, file_name="pairs.tsv", chunks=iter(lambda: opened.read(65_536), b"")
        )
    services.draft_preview(draft=draft, actor=user)
    return {"megabytes": draft.bytes / 2**20}


def preview(chunks: list[float]) -> dict:
    return {"result": run_job(chunks)}


def store(chunks: list[float]) -> dict:
    from apps.imports import services
    from apps.imports.models import PairDraft

    draft = PairDraft.objects.get()
    services.draft_commit(draft=draft, actor=draft.created_by)
    return {"result": run_job(chunks)}


def run_job(chunks: list[float]) -> dict:
    """The job that waits, where there is one (a small file has none); ``chunks`` takes seconds."""
    from apps.jobs.kinds import kind_named
    from apps.jobs.models import Job
    from apps.jobs.runner import run

    while job := Job.objects.filter(state="queued").order_by("pk").first():
        kind = kind_named(job.kind)
        plain, began = kind.work, [time.perf_counter()]

        def timed(held, plain=plain, began=began):
            began[0] = time.perf_counter()
            return plain(held)

        plain_store = kind.store

        def stored_timed(held, chunk, plain_store=plain_store, began=began):
            plain_store(held, chunk)
            chunks.append(time.perf_counter() - began[0])

        kind.work, kind.store = timed, stored_timed
        run(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.error
    return {}


def stored() -> dict:
    """A digest of all that an import writes, in words instead of numbers."""
    from apps.campaigns.models import JudgementRevision
    from apps.datasets.models import GoldLabel, Pair, Premise, Profile, Tag

    digest, count = hashlib.sha256(), 0
    tables = [
        Pair.objects.order_by("dataset__name", "digest").values_list(
            "dataset__study__slug", "dataset__name", "dataset__kind", "digest", "hypothesis", "origin",
            "direction", "genre", "source", "facts", "swapped_from__digest",
        ),
        Premise.objects.order_by("pair__digest", "position").values_list("pair__digest", "position", "text"),
        Tag.objects.order_by("pair__digest", "name").values_list("pair__digest", "name", "source"),
        GoldLabel.objects.order_by("pair__digest", "source").values_list("pair__digest", "source", "label"),
        Profile.objects.order_by("pair__digest").values_list("pair__digest", "words", "operators", "depth"),
        JudgementRevision.objects
        .order_by("judgement__item__pair__digest", "judgement__participant__external_id")
        .values_list(
            "judgement__item__campaign__name", "judgement__item__pair__digest",
            "judgement__participant__external_id", "number", "value",
        ),
    ]  # fmt: skip
    for table in tables:
        for row in table.iterator(chunk_size=5000):
            if table is tables[-1]:  # a person is known by the dataset's number, and the place of the answer
                row = (*row[:2], row[2].rpartition(":")[2], *row[3:])
            digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
            count += 1
        digest.update(b"--\n")
    return {"rows": count, "digest": digest.hexdigest()[:16]}


def server_seconds(connection) -> float:
    """Processor seconds of the PostgreSQL process that serves this connection, where it runs here."""
    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mb() -> float:
    """The most memory that this process has held at once (``ru_maxrss`` would count its parent's too)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    if sys.argv[1:2] == ["--phase"]:
        print(json.dumps(phase(sys.argv[2], sys.argv[3:])))
    else:
        sizes = [int(one) for one in sys.argv[1:] if one.isdecimal()]
        sys.exit(main(*sizes[:1] or [50_000], uncounted="--uncounted" in sys.argv))
