"""How long *Make a release* takes to show: statements and processor of the counts beforehand.

    python bench/release_form.py          # 20,000 pairs of three judgements
    python bench/release_form.py 5000

Fills a database of its own in a temporary folder (SQLite; PostgreSQL where DATABASE_URL names an empty one),
as bench/releases.py does, and asks for the page as a researcher. Seconds are of the web process' processor,
and of the clock, which on PostgreSQL holds the database's work too.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

from releases import fill, start  # beside this file


def main(pairs: int) -> None:
    with tempfile.TemporaryDirectory(prefix="polarlab-bench-") as folder:
        os.environ["POLARLAB_VAR"] = folder
        start()
        fill(pairs)
        from django.db import connection
        from django.test import Client
        from django.test.utils import CaptureQueriesContext
        from django.urls import reverse

        from apps.accounts.models import User
        from apps.datasets.models import Dataset

        client = Client(headers={"host": "localhost"})
        client.force_login(
            User.objects.get(email="bench@example.org"), backend="django.contrib.auth.backends.ModelBackend"
        )
        dataset = Dataset.objects.get()
        address = reverse("releases:new", args=[dataset.study.slug, dataset.pk])
        print("| pairs | rule | statements | processor s | clock s |")
        print("|---:|---|---:|---:|---:|")
        client.get(address)  # what is loaded once a process
        for rule in ("all", "majority"):
            with CaptureQueriesContext(connection) as queries:
                processor, clock = time.process_time(), time.perf_counter()
                answer = client.get(f"{address}?rule={rule}&swaps=on")
                processor, clock = time.process_time() - processor, time.perf_counter() - clock
            assert answer.status_code == 200, answer.status_code
            print(f"| {pairs:,} | {rule} | {len(queries)} | {processor:.2f} | {clock:.2f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
