"""What the counts of *Make a release* cost, a job's part in a large study: statements and processor.

    python -m bench.release_form          # 20,000 pairs of three judgements
    python -m bench.release_form 5000

Fills a database of its own in a temporary folder (SQLite; PostgreSQL where DATABASE_URL names an empty one),
as bench/releases.py does, and asks for the counts as the API does, which waits. Seconds are of the process'
own processor, and of the clock, which on PostgreSQL holds the database's work too.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

from bench.releases import fill, start  # beside this file


def main(pairs: int) -> None:
    with tempfile.TemporaryDirectory(prefix="polarlab-bench-") as folder:
        os.environ["POLARLAB_VAR"] = folder
        start()
        fill(pairs)
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        from apps.datasets.models import Dataset
        from apps.releases.forecast import preview
        from apps.releases.gold_rules import Options

        dataset = Dataset.objects.get()
        print("| pairs | rule | statements | processor s | clock s |")
        print("|---:|---|---:|---:|---:|")
        preview(dataset, Options(seed=2))  # what is loaded once a process
        for rule in ("all", "majority"):
            with CaptureQueriesContext(connection) as queries:
                processor, clock = time.process_time(), time.perf_counter()
                preview(dataset, Options(rule=rule))
                processor, clock = time.process_time() - processor, time.perf_counter() - clock
            print(f"| {pairs:,} | {rule} | {len(queries)} | {processor:.2f} | {clock:.2f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
