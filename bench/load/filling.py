"""A database as it is after a year: rows by the hundred thousand, written by the database itself.

Numbers alone are put into its SQL, and they are the bench's own.
"""

# ruff: noqa: S608

from __future__ import annotations

from typing import Any

PEOPLE = 64
TARGET = 6
# Of five items four are complete; the fifth has one answer and wants five more.
NUMBERS = "WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < {last}) "


def fill_large(dataset: Any, campaign: Any, users: list[Any], items: int) -> None:
    """``items`` pairs with an item each, and five times as many answers on them: of 64 participants, the
    ``users`` among them, so that each has given its share of everything there is."""
    from django.db import connection, transaction
    from django.db.models import Count, Max, Min
    from django.utils import timezone

    from apps.campaigns.models import Assignment, Item, Judgement, Tally
    from apps.datasets.models import Pair, Premise
    from apps.studies.models import Participant

    now = timezone.now()
    study = dataset.study
    with transaction.atomic():
        _skip_references()
        for number in range(PEOPLE):
            user = users[number] if number < len(users) else None
            Participant.objects.create(study=study, user=user, pseudonym=f"p{number}", simulated=user is None)
        people = Participant.objects.filter(study=study).aggregate(first=Min("pk"))["first"]
        insert(
            Pair(dataset=dataset, origin="import", direction="downward", genre="crowd:downward_monotone"),
            {
                "hypothesis": "'No small dog number ' || k || ' that lives in the old town ran after a cat.'",
                "digest": "'number ' || k",
            },
            NUMBERS.format(last=items - 1) + "{insert} SELECT {values} FROM n ORDER BY k",
        )
        pairs = Pair.objects.filter(dataset=dataset).aggregate(first=Min("pk"))["first"]
        insert(
            Premise(position=0),
            {"pair_id": "p.id", "text": "'No dog' || substr(p.hypothesis, 13)"},
            "{insert} SELECT {values} FROM datasets_pair p "
            f"WHERE p.dataset_id = {dataset.pk} ORDER BY p.id",
        )
        yes, no = ("TRUE", "FALSE") if connection.vendor == "postgresql" else ("1", "0")
        insert(
            Item(campaign=campaign, wanted=TARGET),
            {
                "pair_id": f"{pairs} + k",
                "position": "k",
                "counted": f"CASE k % 5 WHEN 0 THEN 1 ELSE {TARGET} END",
                "is_complete": f"CASE k % 5 WHEN 0 THEN {no} ELSE {yes} END",
            },
            NUMBERS.format(last=items - 1) + "{insert} SELECT {values} FROM n ORDER BY k",
        )
        first = Item.objects.filter(campaign=campaign).aggregate(first=Min("pk"))["first"]
        submitted = Assignment(state="submitted", leased_at=now, shown_at=now, expires_at=now)
        columns = {"item_id": "i.id", "participant_id": f"{people} + ((i.id - {first}) * 7 + k) % {PEOPLE}"}
        insert(
            submitted,
            columns,
            NUMBERS.format(last=TARGET - 1)
            + "{insert} SELECT {values} FROM campaigns_item i JOIN n ON n.k < i.counted "
            + f"WHERE i.campaign_id = {campaign.pk} ORDER BY i.id, k",
        )
        insert(
            Judgement(
                guideline=campaign.guidelines.get(), answer="entailment", seconds=12.5, submitted_at=now
            ),
            {"assignment_id": "a.id", "item_id": "a.item_id", "participant_id": "a.participant_id"},
            "{insert} SELECT {values} FROM campaigns_assignment a "
            f"WHERE a.item_id >= {first} ORDER BY a.id",
        )
        given = Judgement.objects.filter(item__campaign=campaign).order_by().values("participant")
        Tally.objects.bulk_create(
            Tally(
                campaign=campaign, participant_id=row["participant"], answered=row["n"], last_id=row["last"]
            )
            for row in given.annotate(n=Count("pk"), last=Max("assignment"))
        )
    if connection.vendor == "postgresql":  # as its autovacuum does after a while
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _skip_references() -> None:
    """PostgreSQL would look every reference up, which takes a minute; a superuser may do without."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
            if cursor.fetchone()[0]:
                cursor.execute("SET LOCAL session_replication_role = replica")


def insert(row: Any, columns: dict[str, str], statement: str) -> None:
    """``row`` many times over: ``statement`` says how often, ``columns`` what differs, in SQL."""
    from django.db import connection

    every = row._meta.concrete_fields
    fields = [field for field in every if field.column in columns or not field.primary_key]
    fixed = [
        field.get_db_prep_save(field.pre_save(row, True), connection)
        for field in fields
        if field.column not in columns
    ]
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    values = ", ".join(columns.get(field.column, "%s").replace(" % ", " %% ") for field in fields)
    head = f"INSERT INTO {connection.ops.quote_name(row._meta.db_table)} ({names})"
    # SQLite takes WITH in front of INSERT, and so does PostgreSQL.
    with connection.cursor() as cursor:
        cursor.execute(statement.format(insert=head, values=values), fixed)
