"""What the bench does inside Polarlab, in a process of its own: ``python -m bench.load.study TASK JSON``.

Fills a database through the services where people's work is concerned, and prints its result as JSON in
the last line.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from . import filling
from .pairs import pairs_of

BATCH = 2000
PATIENCE = 120


def migrate(**_nothing: Any) -> dict[str, Any]:
    """Tables and static files, as at a deployment."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    return {}


def fill(items: int, pairs: str, annotators: int) -> dict[str, Any]:
    """A study with a dataset of so many pairs, and its annotators."""
    from apps.accounts.models import User
    from apps.datasets.services import dataset_create
    from apps.studies.models import Membership
    from apps.studies.services import study_create

    owner = User.objects.create_user("owner@bench.example", None, name="Owner", may_create_studies=True)
    study = study_create(actor=owner, name="Bench")
    dataset = dataset_create(study=study, actor=owner, name="Pairs", simulated=True)
    add_pairs(dataset, pairs_of(items, Path(pairs) if pairs else None))
    for number in range(annotators):
        user = User.objects.create_user(f"a{number}@bench.example", None, name=f"Annotator {number}")
        Membership.objects.create(study=study, user=user, role="annotator")
    return {"dataset": dataset.pk}


def add_pairs(dataset: Any, texts: list[tuple[str, str]]) -> None:
    from django.db import transaction

    from apps.datasets.models import Pair, Premise
    from apps.frame.texts import pair_digest

    for first in range(0, len(texts), BATCH):
        some = texts[first : first + BATCH]
        with transaction.atomic():
            made = Pair.objects.bulk_create(
                Pair(
                    dataset=dataset,
                    hypothesis=hypothesis,
                    digest=pair_digest([premise], hypothesis),
                    origin=Pair.Origin.IMPORT,
                    direction="downward",
                    genre="crowd:downward_monotone",
                )
                for premise, hypothesis in some
            )
            Premise.objects.bulk_create(
                Premise(pair=pair, position=0, text=text[0]) for pair, text in zip(made, some, strict=True)
            )


def campaign(dataset: int, target: int, annotators: int, name: str) -> dict[str, Any]:
    """An open validation campaign over the dataset, and a sign-in link for each annotator."""
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.datasets.models import Dataset
    from apps.jobs.services import job_cancel

    held = Dataset.objects.select_related("study__created_by").get(pk=dataset)
    owner = held.study.created_by
    made = campaign_create(
        study=held.study, actor=owner, name=name, dataset=held, target=target, seed=7, simulated=True
    )
    campaign_set_state(campaign=made, actor=owner, state="open")
    # The calculus' labels are another benchmark's; here they would keep the worker from the release.
    for job in held.study.jobs.filter(state="queued"):
        job_cancel(job=job, actor=owner)
    return {"campaign": made.pk, "links": links(annotators)}


def races(limit: int, rounds: int, annotators: int) -> dict[str, Any]:
    """A dataset of one pair and, for each round, an open campaign over it; links for the annotators."""
    from apps.datasets.services import dataset_create
    from apps.studies.models import Study

    study = Study.objects.select_related("created_by").get(name="Bench")
    owner = study.created_by
    dataset = dataset_create(study=study, actor=owner, name=f"One pair, limit {limit}", simulated=True)
    add_pairs(dataset, pairs_of(1))
    made = [
        campaign(dataset.pk, limit, annotators, f"Limit {limit}, round {number}") for number in range(rounds)
    ]
    return {"campaigns": [one["campaign"] for one in made], "links": made[-1]["links"]}


def check(campaign: int) -> dict[str, Any]:
    """What is stored of a campaign, and how many of its items have more than they want."""
    from django.db.models import Count, F, Q

    from apps.campaigns.models import Item, Judgement

    counted = Count("judgements", filter=Q(judgements__counted=True))
    items = Item.objects.filter(campaign=campaign).annotate(n=counted)
    return {
        "stored": Judgement.objects.filter(item__campaign=campaign).count(),
        "surplus": Judgement.objects.filter(item__campaign=campaign, counted=False).count(),
        "beyond": items.filter(n__gt=F("wanted")).count(),
        "miscounted": items.exclude(n=F("counted")).count(),
    }


