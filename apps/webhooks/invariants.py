"""What must hold of webhooks: studies know what is wanted of them, and events are dealt out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from apps.studies.models import Study
from apps.studies.soundness import Fault, rows
from apps.webhooks.models import Event, Webhook

# Longer than any sweep takes.
_WAIT = timedelta(hours=1)


def listening(study: Study | None) -> Iterator[Fault]:
    """A study's ``told_events`` are what its webhooks want; else answers would be told nobody."""
    studies = Study.objects.filter(pk=study.pk) if study else Study.objects.all()
    wanted: dict[int, set[str]] = defaultdict(set)
    for pk, events in rows(Webhook, study).filter(disabled_at=None).values_list("study", "events"):
        wanted[pk].update(events)
    for pk, told in studies.values_list("pk", "told_events").iterator():
        if set(told) != wanted[pk]:
            text = f"study {pk} records {sorted(told)}, and its webhooks want {sorted(wanted[pk])}"
            yield Fault("webhook", text, "switch one of its webhooks off and on")


def dealt(study: Study | None) -> Iterator[Fault]:
    """No event lies about for long before its deliveries are made."""
    old = rows(Event, study).filter(is_dealt=False, at__lt=timezone.now() - _WAIT)
    for pk, type_, at in old.values_list("pk", "type", "at").iterator():
        text = f"event {pk} ({type_}) of {at:%Y-%m-%d %H:%M} was told nobody"
        yield Fault("webhook", text, "start a worker and the beat (manage.py start does both)")


CHECKS = (listening, dealt)
