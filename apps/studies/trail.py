"""The trail as its reader sees it: in words, with names for things, and narrowed to what is looked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from apps.studies.access import within
from apps.studies.models import AuditEvent, Study
from apps.studies.trail_words import ACTIONS, DETAILS, GROUPS

# Everything but answers: what people did to the study, rather than in it.
QUIET = "quiet"
# Things with a name of their own, by what the trail calls them.
_NAMED = {
    "campaign": "campaigns.Campaign",
    "dataset": "datasets.Dataset",
    "corpus": "corpora.Corpus",
    "blankset": "corpora.BlankSet",
    "model": "inference.Model",
}


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
    named = [(key, str(name)) for key, (name, _words) in GROUPS.items()]
    return [(QUIET, _("everything but answers")), *named]


def events_of(
    study: Study, *, what: str = "", who: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[AuditEvent]:
    """The study's events, newest first, with who did them. ``who`` is a pseudonym, a part of a name, or an
    e-mail address; days are UTC's, both included."""
    found = within(AuditEvent, study).select_related("actor", "participant")
    if what == QUIET:
        found = found.exclude(_begins_with(GROUPS["answers"][1]))
    elif what:
        found = found.filter(_begins_with(GROUPS[what][1]))
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


def _begins_with(words: Collection[str]) -> Q:
    found = Q()
    for word in words:
        found |= Q(action__startswith=f"{word}.")
    return found


def lines_of(events: Collection[AuditEvent]) -> list[Line]:
    """The events in words. One query for each kind of thing with a name among them."""
    names = _names_of(events)
    return [_line(event, names) for event in events]


def _names_of(events: Collection[AuditEvent]) -> dict[tuple[str, int], str]:
    names: dict[tuple[str, int], str] = {}
    for kind, label in _NAMED.items():
        pks = {event.object_id for event in events if event.object_type == kind}
        if pks:
            model: type[models.Model] = apps.get_model(label)
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
    return _KINDS.get(kind, lambda: kind)() if kind else ""


_KINDS = {
    "campaign": lambda: _("campaign"),
    "dataset": lambda: _("dataset"),
    "corpus": lambda: _("corpus"),
    "blankset": lambda: _("set of blanks"),
    "model": lambda: _("model"),
    "pair": lambda: _("pair"),
    "judgement": lambda: _("answer"),
    "participant": lambda: _("annotator"),
    "release": lambda: _("release"),
    "study": lambda: _("study"),
    "user": lambda: _("member"),
    "job": lambda: _("job"),
    "panel": lambda: _("panel"),
    "visit": lambda: _("visit"),
    "invitation": lambda: _("invitation"),
    "payout": lambda: _("payout"),
    "rule": lambda: _("rule"),
    "testquestion": lambda: _("test question"),
    "qualityaction": lambda: _("action"),
    "consenttext": lambda: _("text that people agree to"),
    "declaration": lambda: _("what they said of themselves"),
    "bonus": lambda: _("bonus"),
    "webhook": lambda: _("webhook"),
}
# Details that are one of a field's choices, by the action's first word and the detail's name.
_CHOICES = {
    ("campaign", "state"): ("campaigns.Campaign", "state"),
    ("campaign", "task"): ("campaigns.Campaign", "task"),
    ("work", "by"): ("quality.Refusal", "by"),
    ("test_question", "state"): ("quality.TestQuestion", "state"),
    ("rule", "signal"): ("quality.Rule", "signal"),
    ("rule", "then"): ("quality.Rule", "action"),
    ("quality", "signal"): ("quality.Rule", "signal"),
    ("quality", "why"): ("quality.QualityAction", "undone_why"),
    ("visit", "outcome"): ("panels.Visit", "outcome"),
    ("panel", "kind"): ("panels.Panel", "kind"),
    ("membership", "role"): ("studies.Membership", "role"),
    ("invitation", "role"): ("studies.Membership", "role"),
}
# Whose fields the names of what changed are.
_FIELDS = {
    "campaign": "campaigns.Campaign",
    "quality": "quality.Quality",
    "declaration": "quality.Declaration",
    "panel": "panels.Panel",
    "study": "studies.Study",
}


def _value(event: AuditEvent, key: str, value: Any) -> str:
    """A detail in words, where it has some."""
    first = event.action.partition(".")[0]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(_field_name(first, str(one)) if key == "changed" else str(one) for one in value)
    if (first, key) in _CHOICES:
        label, name = _CHOICES[first, key]
        choices: Any = apps.get_model(label)._meta.get_field(name)
        return str(dict(choices.flatchoices).get(value, value)) or "–"
    return "–" if value in (None, "") else str(value)


def _field_name(first: str, name: str) -> str:
    """What a form calls a field; its code where it is none of that thing's."""
    if first not in _FIELDS:
        return name
    fields: Any = {one.name: one for one in apps.get_model(_FIELDS[first])._meta.get_fields()}
    return str(getattr(fields.get(name), "verbose_name", name))
