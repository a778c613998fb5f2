"""How many rows the statements of an answer visit: few, whatever PostgreSQL knows of the tables.

Each statement of a card and of its answer is run once more by ``EXPLAIN (ANALYZE, FORMAT JSON)``, at its
place in its transaction, and taken back. Rows are counted at every node that reads a table or an index:
those that it gave, and those that it looked at in vain.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager

import pytest
from django.db import connection
from django.urls import reverse

from apps.campaigns.card_sql import STEP
from apps.campaigns.models import Assignment, Campaign, Guideline, Tally
from apps.datasets.models import Dataset
from apps.studies.models import Participant
from apps.studies.services import participant_for

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

#: For one statement. What counts how many are left looks at a step of items, with a few rows for each, and
#: only now and then.
FEW, SEVERAL = 150, 6 * STEP
PEOPLE = 40
EARLIER, EACH = 10, 2000
TABLES = [
    "datasets_pair",
    "datasets_premise",
    *(
        f"campaigns_{name}"
        for name in ("campaign", "item", "assignment", "judgement", "tally", "replacement")
    ),
]


@pytest.fixture(autouse=True)
def postgresql(on_postgresql):
    if not on_postgresql:
        pytest.skip("PostgreSQL's planner")


@contextmanager
def rows_visited():
    """Collects (rows, statement) of everything that runs inside."""
    found: list[tuple[int, str]] = []

    def look(execute, sql, params, many, context):
        if sql.lstrip().split(None, 1)[0] in ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH"):
            with context["connection"].connection.cursor() as cursor:
                cursor.execute("SAVEPOINT looking")
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
                plan = cursor.fetchone()[0][0]["Plan"]
                found.append((_visited(plan), " ".join(sql.split())))
                cursor.execute("ROLLBACK TO SAVEPOINT looking")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield found


def _visited(node) -> int:
    own = 0
    if "Scan" in node["Node Type"] and ("Relation Name" in node or "Index Name" in node):
        seen = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
        own = sum(node.get(name, 0) for name in seen) * max(1, node["Actual Loops"])
    return own + sum(_visited(below) for below in node.get("Plans", ()))


def test_the_count_sees_a_walk_over_all_items(study, ada):
    """The control: a statement that reads a campaign by another condition than its index has."""
    campaign = _campaign(study, ada, _pairs(study, 2000), "All", 2000)
    with rows_visited() as found, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM campaigns_item WHERE campaign_id = %s AND wanted = 7", [campaign.pk])
    assert found[0][0] >= 2000


@pytest.mark.parametrize("size", [500, 10_000, 50_000])
def test_few_rows_for_a_card_and_its_answer(size, study, ada, ben, client_of):
    people = [participant_for(study, ben), *(_person(study, number) for number in range(1, PEOPLE))]
    dataset = _pairs(study, max(size, EACH))
    for number in range(EARLIER):
        _campaign(study, ada, dataset, f"Earlier {number}", EACH, people)
    _analyze()
    campaign = _campaign(study, ada, dataset, "Now", size, people)
    client = client_of(ben)
    _expect_few(client, campaign, "statistics older than the campaign")
    _forget()
    _expect_few(client, campaign, "no statistics")
    _analyze()
    _expect_few(client, campaign, "fresh statistics")


def test_few_rows_are_looked_at_to_count_what_is_left(study, ada, ben, client_of):
    """Whoever has answered nearly all that is open walks past it to the next one, but does not count it."""
    campaign = _campaign(study, ada, _pairs(study, 6000), "Now", 6000, [participant_for(study, ben)], 5940)
    with rows_visited() as found:
        page = _answer_three(client_of(ben), campaign)
    assert "5943 done" in page
    assert all(rows <= SEVERAL for rows, sql in found if sql.startswith("SELECT item.position, "))


def _expect_few(client, campaign: Campaign, statistics: str) -> None:
    Tally.objects.update(has_many_left=False)  # so that what is left is counted
    with rows_visited() as found:
        _answer_three(client, campaign)
    worst = Counter({sql: rows for rows, sql in sorted(found)})
    counting = {sql: worst.pop(sql) for sql in list(worst) if sql.startswith("SELECT item.position, ")}
    assert counting and max(counting.values()) <= SEVERAL, statistics
    sql, rows = worst.most_common(1)[0]
    assert rows <= FEW, f"{rows} rows with {statistics}: {sql}"


def _answer_three(client, campaign: Campaign) -> str:
    """A card asked for, and three answers sent, as the page's script sends them; the last card."""
    address = client.get(reverse("work:campaign", args=[campaign.pk])).headers["Location"]
    assert client.get(address).status_code == 200
    for _turn in range(3):
        sent = client.post(address, {"answer": "entailment"}, headers={"Polarlab-Inline": "yes"})
        assert sent.status_code == 200, sent.content[:300]
        address = sent.headers["Polarlab-Address"]
    return sent.content.decode()