def large(items: int, annotators: int) -> dict[str, Any]:
    """An open campaign over ``items`` pairs that have five answers each on average; links for annotators,
    who have given many of those."""
    from apps.accounts.models import User
    from apps.campaigns.models import Campaign, Guideline
    from apps.datasets.services import dataset_create
    from apps.studies.models import Membership
    from apps.studies.services import study_create

    study = study_create(actor=User.objects.get(email="owner@bench.example"), name="Large bench")
    people = User.objects.filter(email__startswith="a", email__endswith="@bench.example").order_by("pk")
    Membership.objects.bulk_create(Membership(study=study, user=user, role="annotator") for user in people)
    dataset = dataset_create(study=study, actor=study.created_by, name="Many pairs", simulated=True)
    made = Campaign.objects.create(
        study=study,
        name="Large",
        task="validation",
        dataset=dataset,
        state="open",
        target=filling.TARGET,
        seed=7,
        created_by=study.created_by,
    )
    Guideline.objects.create(campaign=made, version=1, body="Judge.", created_by=study.created_by)
    filling.fill_large(dataset, made, list(people[:annotators]), items)
    return {"campaign": made.pk, "links": links(annotators)}


def links(annotators: int) -> list[str]:
    """Fresh sign-in links."""
    from apps.accounts.models import User
    from apps.people.services import sign_in_link_create

    people = User.objects.filter(email__startswith="a", email__endswith="@bench.example").order_by("pk")
    return [sign_in_link_create(user=user) for user in people[:annotators]]


def export(items: int) -> dict[str, Any]:
    """Release ``items`` pairs of three judgements each: seconds from the request to the finished file. A
    worker must be running."""
    from apps.datasets.services import dataset_create
    from apps.releases.gold_rules import Options
    from apps.releases.models import Release
    from apps.releases.services import release_create
    from apps.releases.storage import final_path
    from apps.studies.models import Study
    from apps.studies.services import participant_simulate
    from bench.releases import PEOPLE, fill_pairs

    study = Study.objects.select_related("created_by").get(name="Bench")
    actor = study.created_by
    dataset = dataset_create(study=study, actor=actor, name="To export", simulated=True)
    people = [participant_simulate(study=study, actor=actor, pseudonym=f"e{n}").pk for n in range(PEOPLE)]
    fill_pairs(dataset, items, people)
    begin = time.perf_counter()
    made = release_create(dataset=dataset, actor=actor, options=Options(rule="majority", swaps=False))
    while not Release.objects.filter(pk=made.pk, frozen_at__isnull=False).exists():
        if time.perf_counter() > begin + PATIENCE:
            raise SystemExit("the release does not end: " + str(Release.objects.get(pk=made.pk).job))
        time.sleep(0.02)
    seconds = time.perf_counter() - begin
    made.refresh_from_db()
    counts = made.manifest["counts"]
    job = made.job
    return {
        "seconds": seconds,
        "waited": (job.started_at - job.created_at).total_seconds(),
        "pairs": counts["pairs"]["total"],
        "judgements": counts["judgements"],
        "bytes": final_path(made).stat().st_size,
    }


def kept(campaigns: list[int]) -> list[int]:
    """How many answers each campaign has."""
    from apps.campaigns.models import Judgement

    return [Judgement.objects.filter(item__campaign=pk).count() for pk in campaigns]


def analyze() -> dict[str, Any]:
    """What autovacuum does to PostgreSQL's statistics now and then."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return {}


_TASKS = (migrate, fill, campaign, large, analyze, links, races, export, check, kept)
TASKS = {task.__name__: task for task in _TASKS}


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    task, parameters = sys.argv[1], json.loads(sys.argv[2])
    print(json.dumps(TASKS[task](**parameters)))


if __name__ == "__main__":
    main()
