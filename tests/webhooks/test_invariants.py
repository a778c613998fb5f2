"""A study that does not know what its webhooks want, and events that nobody deals out, are seen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.studies.models import Study
from apps.webhooks import invariants
from apps.webhooks.models import Event, Webhook

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lines(check) -> list[str]:
    return [str(fault) for fault in check(None)]


def test_a_study_that_records_what_its_webhooks_want_is_no_fault(webhook, study):
    assert lines(invariants.listening) == []
    Webhook.objects.update(disabled_at=timezone.now())
    (line,) = lines(invariants.listening)
    assert f"study {study.pk} records" in line and "want []" in line


def test_a_study_that_does_not_know_of_its_webhook(webhook):
    Study.objects.update(told_events=[])
    (line,) = lines(invariants.listening)
    assert "records []" in line and "release.ready" in line


def test_an_event_that_nobody_deals_out(study):
    event = Event.objects.create(study=study, type="release.ready", at=timezone.now())
    assert lines(invariants.dealt) == []
    Event.objects.update(at=timezone.now() - timedelta(hours=2))
    (line,) = lines(invariants.dealt)
    assert f"event {event.pk} (release.ready)" in line and "start a worker" in line
