"""Who came for work and was not let in: noted when they are told so, and read by the researchers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from apps.campaigns.models import Campaign
from apps.campaigns.reasons import NothingNow
from apps.frame.clock import database_now
from apps.quality import eligibility, places, quizzes
from apps.quality.eligibility import Refused
from apps.quality.models import AllowedPerson, Declaration, Refusal
from apps.quality.settings import quality_or_none
from apps.studies import audit
from apps.studies.models import Participant


def refusal_note(campaign: Campaign, participant: Participant, found: NothingNow) -> None:
    """Keep that somebody was refused, once for each thing that they were refused by. One query where it is
    known already; none where nothing about them is the reason."""
    if not isinstance(found, Refused) or not found.by:
        return
    with transaction.atomic():
        row, is_new = Refusal.objects.get_or_create(
            campaign=campaign,
            participant=participant,
            by=found.by,
            defaults={"said": found.said, "at": database_now()},
        )
        if row.said != found.said:
            Refusal.objects.filter(pk=row.pk).update(said=found.said, at=database_now())
        if is_new:
            audit.record(
                "work.refused", study=campaign.study, participant=participant, subject=campaign, by=found.by
            )


@dataclass(frozen=True)
class Standing:
    """A refusal, and whether it would be said today."""

    refusal: Refusal
    holds: bool

    @property
    def said(self) -> str:
        """What they had said, in words; "" where it was nothing that they said."""
        value = self.refusal.said
        if self.refusal.by == Refusal.By.LANGUAGE:
            return places.language_name(value)
        if self.refusal.by == Refusal.By.COUNTRY:
            return places.country_name(value)
        return f"{value} %" if self.refusal.by == Refusal.By.APPROVAL_RATE else value


def standings_of(campaign: Campaign, only: int | None = None) -> list[Standing]:
    """Whoever was refused in the campaign, the latest first. Five queries, whatever their number."""
    rows = Refusal.objects.filter(campaign=campaign).select_related("participant__user")
    found = list(rows.filter(participant=only) if only else rows)
    quality = quality_or_none(campaign)
    if not found or quality is None:
        return [Standing(row, False) for row in found]
    people = {row.participant_id for row in found}
    listed = {
        name.casefold()
        for name in AllowedPerson.objects.filter(campaign=campaign).values_list("name", flat=True)
    }
    said = {one.participant_id: one for one in Declaration.objects.filter(participant__in=people)}
    failed = quizzes.failed_among(quality, people)

    def holds(row: Refusal) -> bool:
        if row.by == Refusal.By.QUIZ:
            return row.participant_id in failed
        if row.by in (Refusal.By.LIST, Refusal.By.MEMBERS):
            asks = quality.uses_allow_list if row.by == Refusal.By.LIST else not quality.members_work
            return asks and not eligibility.names_of(row.participant) & listed
        if not eligibility.asks_to_declare(quality):
            return False
        today = eligibility.refused_by_declaration(quality, said.get(row.participant_id))
        return today is not None and today.by == row.by

    return [Standing(row, holds(row)) for row in found]


def people_refused(standings: Collection[Standing]) -> set[int]:
    """The numbers of those whom something refuses today."""
    return {one.refusal.participant_id for one in standings if one.holds}
