"""A POST with an Idempotency-Key is done once."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.api.idempotency import answers_expire
from apps.api.models import KeptAnswer
from apps.studies.models import AuditEvent, Study

pytestmark = pytest.mark.both


@pytest.fixture
def client(ada, token_client):
    return token_client(ada)


def post(client, body, key="key-1"):
    return client.post(
        "/api/v1/studies/", body, content_type="application/json", headers={"Idempotency-Key": key}
    )


def test_the_same_request_again_gets_the_same_answer_and_changes_nothing(client):
    first = post(client, {"name": "Farm"})
    count = AuditEvent.objects.count()
    Study.objects.update(created_at=timezone.now() - timedelta(hours=1))  # past the pages' own double click
    second = post(client, {"name": "Farm"})
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert first.headers["Location"] == second.headers["Location"] == "/api/v1/studies/farm/"
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert (Study.objects.count(), AuditEvent.objects.count()) == (1, count)


def test_the_order_of_names_and_spaces_are_no_difference(client):
    first = post(client, '{"name": "Farm", "description": "x"}')
    second = post(client, '{ "description":"x",\n"name":"Farm" }')
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.headers["Idempotency-Replayed"] == "true"


def test_the_same_key_with_another_body_is_refused(client):
    post(client, {"name": "Farm"})
    answer = post(client, {"name": "Zoo"})
    assert answer.status_code == 422
    assert answer.json()["type"].endswith("#problem-key-reused")
    assert Study.objects.count() == 1


def test_another_key_and_no_key_make_another(client):
    post(client, {"name": "Farm"})
    Study.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert post(client, {"name": "Farm"}, key="key-2").json()["slug"] == "farm-2"
    assert (
        client.post("/api/v1/studies/", {"name": "Zoo"}, content_type="application/json").status_code == 201
    )


def test_a_key_is_its_users_own(client, olaf, token_client):
    post(client, {"name": "Farm"})
    answer = post(token_client(olaf), {"name": "Farm"})
    assert answer.json()["slug"] == "farm-2"


def test_what_failed_is_not_kept(client):
    assert post(client, {"name": ""}).status_code == 422
    assert post(client, {"name": "Farm"}).status_code == 201


def test_effect_and_answer_are_stored_together_or_not_at_all(client, monkeypatch):
    monkeypatch.setattr("apps.api.idempotency._kept", lambda data, shown_once: 1 / 0)
    client.raise_request_exception = False
    assert post(client, {"name": "Farm"}).status_code == 500
    assert (Study.objects.count(), KeptAnswer.objects.count()) == (0, 0)


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "ä"])
def test_a_key_that_is_none_is_named(key, client):
    answer = post(client, {"name": "Farm"}, key=key)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["header"] == "Idempotency-Key"


def test_after_a_day_the_key_is_free_and_swept(client):
    post(client, {"name": "Farm"})
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=23))
    assert answers_expire() == 0
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert post(client, {"name": "Zoo"}).status_code == 201
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert answers_expire() == 1
    assert not KeptAnswer.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one(client, monkeypatch):
    """On PostgreSQL the second is told to wait; on SQLite it waits, and gets the first's answer."""
    from apps.studies import services

    inside, go_on, make = threading.Event(), threading.Event(), services.study_create

    def slow(**fields):
        inside.set()
        go_on.wait(10)
        return make(**fields)

    monkeypatch.setattr("apps.studies.services.study_create", slow)
    headers = dict(client.defaults)
    answers = []

    def send():
        answers.append(post(Client(**headers), {"name": "Farm"}))
        connection.close()

    threads = [threading.Thread(target=send) for _number in range(2)]
    threads[0].start()
    assert inside.wait(10)
    threads[1].start()
    if connection.vendor == "postgresql":
        threads[1].join(10)
        assert [answer.status_code for answer in answers] == [409]
    go_on.set()
    for thread in threads:
        thread.join(10)
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == ([201, 409] if connection.vendor == "postgresql" else [201, 201])
    assert Study.objects.count() == 1
