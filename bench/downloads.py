"""Download the pairs' list in each format: seconds to the last byte, processor, queries; print a table.

    python -m bench.downloads                          # 5,000 pairs, 15,000 judgements, on both databases
    python -m bench.downloads --database sqlite --pairs 50000

Fills a database of its own (SQLite in a temporary folder; PostgreSQL on the server at ``--postgres``,
skipped with a line where none answers) as ``bench/releases.py`` does, and adds a label of a file, a tag and
a model's prediction to each pair. In a process of its own, each file is asked for through Django's test
client, so that a request goes through all of the program but no socket: the median of some looks after one
that is not counted. *Processor* is that process', *database* what PostgreSQL used beside it (SQLite is in the
process). *Most MB* is how much more the process held than before the first download. The digest of a file is
the same for the same rows, whatever the database: it shows whether a change of the program changed a file.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.load.databases import database, why_not  # noqa: E402
from bench.load.processes import Meter  # noqa: E402
from bench.releases import fill_pairs, peak_mb, start  # noqa: E402

EMAIL = "downloads@bench.example"
PEOPLE = 50
FORMATS = ("csv", "jsonl", "parquet")
#: The whole list, and by what is stored of pairs, said in labels, and said by people.
FILTERS = ("", "tag=reverse", "direction=downward&calculus=entailment", "human=entailment", "judgements=3")
COLUMNS = ("format", "filters", "s", "processor s", "database s", "queries", "MB", "most MB more", "digest")


def main() -> int:
    asked = _options()
    for kind in asked.database.split(","):
        if kind == "postgresql" and (reason := why_not(asked.postgres)):
            print(f"PostgreSQL skipped: {reason}")
            continue
        with (
            tempfile.TemporaryDirectory(prefix="polarlab-bench-") as folder,
            database(kind, "polarlab_downloads", Path(folder), asked.postgres) as (url, name),
        ):
            env = {**os.environ, "DATABASE_URL": url, "POLARLAB_VAR": folder}
            numbers = ["--pairs", str(asked.pairs), "--looks", str(asked.looks)]
            command = [sys.executable, __file__, "--measure", name or kind, *numbers]
            print(f"\n{kind}, {asked.pairs:,} pairs, {3 * asked.pairs:,} judgements", flush=True)
            if code := subprocess.run(command, check=False, env=env).returncode:  # noqa: S603 — ours
                return code
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The download of the pairs' list, measured.")
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--looks", type=int, default=3)
    parser.add_argument("--database", default="sqlite,postgresql")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432")
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def fill(pairs: int) -> tuple[str, int]:
    """The study's slug and the dataset's number. Rows have the same numbers and times each time."""
    from datetime import UTC, datetime

    from django.core.management import call_command

    from apps.accounts.models import User
    from apps.campaigns.models import Judgement
    from apps.datasets.models import GoldLabel, Pair, Tag
    from apps.datasets.services import dataset_create
    from apps.inference.models import Model, Prediction, Run
    from apps.studies.services import participant_simulate, study_create

    call_command("migrate", verbosity=0)
    user = User.objects.create_user(EMAIL, None, name="Bench", may_create_studies=True)
    study = study_create(actor=user, name="Bench")
    dataset = dataset_create(study=study, actor=user, name="Pairs", simulated=True)
    names = [f"p{number}" for number in range(PEOPLE)]
    people = [participant_simulate(study=study, actor=user, pseudonym=name).pk for name in names]
    fill_pairs(dataset, pairs, people)
    Judgement.objects.update(submitted_at=datetime(2026, 1, 1, tzinfo=UTC))
    model = Model.objects.create(study=study, name="Always yes", kind="majority")
    run = Run.objects.create(model=model, dataset=dataset)
    scores = {"entailment": 0.75, "non-entailment": 0.25}
    numbers = Pair.objects.order_by("pk").values_list("pk", flat=True)
    gold = (GoldLabel(pair_id=number, source="file", label="entailment") for number in numbers)
    tags = (Tag(pair_id=n, name=("lexical", "reverse")[n % 2], source="file") for n in numbers)
    said = (Prediction(run=run, pair_id=number, label="entailment", scores=scores) for number in numbers)
    GoldLabel.objects.bulk_create(gold, batch_size=2000)
    Tag.objects.bulk_create(tags, batch_size=2000)
    Prediction.objects.bulk_create(said, batch_size=2000)
    return study.slug, dataset.pk


def measure(pairs: int, looks: int, server: str) -> None:
    """Fill, download, print. ``server`` is the name of PostgreSQL's database, or ``sqlite``."""
    start()
    slug, dataset = fill(pairs)
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from apps.accounts.models import User

    settings.ALLOWED_HOSTS = ["*"]
    if connection.vendor == "postgresql":  # as its autovacuum does after a while
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    client = Client()
    client.force_login(User.objects.get(email=EMAIL), backend="django.contrib.auth.backends.ModelBackend")
    print(f"| {' | '.join(COLUMNS)} |\n|---|---|{'---:|' * (len(COLUMNS) - 3)}---|", flush=True)
    for form in FORMATS:
        for filters in FILTERS:
            address = f"{reverse('curation:download', args=[slug, dataset, form])}?{filters}"
            held = peak_mb()
            found = [download(client, address, server) for _look in range(looks + 1)][1:]
            seconds, work, beside, queries, size = (
                statistics.median(one[place] for one in found) for place in range(5)
            )
            print(
                f"| {form} | {filters or 'none'} | {seconds:.2f} | {work:.2f} | {beside:.2f} | {queries:.0f} "
                f"| {size / 2**20:.1f} | {peak_mb() - held:.0f} | {found[0][5][:12]} |",
                flush=True,
            )


def download(client, address: str, server: str) -> tuple[float, float, float, int, int, str]:
    """Seconds, processor seconds here and of the database, queries, bytes, and the file's digest."""
    from django.db import connection

    queries = 0

    def counting(execute, *arguments):
        nonlocal queries
        queries += 1
        return execute(*arguments)

    meter = Meter([os.getpid()], "" if server == "sqlite" else server)
    digest, size, begun, worked = hashlib.sha256(), 0, time.perf_counter(), time.process_time()
    with connection.execute_wrapper(counting):
        answer = client.get(address)
        assert answer.status_code == 200, answer.status_code
        for piece in answer.streaming_content:
            digest.update(piece)
            size += len(piece)
    seconds, work = time.perf_counter() - begun, time.process_time() - worked
    return seconds, work, meter.stop()[1], queries, size, digest.hexdigest()


if __name__ == "__main__":
    options = _options()
    if options.measure:
        measure(options.pairs, options.looks, options.measure)
    else:
        sys.exit(main())
