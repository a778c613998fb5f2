"""What the campaign pages and the handing out read."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet

from apps.accounts.models import User
from apps.campaigns import extensions, gates
from apps.campaigns.models import Assignment, Campaign, Item, Judgement, ModelReply, Replacement, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.statements import left_up_to
from apps.datasets.models import Pair
from apps.frame.clock import database_now
from apps.studies.access import RESEARCH
from apps.studies.models import Membership, Participant

#: So many items left are many: a card then says only how many are done.
MANY = 100

# ---- Handing out -----------------------------------------------------------------------------


def refusal_of(campaign: Campaign, participant: Participant, now: datetime) -> NothingNow | None:
    """Why the campaign gives nothing to this participant, whatever is left in it."""
    if campaign.state != Campaign.State.OPEN:
        return NothingNow(campaign.state)
    if campaign.opens_at and now < campaign.opens_at:
        return NothingNow("not-yet", at=campaign.opens_at)
    if campaign.closes_at and now >= campaign.closes_at:
        return NothingNow("over")
    if participant.blocked_at or participant.erased_at:
        return NothingNow("blocked")
    return gates.refusal_of(campaign, participant)


def places_left(campaign: Campaign, answered: int) -> int | None:
    """How many more answers somebody with ``answered`` ones may give; None where there is no cap."""
    return None if campaign.cap is None else max(0, campaign.cap - answered)


def answered_by(campaign: Campaign, participant: Participant) -> int:
    """How many answers somebody gave to the campaign's items; test questions are not asked for."""
    given = Judgement.objects.filter(participant=participant, item__campaign=campaign)
    return given.filter(item__is_test=False).count()


def live_leases(now: datetime) -> QuerySet[Assignment]:
    return Assignment.objects.filter(state=Assignment.State.LEASED, expires_at__gt=now)


def items_left_for(participant: Participant) -> QuerySet[Item]:
    """Incomplete items that the participant has not answered and did not write, in any campaign.

    Who wrote a pair (one of their replacements made it) is never asked to judge it, nor its swapped twin.
    """
    answered = Assignment.objects.filter(
        item=OuterRef("pk"), participant=participant, state=Assignment.State.SUBMITTED
    )
    own = Replacement.objects.filter(judgement__participant=participant)
    return Item.objects.filter(
        ~Exists(answered),
        ~Exists(own.filter(pair=OuterRef("pair"))),
        ~Exists(own.filter(pair=OuterRef("pair__swapped_from"))),
        is_complete=False,
    )


def judged_among(pairs: Collection[int], participant: Participant) -> set[int]:
    """Those of the pairs that the participant has judged, or whose twin. One query."""
    judged = Judgement.objects.filter(participant=participant, counted=True, item__is_test=False)
    same, twin = Q(item__pair__in=pairs), Q(item__pair__swapped_from__in=pairs)
    found = judged.filter(same | twin).values_list("item__pair", "item__pair__swapped_from")
    return {pk for row in found for pk in row if pk is not None and pk in pairs}


def with_room(items: Sequence[Item], now: datetime, *, beside: Assignment | None = None) -> set[int]:
    """The numbers of those items that want one more answer than they have and than others are at.

    Reads afresh, in one query. ``beside`` is an assignment that does not count as somebody at it.
    """
    live = Q(assignments__state=Assignment.State.LEASED, assignments__expires_at__gt=now)
    if beside:
        live &= ~Q(assignments__pk=beside.pk)
    rows = (
        Item.objects.filter(pk__in=[item.pk for item in items])
        .exclude(campaign__state=Campaign.State.CLOSED)
        .annotate(held=Count("assignments", filter=live))
        .values_list("pk", "counted", "held", "wanted")
    )
    return {pk for pk, counted, held, wanted in rows if counted + held < wanted}


def has_room(item: Item, now: datetime, *, beside: Assignment | None = None) -> bool:
    """:func:`with_room` of one item."""
    return item.pk in with_room([item], now, beside=beside)


