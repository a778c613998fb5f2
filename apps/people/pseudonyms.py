"""Matching pseudonyms with members and panel identifiers: for admins, and always with a line in the trail."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower

from apps.accounts.models import User
from apps.studies import audit
from apps.studies.models import Participant, Study

_AT_ONCE = 500


@dataclass(frozen=True)
class Match:
    """A name that was asked for, and the participant whom it names; None for nobody."""

    name: str
    participant: Participant | None


@transaction.atomic
def pseudonyms_match(*, study: Study, actor: User, names: Collection[str]) -> list[Match]:
    """Whom each name names: a pseudonym, an e-mail address, or an identifier at a panel, whatever its
    capitals.

    Whoever was erased is found by the pseudonym alone, and is nobody. The trail says who looked, and at which
    pseudonyms; not whose they are.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    found = [
        match
        for start in range(0, len(wanted), _AT_ONCE)
        for match in _some(study, wanted[start : start + _AT_ONCE])
    ]
    seen = sorted({match.participant.pseudonym for match in found if match.participant})
    if seen:
        audit.record("pseudonyms.matched", study=study, actor=actor, count=len(seen), pseudonyms=seen)
    return found


def _some(study: Study, wanted: list[str]) -> list[Match]:
    folded = [name.casefold() for name in wanted]
    rows = Participant.objects.filter(study=study).select_related("user")
    rows = rows.annotate(by_pseudonym=Lower("pseudonym"), by_panel=Lower("external_id"))
    people = rows.filter(Q(by_pseudonym__in=folded) | Q(by_panel__in=folded) | Q(user__email__in=folded))
    known: dict[str, list[Participant]] = {}
    for person in people.order_by("pseudonym"):
        email = person.user.email if person.user else ""
        for name in {person.pseudonym.casefold(), person.external_id.casefold(), email.casefold()} - {""}:
            known.setdefault(name, []).append(person)
    return [Match(name, person) for name in wanted for person in known.get(name.casefold(), [None])]
