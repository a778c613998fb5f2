"""The trail as its reader sees it: in words, with names for things, and narrowed to what is looked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from apps.studies import vocabulary
from apps.studies.access import within
from apps.studies.models import AuditEvent, Study
from apps.studies.vocabulary import ACTIONS, CHOICES, DETAILS, FIELDS, KINDS, NAMED

# Everything but answers: what people did to the study, rather than in it.
QUIET = "quiet"


@dataclass(frozen=True)
class Line:
    """An event in words. ``thing`` is what it was done to, ``name`` that thing's own name (or its number),
    ``details`` the rest; ``code`` is how the API calls the action."""

    at: datetime
    who: str
    what: str
    code: str
    is_named: bool
    thing: str
    name: str
    details: list[tuple[str, str]]


def groups() -> list[tuple[str, str]]:
    """What the trail can be narrowed to."""
    named = [(group.key, str(group.title)) for group in vocabulary.groups()]
    return [(QUIET, _("everything but answers")), *named]


def events_of(
    study: Study, *, what: str = "", who: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[AuditEvent]:
    """The study's events, newest first, with who did them. ``who`` is a pseudonym, a part of a name, or an
    e-mail address; days are UTC's, both included."""
    found = within(AuditEvent, study).select_related("actor", "participant")
    if what == QUIET:
        for group in vocabulary.groups():
            if group.is_answers:
                found = found.exclude(_is_of(group.key))
    elif what:
        found = found.filter(_is_of(what))
    if who := who.strip():
        person = Q(actor__name__icontains=who) | Q(actor__email__iexact=who)
        found = found.filter(person | Q(participant__pseudonym__iexact=who))
    if since:
        found = found.filter(at__gte=_begin(since))
    if until:
        found = found.filter(at__lte=datetime.combine(until, time.max, UTC))
    return found


def _begin(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _is_of(group: str) -> Q:
    found = Q()
    for word in vocabulary.firsts_of(group):
        found |= Q(action__startswith=f"{word}.")
    return found


def lines_of(events: Collection[AuditEvent]) -> list[Line]:
    """The events in words. One query for each kind of thing with a name among them."""
    names = _names_of(events)
    return [_line(event, names) for event in events]


def _names_of(events: Collection[AuditEvent]) -> dict[tuple[str, int], str]:
    names: dict[tuple[str, int], str] = {}
    for kind, model in NAMED.items():
        pks = {event.object_id for event in events if event.object_type == kind}
        if pks:
            rows = model._default_manager.filter(pk__in=pks).values_list("pk", "name")
            names |= {(kind, pk): name for pk, name in rows}
    return names


def _line(event: AuditEvent, names: Mapping[tuple[str, int], str]) -> Line:
    who = event.participant.pseudonym if event.participant else str(event.actor or "")
    number = event.object_id
    name = names.get((event.object_type, number), "") if number else ""
    return Line(
        at=event.at,
        who=who,
        what=str(ACTIONS.get(event.action, event.action)),
        code=event.action,
        is_named=event.action in ACTIONS,
        thing=_thing(event.object_type),
        name=name or str(number or ""),
        details=[
            (str(DETAILS.get(key, key)), _value(event, key, value)) for key, value in event.data.items()
        ],
    )


def _thing(kind: str) -> str:
    """What the trail calls a kind of thing, in words: its model's own name."""
    return str(KINDS.get(kind, kind))


def _value(event: AuditEvent, key: str, value: Any) -> str:
    """A detail in words, where it has some."""
    first = event.action.partition(".")[0]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(_field_name(first, str(one)) if key == "changed" else str(one) for one in value)
    if (first, key) in CHOICES:
        return str(dict(CHOICES[first, key].flatchoices).get(value, value)) or "–"
    return "–" if value in (None, "") else str(value)


def _field_name(first: str, name: str) -> str:
    """What a form calls a field; its code where it is none of that thing's."""
    if first not in FIELDS:
        return name
    fields: Any = {one.name: one for one in FIELDS[first]._meta.get_fields()}
    return str(getattr(fields.get(name), "verbose_name", name))