def nothing_now(campaign: Campaign, participant: Participant) -> NothingNow:
    """The reason why a participant got nothing; up to six queries."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    now = database_now()
    refusal = refusal_of(campaign, participant, now)
    if refusal:
        return refusal
    if places_left(campaign, answered_by(campaign, participant)) == 0:
        return NothingNow("cap")
    if not Item.objects.filter(campaign=campaign, is_complete=False).exists():
        return NothingNow("all-done")
    left = items_left_for(participant).filter(campaign=campaign)
    if not left.exists():
        return NothingNow("own" if _wrote_among_open(campaign, participant) else "yours-done")
    soonest = live_leases(now).filter(item__in=left).aggregate(at=Min("expires_at"))["at"]
    minutes = math.ceil((soonest - now).total_seconds() / 60) if soonest else 1
    return NothingNow("others", max(1, minutes))


def _wrote_among_open(campaign: Campaign, participant: Participant) -> bool:
    """Whether what is still open in a campaign are pairs that the participant wrote."""
    own = Q(pair__replacements__judgement__participant=participant)
    twin = Q(pair__swapped_from__replacements__judgement__participant=participant)
    return Item.objects.filter(own | twin, campaign=campaign, is_complete=False).exists()


def has_work(campaign: Campaign, participant: Participant) -> bool:
    """Whether anything in the campaign may be given to the participant, now or when others have let go.
    Up to four queries."""
    if refusal_of(campaign, participant, database_now()):
        return False
    if places_left(campaign, answered_by(campaign, participant)) == 0:
        return False
    return left_up_to(1, campaign, participant) > 0


def sees_labels(participant: Participant) -> bool:
    """Whether whoever answers can look at labels, so that the answers never count. One query."""
    members = Membership.objects.filter(study=participant.study_id, user=participant.user_id)
    return participant.user_id is not None and members.filter(role__in=RESEARCH).exists()


# ---- The annotator's pages -------------------------------------------------------------------


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


def personal_refusal_of(campaign: Campaign, participant: Participant) -> NothingNow | None:
    """Why somebody gets nothing from a campaign, where the reason is about them; who is only to be asked
    first is not refused yet."""
    if participant.blocked_at or participant.erased_at:
        return NothingNow("blocked")
    found = gates.refusal_of(campaign, participant)
    return None if found and found.reason == "declare" else found


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


# ---- The researcher's pages ------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """A campaign's items by how far they are, and its answers. ``surplus`` answers came too late to
    count; skips are answers too."""

    items: int
    complete: int
    partial: int
    judgements: int
    skips: int
    surplus: int
    live: int

    @property
    def untouched(self) -> int:
        return self.items - self.complete - self.partial

    @property
    def share(self) -> float | None:
        return self.complete / self.items if self.items else None


@dataclass(frozen=True)
class Annotator:
    """One participant's work in a campaign; ``seconds`` is the median of an answer's active time."""

    participant: Participant
    judgements: int
    skips: int
    surplus: int
    seconds: float


def progress_counts(campaigns: Sequence[Campaign]) -> dict[int, Progress]:
    """The progress of each campaign, by its number. Three queries whatever their count."""
    complete = Q(is_complete=True)
    items = {
        pk: counts
        for pk, *counts in Item.objects.filter(campaign__in=campaigns, is_test=False)
        .order_by()
        .values_list("campaign")
        .annotate(
            items=Count("pk"),
            complete=Count("pk", filter=complete),
            partial=Count("pk", filter=~complete & Q(counted__gt=0)),
        )
    }
    judgements = {
        pk: counts
        for pk, *counts in Judgement.objects.filter(item__campaign__in=campaigns, item__is_test=False)
        .order_by()
        .values_list("item__campaign")
        .annotate(
            judgements=Count("pk"),
            skips=Count("pk", filter=~Q(skip_reason="")),
            surplus=Count("pk", filter=Q(counted=False)),
        )
    }
    leases = live_leases(database_now()).filter(item__campaign__in=campaigns)
    held = dict(leases.order_by().values_list("item__campaign").annotate(n=Count("pk")))
    none = (0, 0, 0)
    progress: dict[int, Progress] = {}
    for campaign in campaigns:
        total, complete_items, partial = items.get(campaign.pk, none)
        answers, skips, surplus = judgements.get(campaign.pk, none)
        progress[campaign.pk] = Progress(
            total, complete_items, partial, answers, skips, surplus, held.get(campaign.pk, 0)
        )
    return progress


def annotators_of(campaign: Campaign) -> list[Annotator]:
    """Who answered, under their pseudonyms, most answers first. Two queries."""
    rows = Judgement.objects.filter(item__campaign=campaign, item__is_test=False).values_list(
        "participant", "seconds", "skip_reason", "counted"
    )
    by_participant: dict[int, list[tuple[float, str, bool]]] = {}
    for pk, seconds, skip_reason, counted in rows:
        by_participant.setdefault(pk, []).append((seconds, skip_reason, counted))
    participants = Participant.objects.in_bulk(by_participant)
    found = [
        Annotator(
            participant=participants[pk],
            judgements=len(answers),
            skips=sum(1 for answer in answers if answer[1]),
            surplus=sum(1 for answer in answers if not answer[2]),
            seconds=median(answer[0] for answer in answers),
        )
        for pk, answers in by_participant.items()
    ]
    return sorted(found, key=lambda a: (-a.judgements, a.participant.pseudonym))


def new_pairs(campaign: Campaign) -> QuerySet[Pair]:
    """The dataset's pairs that a validation campaign has not got. Swapped twins follow their
    originals and are not judged on their own."""
    return (
        Pair.objects.filter(dataset=campaign.dataset_id)
        .exclude(origin=Pair.Origin.SWAP)
        .exclude(pk__in=Item.objects.filter(campaign=campaign).values("pair"))
        .order_by("pk")
    )


def recent_judgements(campaign: Campaign) -> QuerySet[Judgement]:
    """The campaign's judgements, newest first, with all that a table row shows."""
    return (
        Judgement.objects.filter(item__campaign=campaign, item__is_test=False)
        .select_related("participant", "guideline", "item__blank__sentence", "item__pair")
        .prefetch_related("replacements", "item__pair__premises")
        .order_by("-submitted_at", "-pk")
    )