# ---- Filling, by the database itself ---------------------------------------------------------------


def _person(study, number: int) -> Participant:
    return Participant.objects.create(study=study, pseudonym=f"p{number}")


def _pairs(study, count: int) -> Dataset:
    dataset = Dataset.objects.create(study=study, name=f"{count} pairs")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # without looking each reference up
        cursor.execute(
            "INSERT INTO datasets_pair (dataset_id, hypothesis, digest, origin, direction, genre, source,"
            " facts, created_at) SELECT %s, 'No small dog number ' || k || ' barked.', 'digest ' || k,"
            " 'import', 'downward', '', '', '{}', now() FROM generate_series(1, %s) k",
            [dataset.pk, count],
        )
        cursor.execute(
            "INSERT INTO datasets_premise (pair_id, position, text)"
            " SELECT id, 0, 'No dog barked.' FROM datasets_pair WHERE dataset_id = %s",
            [dataset.pk],
        )
    return dataset


def _campaign(study, ada, dataset, name: str, items: int, people=(), answered: int | None = None) -> Campaign:
    """An open campaign over the first pairs. Half of its items (the first ``answered`` in the order of
    numbers times seven, else) have an answer, of one of the people each; the first of them has as many as all
    others together."""
    campaign = Campaign.objects.create(
        study=study, name=name, task="validation", dataset=dataset, state="open", seed=3, created_by=ada
    )
    guideline = Guideline.objects.create(campaign=campaign, version=1, body="Judge.", created_by=ada)
    numbers = [person.pk for person in people]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO campaigns_item (campaign_id, pair_id, position, counted, wanted, is_complete,"
            " is_test) SELECT %s, pair.id, row_number() OVER (ORDER BY id) - 1, 1, 3, FALSE, FALSE"
            " FROM datasets_pair pair WHERE dataset_id = %s ORDER BY id LIMIT %s",
            [campaign.pk, dataset.pk, items],
        )
        if numbers:
            cursor.execute(
                "INSERT INTO campaigns_assignment (item_id, participant_id, state, leased_at, shown_at,"
                " expires_at) SELECT id, (%s::bigint[])[1 + CASE WHEN position %% 2 = 0 THEN 0"
                " ELSE position %% %s END], 'submitted', now(), now(), now() FROM campaigns_item"
                " WHERE campaign_id = %s AND (position * 7) %% %s < %s",
                [
                    numbers,
                    len(numbers),
                    campaign.pk,
                    items,
                    items // 2 if answered is None else answered,
                ],
            )
            cursor.execute(
                "INSERT INTO campaigns_judgement (assignment_id, item_id, participant_id, guideline_id,"
                " answer, nonsense, skip_reason, note, counted, predictions_shown, tries, could_see_labels,"
                " seconds, idle_seconds, read_in, revision, submitted_at) SELECT a.id, a.item_id,"
                " a.participant_id, %s, 'yes',"
                " FALSE, '', '', TRUE, FALSE, 0, FALSE, 3, 0, '', 1, now() FROM campaigns_assignment a"
                " JOIN campaigns_item i ON i.id = a.item_id WHERE i.campaign_id = %s",
                [guideline.pk, campaign.pk],
            )
    for person in people:
        given = Assignment.objects.filter(participant=person, item__campaign=campaign).count()
        Tally.objects.create(campaign=campaign, participant=person, answered=given)
    return campaign


def _analyze() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _forget() -> None:
    """As before the first look of autovacuum."""
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("DELETE FROM pg_statistic WHERE starelid = %s::regclass", [table])
            cursor.execute(
                "UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid = %s::regclass"
                " OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = %s::regclass)",
                [table, table],
            )
