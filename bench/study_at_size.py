"""A simulated study as large as the dashboard must bear: ``python -m bench.study_at_size --pairs 200000``.

Into an empty, migrated database (DATABASE_URL, or SQLite): pairs with premises, directions, labels of the
calculus and of a file, words, tags; five judgements of each by 60 participants in two campaigns; six models
with a run each. Rows are written by the database itself; which answer is given follows from their numbers.
"""

# ruff: noqa: S608

from __future__ import annotations

import argparse
import os
import time
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

PEOPLE, TARGET, MODELS = 60, 5, 6
EMAIL = "size@bench.example"
_DIRECTION = (
    "CASE k % 5 WHEN 0 THEN 'upward' WHEN 1 THEN 'upward' WHEN 2 THEN 'non-monotone' ELSE 'downward' END"
)
# What is right of the pair with this number, and what somebody says of it who errs every n-th time.
_RIGHT = "CASE {k} % 3 WHEN 0 THEN 'entailment' ELSE 'non-entailment' END"
_SAID = (
    "CASE WHEN (({k} % 3 = 0) AND NOT ({slip})) OR (({k} % 3 <> 0) AND ({slip})) "
    "THEN 'entailment' ELSE 'non-entailment' END"
)


def fill(pairs: int) -> Any:
    """The study, filled."""
    from django.db import connection, transaction
    from django.db.models import Min

    from apps.accounts.models import User
    from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair, Premise, Profile, Tag
    from apps.inference.models import Model, Prediction, Run
    from apps.releases.gold_rules import Options
    from apps.releases.services import gold_rule_create
    from apps.studies.models import Participant
    from apps.studies.services import study_create
    from apps.tallies.changes import triggers_lay, triggers_lift
    from bench.load.filling import NUMBERS, _skip_references, insert

    owner = User.objects.create_user(EMAIL, None, name="Size", may_create_studies=True)
    study = study_create(actor=owner, name="At size (simulated)")
    dataset = Dataset.objects.create(study=study, name="Pairs", simulated=True)
    Participant.objects.bulk_create(
        Participant(study=study, pseudonym=f"p{number:02}", simulated=True) for number in range(PEOPLE)
    )
    with transaction.atomic():
        _skip_references()
        insert(
            Pair(dataset=dataset, origin="import", genre="crowd:simulated"),
            {
                "hypothesis": "'No small dog number ' || k || ' that lives in the old town ran after a cat.'",
                "digest": "md5('number ' || k)",  # a function of both databases, with Django's help
                "direction": _DIRECTION,
            },
            NUMBERS.format(last=pairs - 1) + "{insert} SELECT {values} FROM n ORDER BY k",
        )
        first = Pair.objects.filter(dataset=dataset).aggregate(first=Min("pk"))["first"]
        number = f"(p.id - {first})"
        of_pairs = f"{{insert}} SELECT {{values}} FROM datasets_pair p WHERE p.dataset_id = {dataset.pk}"
        insert(
            Premise(position=0), {"pair_id": "p.id", "text": "'No dog' || substr(p.hypothesis, 13)"}, of_pairs
        )
        rest = f"number ' || {number} || ' that lives in the old town ran after a cat"
        insert(
            Profile(verbs=" run live ", made_by="simulated"),
            {
                "pair_id": "p.id",
                "words": f"' no dog {rest} | no small dog {rest} '",
                "operators": f"CASE {number} % 10 WHEN 0 THEN ' every no ' ELSE ' no ' END",
                "shared_operators": f"CASE {number} % 7 WHEN 0 THEN '' ELSE ' no ' END",
                "argument_of": f"CASE {number} % 3 WHEN 0 THEN '' ELSE ' no ' END",
                "depth": f"{number} % 7",
            },
            of_pairs,
        )
        label = _SAID.format(k=number, slip=f"{number} % 11 = 0")
        sure = f"0.5 + ({number} % 50) / 100.0"
        calculus = CalculusLabel(
            engine="calculus", engine_version="1", convention="default", parser="simulated"
        )
        insert(
            calculus,
            {"pair_id": "p.id", "label": label, "direction": "p.direction", "confidence": sure},
            of_pairs + " ORDER BY p.id",
        )
        insert(GoldLabel(source="file"), {"pair_id": "p.id", "label": _RIGHT.format(k=number)}, of_pairs)
        tag = f"CASE {number} % 4 WHEN 0 THEN 'lexical' WHEN 1 THEN 'conjunction' ELSE 'reverse' END"
        insert(Tag(source="file"), {"pair_id": "p.id", "name": tag}, of_pairs)
        for place in range(MODELS):
            model = Model.objects.create(study=study, name=f"Model {place + 1}", kind="overlap")
            run = Run.objects.create(model=model, dataset=dataset, fingerprint=f"{place}")
            said = _SAID.format(k=number, slip=f"({number} * 7 + {place}) % {4 + place} = 0")
            sure = f"CASE WHEN {said} = 'entailment' THEN 0.55 ELSE 0.0 END"
            scores = _scores(f"({sure} + ({number} * 37 % 45) / 100.0)")
            insert(Prediction(run=run), {"pair_id": "p.id", "label": said, "scores": scores}, of_pairs)
        gold_rule_create(study=study, actor=owner, name="Most people", options=Options(rule="majority"))
        half = pairs // 2
        _contrasted(first + half, half)
        _judged(dataset, owner, "First half", first, first + half)
        _judged(dataset, owner, "Second half", first + half, first + pairs)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as its autovacuum does after a while
    # Where references aren't looked up, triggers aren't run either: count what there is.
    triggers_lift()
    triggers_lay()
    return study


