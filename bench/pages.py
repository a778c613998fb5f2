"""What every page of a large study costs: ``python -m bench.pages`` after ``bench/study_at_size.py``.

Each address of the study that is read by GET and needs no other number than those of the filled rows; the
median of some looks after one that is not counted, with its queries and processor seconds. A page that is
still being counted is counted first (``--jobs``), as a worker would.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def addresses(study: Any) -> Iterator[tuple[str, str]]:
    """Names and addresses of the study's pages, for the first dataset, campaign, pair, model and run."""
    from django.urls import NoReverseMatch, get_resolver, reverse

    from apps.campaigns.models import Campaign
    from apps.datasets.models import Dataset, Pair
    from apps.inference.models import Model, Run
    from apps.studies.models import Participant

    dataset = Dataset.objects.get(study=study)
    pair = Pair.objects.filter(dataset=dataset).order_by("pk").first()
    campaign = Campaign.objects.filter(study=study).order_by("pk").first()
    model = Model.objects.filter(study=study).order_by("pk").first()
    of_campaign = ("campaigns", "quality", "panels", "adjudication")
    of_room = dict.fromkeys(of_campaign, campaign) | {"models": model}
    run = Run.objects.filter(dataset=dataset).order_by("pk").first()
    sides = f"?one=gold:file&two=run:{run.pk}"
    chosen = {"dashboard:changes": sides, "dashboard:changes_csv": sides}
    special = {"curation:pair": pair, "models:run": Run.objects.filter(model=model).first()}
    person = Participant.objects.filter(study=study).order_by("pk").first()
    for space, (_prefix, resolver) in sorted(get_resolver().namespace_dict.items()):
        for name in sorted(key for key in resolver.reverse_dict if isinstance(key, str)):
            full = f"{space}:{name}"
            row = special.get(full) or of_room.get(space, dataset)
            others = {"quality": person.pk, "adjudication": pair.pk}.get(space, "csv")
            for arguments in ([study.slug], [study.slug, row.pk], [study.slug, row.pk, others]):
                try:
                    address = reverse(full, args=arguments)
                except NoReverseMatch:
                    continue
                if address.startswith(f"/s/{study.slug}/"):
                    yield full, address + chosen.get(full, "")
                    break
    yield from _filtered(reverse("curation:dataset", args=[study.slug, dataset.pk]), dataset)


#: The pairs' list under each filter, and some of them together.
FILTERS = (
    "direction=downward", "direction=none", "agreement=agree", "agreement=differ", "agreement=undecided",
    "between=people-calculus", "between=people-model&run={run}", "between=calculus-model&run={run}",
    "between=file-people", "between=file-calculus", "between=file-model&run={run}", "human=entailment",
    "human=tie", "human=not-judged", "calculus=entailment", "calculus=none", "calculus=not-read",
    "sure_from=0.9", "sure_below=0.6", "assumed=yes", "assumed=not-known", "file_label=entailment",
    "run={run}&predicted=entailment", "judgements=5", "judgements=4", "matching=5", "matching=0",
    "agree_from=100", "agree_to=60", "gold_rule={rule}&gold=entailment", "gold_rule={rule}&gold=none",
    "origin=import", "origin=no-twins", "tag=lexical", "genre=simulated", "genre=nowhere", "operator=no",
    "operator=every", "verb=run", "verb=sleep", "shared=yes", "shared=no", "replaced=yes", "replaced=no",
    "corrected=yes", "corrected=no", "depth=2", "depth=5", "text=cat", "text=number+4711", "text=nothing",
    "text=%22small+dog%22", "text=471*", "campaigns={campaign}", "page=2000", "page=4000",
    "direction=downward&page=1000", "direction=downward&text=cat", "text=cat&tag=lexical&depth=3",
    "human=entailment&calculus=entailment&direction=downward&tag=lexical",
    "agreement=differ&text=small+dog&depth=1", "judgements=5&campaigns={campaign}",
)  # fmt: skip


def _filtered(address: str, dataset: Any) -> Iterator[tuple[str, str]]:
    from apps.campaigns.models import Campaign
    from apps.inference.models import Run
    from apps.releases.models import GoldRule

    rule = GoldRule.objects.filter(study=dataset.study_id).order_by("pk").first()
    rows = {
        "run": Run.objects.filter(dataset=dataset).order_by("pk").first(),
        "campaign": Campaign.objects.filter(dataset=dataset).order_by("pk").first(),
    } | ({"rule": rule} if rule else {})
    for asked in FILTERS:
        if "{rule}" in asked and not rule:
            continue
        said = asked.format(**{name: row.pk for name, row in rows.items()})
        yield f"pairs?{said}", f"{address}?{said}"


def look(client: Any, address: str) -> tuple[int, float, float, int]:
    """The answer's status, seconds, processor seconds of this process, queries."""
    from django.db import connection

    queries = 0

    def counting(execute: Any, *arguments: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*arguments)

    begun, worked = time.monotonic(), time.process_time()
    with connection.execute_wrapper(counting):
        answer = client.get(address)
        if answer.streaming:
            next(iter(answer.streaming_content), None)
    return answer.status_code, time.monotonic() - begun, time.process_time() - worked, queries


def run_jobs() -> None:
    """What pages have ordered, in this process."""
    from apps.jobs.models import Job
    from apps.jobs.runner import run

    for pk in Job.objects.filter(state=Job.State.QUEUED, kind="tally").values_list("pk", flat=True):
        begun = time.monotonic()
        run(pk)
        job = Job.objects.get(pk=pk)
        print(
            f"counted in {time.monotonic() - begun:.1f} s: {job.title} ({job.state} {job.error})", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--looks", type=int, default=3)
    parser.add_argument("--only", default="", help="names that begin so")
    parser.add_argument("--but", default="-", help="names that don't begin so")
    parser.add_argument("--jobs", action="store_true", help="count what pages order")
    asked = parser.parse_args()

    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from apps.accounts.models import User
    from apps.jobs import services
    from apps.studies.models import Study
    from bench.study_at_size import EMAIL

    settings.ALLOWED_HOSTS = ["*"]
    logging.disable(logging.WARNING)  # of addresses that take no GET
    services.send = lambda pk: None  # type: ignore[assignment]
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(email=EMAIL), backend="django.contrib.auth.backends.ModelBackend")
    study = Study.objects.get(name="At size (simulated)")
    print("| page | seconds | processor | queries |\n|---|---|---|---|")
    for name, address in addresses(study):
        if not name.startswith(asked.only) or name.startswith(asked.but):
            continue
        status, first, *_rest = look(client, address)
        if status == 302:
            print(f"| {name} (to another page) | {first:.2f} | | |", flush=True)
        if status != 200:
            continue
        if asked.jobs:
            run_jobs()
        looks = [look(client, address) for _look in range(asked.looks if first < 5 else 1)]
        seconds, work, queries = (statistics.median(one[place] for one in looks) for place in (1, 2, 3))
        print(f"| {name} | {seconds:.2f} | {work:.2f} | {queries:.0f} |", flush=True)


if __name__ == "__main__":
    main()
