"""What each page of a small study asks of the database: bench/pages.py measures the same of a large one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from django.test import Client

from apps.accounts.models import User
from apps.campaigns.answer_counts import answers_given
from apps.campaigns.models import Judgement
from bench.pages import addresses, look
from bench.study_at_size import EMAIL, fill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def an_answer() -> None:
    """Somebody revises an answer, which counts as a change."""
    Judgement.objects.order_by("pk")[0].save()


@pytest.fixture
def study():
    return fill(30)


@pytest.fixture
def asks(study, monkeypatch) -> Callable[[str], tuple[int, int]]:
    """The answer's status and the statements of a page of the study."""
    monkeypatch.setattr("logging.root.manager.disable", 30)  # of addresses that take no GET
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(email=EMAIL), backend="django.contrib.auth.backends.ModelBackend")

    def ask(address: str) -> tuple[int, int]:
        status, _seconds, _processor, statements = look(client, address)
        return status, statements

    return ask


def pages(study) -> Iterator[tuple[str, str]]:
    """Every page, and the pairs' list by each filter once."""
    seen = set()
    for name, address in addresses(study):
        if (kind := name.split("=")[0]) not in seen:
            seen.add(kind)
            yield name, address


def test_no_page_of_a_small_study_takes_more_statements_than_a_large_ones(study, asks):
    """Fifteen where nothing changed since it was looked at; where an answer came in, what it changes is
    counted, in seven more at most."""
    again, after_an_answer = {}, {}
    for name, address in pages(study):
        status, _first = asks(address)
        if status == 200:
            _status, again[name] = asks(address)
            an_answer()
            _status, after_an_answer[name] = asks(address)
    assert len(again) > 90
    assert {name: number for name, number in again.items() if number > 15} == {}
    assert {name: number for name, number in after_an_answer.items() if number > 22} == {}


def test_what_was_counted_is_remembered_for_the_same_rows_alone(study, django_assert_max_num_queries):
    """And not within a transaction, whose rows may be taken back."""
    first = answers_given(study).value
    with django_assert_max_num_queries(1):
        assert answers_given(study).value == first
    with transaction.atomic():
        Judgement.objects.order_by("pk")[0].delete()
        inside = answers_given(study).value
        transaction.set_rollback(True)
    assert sum(inside.values()) == sum(first.values()) - 1
    with django_assert_max_num_queries(1):
        assert answers_given(study).value == first
    an_answer()
    with pytest.raises(pytest.fail.Exception), django_assert_max_num_queries(1):
        answers_given(study)
