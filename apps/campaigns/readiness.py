"""What to know before a campaign opens: what it asks for and can't have, in words.

Rooms that can tell register a check when Django starts (in an ``AppConfig.ready``). Pages and API ask for a
yes where there is a doubt; what must be mended keeps the campaign closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns import gates
from apps.campaigns.models import Campaign
from apps.datasets.models import Pair
from apps.frame.clock import database_now
from apps.people.models import Invitation
from apps.studies.access import RESEARCH
from apps.studies.models import Membership, Role


@dataclass(frozen=True)
class Doubt:
    """A sentence about what is missing; one that ``must`` be mended can't be waved through."""

    text: str
    must: bool = False


Check = Callable[[Campaign], Iterator[Doubt]]
_checks: list[Check] = []


def add_check(check: Check) -> None:
    if check not in _checks:
        _checks.append(check)


def doubts_before_opening(campaign: Campaign) -> list[Doubt]:
    """What must be mended first, then what somebody has to say yes to. A campaign that was open before is
    asked only for what must be."""
    was_open = campaign.state != Campaign.State.DRAFT
    checks = (*_checks, too_few_people)
    found = [doubt for check in checks for doubt in check(campaign) if doubt.must or not was_open]
    return sorted(found, key=lambda doubt: not doubt.must)


def doubts_refuse(campaign: Campaign) -> None:
    """ValidationError with every doubt, for whoever asks without a page."""
    if doubts := doubts_before_opening(campaign):
        raise ValidationError({"confirmed": [doubt.text for doubt in doubts]})


def too_few_people(campaign: Campaign) -> Iterator[Doubt]:
    """A study's annotators, invited ones included, who can't come to the number that an item wants:
    researchers' answers don't count, and nobody judges a pair of their own."""
    if gates.is_open_to_others(campaign):
        return
    of_crowd = Pair.objects.filter(items__campaign=campaign, origin=Pair.Origin.CROWD)
    writers = set(of_crowd.values_list("replacements__judgement__participant__user", flat=True))
    members = Membership.objects.filter(study=campaign.study)
    see_labels = members.filter(role__in=RESEARCH).values("user")
    annotators = set(
        members.filter(role=Role.ANNOTATOR).exclude(user__in=see_labels).values_list("user", flat=True)
    )
    people = len(annotators) + _invited(campaign)
    without = 1 if annotators & writers else 0
    if people - without >= campaign.target:
        return
    has = ngettext(
        "Each item wants %(target)d people. The study has %(n)d annotator, open invitations included",
        "Each item wants %(target)d people. The study has %(n)d annotators, open invitations included",
        people,
    ) % {"target": campaign.target, "n": people}
    own = _(", and nobody judges a pair that they wrote") if without else ""
    remedy = _("So the number can't be reached: invite more people, or ask for fewer.")
    yield Doubt(f"{has}{own}. {remedy}")


def _invited(campaign: Campaign) -> int:
    """Open invitations as annotators; each lets one person in."""
    invitations = Invitation.objects.filter(study=campaign.study, role=Role.ANNOTATOR)
    return invitations.filter(accepted_at=None, expires_at__gt=database_now()).count()