def _scores(probability: str) -> str:
    """The scores of a prediction with this probability of entailment, in SQL."""
    return f"{_object()}('entailment', {probability}, 'non-entailment', 1 - {probability})"


def _object() -> str:
    from django.db import connection

    return "jsonb_build_object" if connection.vendor == "postgresql" else "json_object"


def _contrasted(first: int, half: int) -> None:
    """Pairs from this number on are contrasts of those so many before them."""
    from django.db import connection

    facts = f"{_object()}('contrast', 'some for every', 'contrast_of', id - {half})"
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE datasets_pair SET facts = {facts} WHERE id >= {first}")


def _judged(dataset: Any, owner: Any, name: str, first: int, last: int) -> None:
    """A campaign over the pairs of these numbers, complete."""
    from django.utils import timezone

    from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement
    from apps.studies.models import Participant
    from bench.load.filling import NUMBERS, insert

    now = timezone.now()
    campaign = Campaign.objects.create(
        study=dataset.study, dataset=dataset, name=name, task="validation", target=TARGET, simulated=True
    )
    guideline = Guideline.objects.create(campaign=campaign, version=1, body="Judge.", created_by=owner)
    people = Participant.objects.filter(study=dataset.study).order_by("pk").first()
    insert(
        Item(campaign=campaign, wanted=TARGET, counted=TARGET, is_complete=True),
        {"pair_id": "p.id", "position": f"p.id - {first}"},
        "{insert} SELECT {values} FROM datasets_pair p "
        f"WHERE p.id >= {first} AND p.id < {last} ORDER BY p.id",
    )
    insert(
        Assignment(state="submitted", leased_at=now, shown_at=now, expires_at=now),
        {"item_id": "i.id", "participant_id": f"{people.pk} + (i.pair_id * 7 + k) % {PEOPLE}"},
        NUMBERS.format(last=TARGET - 1)
        + "{insert} SELECT {values} FROM campaigns_item i CROSS JOIN n "
        + f"WHERE i.campaign_id = {campaign.pk} ORDER BY i.id, k",
    )
    slip = "(i.pair_id * 13 + a.participant_id * 5) % 9 = 0"
    insert(
        Judgement(guideline=guideline),
        {
            "assignment_id": "a.id",
            "item_id": "a.item_id",
            "participant_id": "a.participant_id",
            "seconds": "4 + (a.id % 20)",
            "submitted_at": _ago("(a.id * 7919) % 2592000"),
            "answer": _SAID.format(k="i.position", slip=slip),
        },
        "{insert} SELECT {values} FROM campaigns_assignment a JOIN campaigns_item i ON i.id = a.item_id "
        f"WHERE i.campaign_id = {campaign.pk} ORDER BY a.id",
    )


def _ago(seconds: str) -> str:
    """The time so many seconds ago, in SQL: answers come over a month."""
    from django.db import connection

    if connection.vendor == "postgresql":
        return f"now() - ({seconds}) * interval '1 second'"
    return f"datetime('now', '-' || ({seconds}) || ' seconds')"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200_000)
    asked = parser.parse_args()

    import django

    django.setup()
    begun = time.monotonic()
    study = fill(asked.pairs)
    print(f"simulated: {asked.pairs} pairs, {asked.pairs * TARGET} judgements, study {study.slug}")
    print(f"filled in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
