"""What annotators' pages read: their campaigns, and how far they are in one."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from apps.accounts.models import User
from apps.campaigns import extensions, gates
from apps.campaigns.card_sql import left_up_to
from apps.campaigns.models import Campaign, Item, Judgement, ModelReply, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.selectors.availability import items_left_for, personal_refusal_of, places_left
from apps.frame.clock import database_now
from apps.studies.models import Participant

#: So many items left are many: a card then says only how many are done.
MANY = 100


@dataclass(frozen=True)
class Rough:
    """How far somebody is, in tens of percent; None where more than :data:`MANY` items are left."""

    percent: int | None


@dataclass(frozen=True)
class Task:
    """One campaign on an annotator's list: what they did of it, and what is left for them or (``nothing``)
    why they get nothing of it."""

    campaign: Campaign
    done: int
    left: int
    rough: Rough | None
    nothing: NothingNow | None = None


def tasks_of(user: User) -> list[Task]:
    """The open and paused campaigns of the user's studies, but for those that are none of theirs: given to
    others, or begun with a quiz that they did not pass. Three queries, two for each study, and the gates'
    for each campaign."""
    now = database_now()
    campaigns = list(
        Campaign.objects.filter(
            study__in=user.memberships.values("study"),
            state__in=[Campaign.State.OPEN, Campaign.State.PAUSED],
        )
        .exclude(closes_at__lte=now)
        .select_related("study", *extensions.names())
        .order_by("study__name", "name")
    )
    participants = {p.study_id: p for p in Participant.objects.filter(user=user).select_related("user")}
    done: dict[int, int] = {}
    left: dict[int, int] = {}
    for study_id in {campaign.study_id for campaign in campaigns}:
        participant = participants.get(study_id)
        items = Item.objects.filter(is_complete=False)
        if participant:
            items = items_left_for(participant)
            answered = Judgement.objects.filter(participant=participant, item__campaign__in=campaigns)
            done |= _by_campaign(answered.values_list("item__campaign").annotate(n=Count("pk")).order_by())
        open_items = items.filter(campaign__in=campaigns, campaign__study=study_id)
        left |= _by_campaign(open_items.values_list("campaign").annotate(n=Count("pk")).order_by())
    found = []
    for campaign in campaigns:
        participant = participants.get(campaign.study_id) or Participant(study=campaign.study, user=user)
        nothing = personal_refusal_of(campaign, participant)
        if not (nothing and nothing.is_final):
            found.append(_task(campaign, done.get(campaign.pk, 0), left.get(campaign.pk, 0), nothing))
    return found


def _task(campaign: Campaign, done: int, left: int, nothing: NothingNow | None) -> Task:
    places = places_left(campaign, done)
    left = left if places is None else min(left, places)
    return Task(campaign, done, left, _rough(campaign, done, left), nothing)


def _by_campaign(
    rows: QuerySet[Item, tuple[int, int]] | QuerySet[Judgement, tuple[int, int]],
) -> dict[int, int]:
    return dict(rows)


def tally_of(campaign: Campaign, participant: Participant) -> Tally:
    """How far somebody is in a campaign; where there is no row yet, one of zeros. One query."""
    rows = Tally.objects.filter(campaign=campaign, participant=participant).select_related("last")
    tally = next(iter(rows), None) or Tally()
    tally.campaign, tally.participant = campaign, participant
    return tally


def left_for(tally: Tally) -> int | None:
    """How many items are left for somebody; None for more than :data:`MANY`, which nobody needs to know
    exactly. One bounded query; with many left, only one on each tenth card, and one to note it."""
    if tally.has_many_left and tally.answered % 10:
        return None
    left = left_up_to(MANY + 1, tally.campaign, tally.participant)
    if tally.pk and tally.has_many_left != (left > MANY):
        tally.has_many_left = left > MANY
        Tally.objects.filter(pk=tally.pk).update(has_many_left=tally.has_many_left)
    places = places_left(tally.campaign, tally.answered)
    if places is not None and places <= MANY:
        return min(left, places)
    return left if left <= MANY else None


def hides_tests(campaign: Campaign) -> bool:
    """Whether items stand unmarked among the others that are none of the work: an exact count would tell how
    many they are."""
    return gates.hides_items(campaign)


def rough_of(tally: Tally, left: int | None) -> Rough | None:
    """What may be said of how far somebody is where test questions are hidden; None where they are not."""
    return _rough(tally.campaign, tally.answered, left)


def _rough(campaign: Campaign, answered: int, left: int | None) -> Rough | None:
    if not hides_tests(campaign):
        return None
    return Rough(None if left is None else 10 * round(10 * answered / ((answered + left) or 1)))


def reply_of(judgement: Judgement) -> ModelReply | None:
    """What the model in the loop says about the judgement's present revision, with its job."""
    replies = ModelReply.objects.filter(judgement=judgement, revision=judgement.revision)
    return replies.select_related("job", "model").first()
