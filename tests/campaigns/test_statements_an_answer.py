"""How many statements an answer is, from the page's script's request to the next card.

All of them are counted, on the connection itself: also the question whether it still lives, which Django
asks once a request. What begins and ends a transaction is named beside them.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from itertools import groupby

import psycopg2.extensions
import pytest
from django.db import connection
from django.urls import reverse

from apps.campaigns.models import Campaign
from tests.campaigns.conftest import set_target

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

MOST = 14
_OF_TRANSACTIONS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


@contextmanager
def statements():
    """The statements that run inside, in their order."""
    found: list[str] = []
    if connection.vendor == "postgresql":
        with _on_postgresql(found):
            yield found
    else:
        connection.ensure_connection()
        heard: list[str] = []
        connection.connection.set_trace_callback(lambda sql: heard.append(" ".join(sql.split())))
        try:
            yield found
        finally:
            connection.connection.set_trace_callback(None)
            # A statement is named again for each that its triggers run in the database (apps/tallies).
            found += [sql for sql, _again in groupby(heard)]


@contextmanager
def _on_postgresql(found: list[str]):
    class Counting(psycopg2.extensions.cursor):
        def execute(self, sql, values=None):
            # psycopg2 sends it ahead of a transaction's first statement; Django ends one by its methods.
            status = self.connection.info.transaction_status
            if not self.connection.autocommit and status == psycopg2.extensions.TRANSACTION_STATUS_IDLE:
                found.append("BEGIN")
            found.append(" ".join(str(sql).split()))
            return super().execute(sql, values)

    connection.ensure_connection()
    held, commit = connection.connection, connection._commit
    before, held.cursor_factory = held.cursor_factory, Counting
    connection.health_check_enabled, connection.health_check_done = True, False  # as when a request begins
    connection._commit = lambda: (found.append("COMMIT"), commit())[1]
    try:
        yield found
    finally:
        held.cursor_factory, connection._commit = before, commit
        connection.health_check_enabled = False


def sorted_out(found: list[str]) -> tuple[list[str], Counter[str]]:
    """The statements, and how many of each kind begin and end transactions."""
    words = [sql.split()[0] for sql in found]
    of_transactions = Counter(word for word in words if word in _OF_TRANSACTIONS)
    return [
        sql for sql, word in zip(found, words, strict=True) if word not in _OF_TRANSACTIONS
    ], of_transactions


@pytest.fixture
def many(validation):
    """So many places that none of the answers is the last of an item, in an order in which the search for the
    next one does not go round (which is one statement more)."""
    Campaign.objects.update(order=Campaign.Order.FIXED)
    set_target(validation, 20)
    return validation


def _next(client, address: str):
    sent = client.post(address, {"answer": "entailment"}, headers={"Polarlab-Inline": "yes"})
    assert sent.status_code == 200, sent.content[:300]
    return sent.headers["Polarlab-Address"]


def _first(client, campaign: Campaign) -> str:
    start = reverse("work:campaign", args=[campaign.pk])
    client.post(f"{start}begin/")
    return client.get(start).headers["Location"]


def test_an_answer_and_the_next_card_are_at_most_fourteen(many, ben, client_of):
    client = client_of(ben)
    address = _next(client, _first(client, many))
    with statements() as found:
        _next(client, address)
    counted, of_transactions = sorted_out(found)
    assert len(counted) <= MOST, "\n".join(counted)
    assert of_transactions == {"BEGIN": 1, "COMMIT": 1}


def test_what_is_counted_is_what_runs(many, ben, client_of):
    """The control: each of the rows that an answer writes has a statement among the counted."""
    client = client_of(ben)
    address = _first(client, many)
    with statements() as found:
        _next(client, address)
    counted = " ".join(found)
    for table in ("judgement", "judgementrevision", "assignment", "item", "tally"):
        assert f"campaigns_{table}" in counted
    assert "studies_auditevent" in counted and "accounts_session" in counted
    assert (connection.vendor == "postgresql") == ("SELECT 1" in found)


def test_a_page_of_questions_costs_little_more_an_answer(many, ben, client_of):
    Campaign.objects.update(page_size=2)
    client = client_of(ben)
    address = _first(client, many)
    page = client.get(address).content.decode()
    leases = many.items.filter(assignments__state="leased").values_list("assignments__pk", flat=True)
    assert all(f"answer-{pk}" in page for pk in leases)
    with statements() as found:
        client.post(
            address,
            {f"answer-{pk}": "entailment" for pk in leases},
            headers={"Polarlab-Inline": "yes"},
        )
    assert len(sorted_out(found)[0]) <= 2 * MOST
