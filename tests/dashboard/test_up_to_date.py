"""While answers come in, no page shows a number that is more than a minute behind the last of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apps.campaigns.models import Campaign
from apps.campaigns.services import campaign_create, campaign_set_state, judgement_submit, work_next
from apps.datasets.services import pair_get_or_create
from apps.studies.models import Participant
from apps.tallies import selectors
from workers.tasks import sweep

pytestmark = [pytest.mark.django_db, pytest.mark.both]

STEP = 15  # seconds between two answers, and two looks
assert settings.SWEEP_SECONDS == STEP
ANSWERS = 12


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Every number is kept, and counted by a job."""
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 0)


@pytest.fixture
def clock():
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def campaign(study, ada, dataset) -> Campaign:
    for number in range(4):
        premises = [(f"No dog {number} ran.", None)]
        pair_get_or_create(
            dataset=dataset, premises=premises, hypothesis=f"No small dog {number} ran.", origin="import"
        )
    made = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1)
    return campaign_set_state(campaign=made, actor=ada, state="open")


@pytest.fixture
def answers(study, campaign) -> Iterator[datetime]:
    """Each step gives one answer, as an annotator does; three people, four pairs."""
    people = [Participant.objects.create(study=study, pseudonym=f"person-{n}") for n in range(3)]

    def come() -> Iterator[datetime]:
        for number in range(ANSWERS):
            (lease,) = work_next(campaign=campaign, participant=people[number % 3])
            judgement_submit(assignment=lease, answer="entailment")
            yield timezone.now()

    return come()


@pytest.fixture
def shown(client_of, rosa, study, campaign):
    """How many answers each page says there are, and as of when; None where it says that it is counting."""
    client = client_of(rosa)
    pages = {
        "dashboard": reverse("dashboard:home", args=[study.slug]),
        "campaign": reverse("campaigns:campaign", args=[study.slug, campaign.pk]),
        "study": reverse("studies:overview", args=[study.slug]),
    }

    def numbers(context) -> dict:
        return {
            "dashboard": lambda: (context["progress"].value, context["progress"].found.as_of),
            "campaign": lambda: (context["progress"], context["counted"].as_of),
            "study": lambda: (context["found"].campaigns, context["found"].as_of),
        }

    def look() -> dict[str, tuple[int, datetime] | None]:
        found = {}
        for name, address in pages.items():
            answer = client.get(address)
            value, as_of = numbers(answer.context)[name]()
            if isinstance(value, list):
                value = value[0] if value else None
            if value is None:
                assert b"These numbers are being counted." in answer.content
                found[name] = None
                continue
            assert f"{as_of:%H:%M:%S} (UTC)" in answer.content.decode(), name
            said = {"dashboard": "counted", "campaign": "judgements", "study": "answers"}[name]
            found[name] = (getattr(value, said), as_of)
        return found

    return look


def test_the_schedule_keeps_every_page_within_a_minute_of_the_last_answer(clock, answers, shown, work):
    came: list[datetime] = []

    def there_at(moment: datetime) -> int:
        return sum(at <= moment for at in came)

    shown()
    work()
    for step in range(ANSWERS + 4):  # four more: a minute after the last answer
        clock.shift(1)  # an answer comes after the counting
        came += [at for at in [next(answers, None)] if at]
        found, now = shown(), timezone.now()
        for name, told in found.items():
            assert told is not None, (name, step)  # nobody is kept waiting, either
            number, as_of = told
            assert number == there_at(as_of), (name, step)
            assert number >= there_at(now - timedelta(seconds=60)), (name, step)
        clock.shift(STEP - 1)
        sweep()
        work()
    assert {told[0] for told in shown().values()} == {ANSWERS}


def test_without_the_schedule_a_number_goes_and_is_not_shown_old(clock, answers, shown, work):
    next(answers)
    shown()
    work()
    assert {told[0] for told in shown().values()} == {1}
    next(answers)
    clock.shift(60)
    assert {told[0] for told in shown().values()} == {1}  # a minute old, and still of that minute
    clock.shift(1)
    assert set(shown().values()) == {None}
