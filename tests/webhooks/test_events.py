"""Events: what they cost those who submit, and what is never told."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.webhooks import services
from apps.webhooks.deliveries import tell_all
from apps.webhooks.events import EventType, address_name, events_record
from apps.webhooks.models import Event
from tests.webhooks.conftest import HERE

pytestmark = pytest.mark.django_db


def queries_of_an_answer(answer, user) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        answer(user)
    return [query["sql"] for query in captured if "webhook" in query["sql"]]


def test_a_submit_costs_no_query_where_nobody_listens(answer, ben):
    assert queries_of_an_answer(answer, ben) == []


def test_a_submit_costs_one_insert_however_many_listen(webhook, receiver, answer, ben, study, ada, settings):
    for port in (8001, 8002):
        services.webhook_create(
            study=study, actor=ada, address=f"http://127.0.0.1:{port}/", events=["judgement.submitted"],
            server=HERE,
        )  # fmt: skip
    found = queries_of_an_answer(answer, ben)
    assert len(found) == 1 and found[0].startswith("INSERT")


def test_who_listens_for_something_else_costs_a_submit_nothing(webhook, answer, ben, ada):
    services.webhook_update(webhook=webhook, actor=ada, events=["release.ready"])
    assert queries_of_an_answer(answer, ben) == []


def test_what_is_rolled_back_is_never_told(webhook, receiver, answer, ben):
    from django.db import transaction

    with pytest.raises(RuntimeError), transaction.atomic():
        answer(ben)
        raise RuntimeError
    assert tell_all() == 0 and not Event.objects.exists()


def test_answers_to_test_questions_are_told_nobody(webhook, campaign, answer, ben, ada):
    from apps.campaigns.models import Judgement
    from apps.quality.questions import Draft, question_create
    from apps.quality.settings import quality_update

    for animal in ("cat", "horse", "goose"):
        draft = Draft(
            (f"Every {animal} sleeps.",), f"Every old {animal} sleeps.", "entailment", "Old ones too."
        )
        question_create(campaign=campaign, actor=ada, draft=draft)
    quality_update(campaign=campaign, actor=ada, quiz_size=2, quiz_wrong=1)
    for _question in range(2):
        answer(ben)
    assert Judgement.objects.filter(item__is_test=True).count() == 2
    assert not Event.objects.exists()


@pytest.mark.parametrize("type_", EventType.values)
def test_every_event_has_a_subject_with_an_address_in_the_api(type_):
    assert reverse(address_name(type_), args=[1]).endswith("/1/")


def test_an_event_that_does_not_name_its_subject_is_refused(webhook, study):
    study.refresh_from_db()
    with pytest.raises(ValueError, match="which release"):
        events_record(EventType.RELEASE_READY, study=study, at=timezone.now(), data=[{"dataset": 1}])
    assert not Event.objects.exists()
