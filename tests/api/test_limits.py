"""A token sends so many requests a minute, and is told how many are left."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def three_reads(settings):
    settings.API_RATES = {"reads": 3, "writes": 1}
    cache.clear()


@pytest.fixture(autouse=True)
def in_the_middle_of_a_minute():
    import time_machine

    with time_machine.travel("2026-01-01T12:00:20Z", tick=False) as traveller:
        yield traveller


def test_one_too_many_is_told_when_to_come_back(ada, study, token_client, in_the_middle_of_a_minute):
    client = token_client(ada)
    answers = [client.get("/api/v1/studies/") for _number in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit"] for answer in answers] == [
        f'"reads";r={left};t=40' for left in (2, 1, 0, 0)
    ]
    assert answers[0].headers["RateLimit-Policy"] == '"reads";q=3;w=60'
    assert answers[3].headers["Retry-After"] == "40"
    assert answers[3].json()["type"].endswith("#problem-too-many")
    in_the_middle_of_a_minute.shift(40)
    assert client.get("/api/v1/studies/").status_code == 200


def test_writes_are_counted_apart_and_each_token_by_itself(ada, study, token_client):
    def write(client):
        return client.post("/api/v1/studies/", {}, content_type="application/json").status_code

    first, second = token_client(ada), token_client(ada)
    assert [write(first), write(first)] == [422, 429]
    assert first.get("/api/v1/studies/").status_code == 200
    assert write(second) == 422


def test_a_cache_that_is_down_limits_nobody(ada, study, token_client, settings, monkeypatch):
    def down(*arguments, **options):
        raise ConnectionError("no cache")

    monkeypatch.setattr("apps.api.limits.cache.add", down)
    client = token_client(ada)
    assert [client.get("/api/v1/studies/").status_code for _number in range(5)] == [200] * 5


def test_without_a_limit_nothing_is_counted(ada, study, token_client, settings):
    settings.API_RATES = {"reads": 0, "writes": 0}
    client = token_client(ada)
    answers = [client.get("/api/v1/studies/") for _number in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 5
    assert "RateLimit" not in answers[0].headers
