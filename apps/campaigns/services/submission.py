"""Taking answers in: one judgement for an assignment, whatever is clicked twice or sent late."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns import gates, selectors
from apps.campaigns.answer_texts import said_by
from apps.campaigns.guidelines import read_in
from apps.campaigns.likert import HIGHEST, LOWEST, discretised
from apps.campaigns.models import Assignment, Campaign, Item, Judgement, JudgementRevision, Replacement, Tally
from apps.campaigns.replacements import cleaned, has_directions, hypothesis_of, refusals
from apps.campaigns.services.completion import item_settle
from apps.campaigns.services.locks import lock, standing_lock
from apps.campaigns.services.model_loop import model_reply_request, try_use
from apps.campaigns.statements import campaign_now, own_among, participant_locked
from apps.corpora.models import Blank
from apps.datasets.labels import UNNATURAL
from apps.datasets.models import Dataset, Pair
from apps.datasets.services import pair_get_or_create
from apps.frame.clock import database_now
from apps.frame.rows import Change, insert_with
from apps.frame.texts import text_checked
from apps.studies import audit
from apps.studies.models import Participant
from apps.webhooks.events import events_record
from apps.webhooks.models import EventType

_LONGEST_NOTE = 2000


class TooSoon(ValidationError):
    """An answer sent before the campaign's minimum time; ``seconds`` are left."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        text = ngettext(
            "Please wait %(n)d s more. What you wrote is still here.",
            "Please wait %(n)d s more. What you wrote is still here.",
            seconds,
        )
        super().__init__(text % {"n": seconds}, code="too-soon")


class PageErrors(ValidationError):
    """What was refused of which assignment's answer, by the assignment's number."""

    def __init__(self, by_assignment: Mapping[int, ValidationError]) -> None:
        self.by_assignment = by_assignment
        super().__init__(list(by_assignment.values()))


class AnsweredElsewhere(ValidationError):
    """Another answer was sent for the same assignment after this one's page was opened (in a second tab)."""

    def __init__(self, said: str) -> None:
        text = _(
            "You have sent another answer here since you opened this page, perhaps in another tab: "
            "“%(said)s”. It holds until you send this one again."
        )
        super().__init__(text % {"said": said}, code="answered-elsewhere")


@dataclass(frozen=True)
class Sent:
    """What was sent for an assignment: a label, or a point of the scale or its box, or replacement
    texts, or a skip with its reason. ``opened`` is the revision that its page showed: 0 for a fresh card,
    None where nobody says. ``idle`` are the seconds in which its page saw nobody at it."""

    answer: str = ""
    replacements: Sequence[str] = ()
    skip_reason: str = ""
    note: str = ""
    rating: int | None = None
    nonsense: bool = False
    opened: int | None = None
    idle: float = 0


@dataclass(frozen=True)
class _Value:
    """What was sent, checked."""

    answer: str = ""
    texts: tuple[str, ...] = ()
    skip_reason: str = ""
    note: str = ""
    rating: int | None = None
    nonsense: bool = False

    @property
    def is_skip(self) -> bool:
        """Whether it says that the item can't be answered."""
        return bool(self.skip_reason) or self.answer == UNNATURAL

    def as_json(self) -> dict[str, object]:
        value: dict[str, object] = {
            "answer": self.answer,
            "replacements": list(self.texts),
            "skip_reason": self.skip_reason,
            "note": self.note,
        }
        if self.rating is not None or self.nonsense:
            value |= {"rating": self.rating, "nonsense": self.nonsense}
        return value


def judgement_submit(
    *,
    assignment: Assignment,
    answer: str = "",
    replacements: Sequence[str] = (),
    skip_reason: str = "",
    note: str = "",
    rating: int | None = None,
    nonsense: bool = False,
) -> Judgement:
    """Take one assignment's answer in: :func:`judgements_submit` of one.

    ValidationError with the fields ``replacements-0`` …, ``answer``, ``rating``, ``skip_reason``, ``note``.
    """
    sent = Sent(answer, replacements, skip_reason, note, rating, nonsense)
    try:
        return judgements_submit(campaign=assignment.item.campaign_id, sent={assignment: sent})[0]
    except PageErrors as error:
        raise error.by_assignment[assignment.pk] from error


@transaction.atomic
def judgements_submit(*, campaign: int, sent: Mapping[Assignment, Sent]) -> list[Judgement]:
    """Take the answers of one participant's assignments of a campaign in, all or none of them.

    The same thing sent again changes nothing and gives the same judgement; something else sent for an
    answered assignment is a revision of it. A late answer is kept; it counts where the item still wants
    one. :class:`PageErrors` says what was refused of which assignment; :class:`TooSoon` comes before the
    minimum time of the set or the page (a skip may come at once).
    """
    if not sent:
        return []
    person = participant_locked(next(iter(sent)).participant_id)
    assignments = {held.item_id: held.pk for held in sent}
    return take_in(campaign, person, assignments, {held.pk: said for held, said in sent.items()})[0]


def take_in(
    campaign_pk: int, person: Participant, assignments: Mapping[int, int], sent: Mapping[int, Sent]
) -> tuple[list[Judgement], Tally, datetime]:
    """:func:`judgements_submit` in the caller's transaction, of a person who is locked: of their assignments
    by the numbers of the items. With the locked tally, and the time of sending."""
    standing = standing_lock(campaign=campaign_pk, person=person, items=sorted(assignments))
    tally, items = standing.tally, standing.items
    # Only now read anything: rows that a statement joins are as old as its start, and it may have waited.
    # Without the lock of an item nobody grants or answers an assignment of it.
    campaign, now, leases = campaign_now(campaign_pk, list(assignments.values()))
    tally.campaign = campaign
    if campaign.task == Campaign.Task.CREATION:
        prefetch_related_objects(list(items.values()), "blank__sentence")
    for lease in leases:
        lease.item, lease.participant = items[lease.item_id], person
        lease.item.campaign = campaign
    # A submitted assignment has its judgement, and no other has one.
    answered = [lease.pk for lease in leases if lease.state == Assignment.State.SUBMITTED]
    given = Judgement.objects.in_bulk(answered, field_name="assignment_id") if answered else {}
    values: dict[int, _Value] = {}
    refused: dict[int, ValidationError] = {}
    for lease in leases:
        try:
            values[lease.pk] = _checked(lease.item, sent[lease.pk])
            gates.refuse_texts(lease.item, lease.pk, values[lease.pk].texts)
            if there := given.get(lease.pk):
                _refuse_stale(there, campaign, sent[lease.pk], values[lease.pk])
        except ValidationError as error:
            refused[lease.pk] = error
    if refused:
        raise PageErrors(refused)
    new = [lease for lease in leases if lease.pk not in given]
    for lease in leases:
        if judgement := given.get(lease.pk):
            judgement.assignment, judgement.item, judgement.participant = lease, lease.item, lease.participant
            _revise(judgement, lease.item, values[lease.pk])
    if new:
        idle = max(sent[lease.pk].idle for lease in new)
        given |= {judgement.assignment_id: judgement for judgement in _take(new, values, tally, now, idle)}
    return [given[lease.pk] for lease in leases], tally, now


def _refuse_stale(judgement: Judgement, campaign: Campaign, sent: Sent, value: _Value) -> None:
    """An answer never replaces one that its writer did not see; the same answer again replaces nothing."""
    if sent.opened not in (None, judgement.revision) and value != _value_of(judgement):
        raise AnsweredElsewhere(said_by(judgement, campaign))


def _checked(item: Item, sent: Sent) -> _Value:
    note = sent.note.strip()
    if len(note) > _LONGEST_NOTE:
        raise ValidationError(
            {"note": _("Please keep the note below %(n)d characters.") % {"n": _LONGEST_NOTE}}
        )
    if note:
        text_checked(note, "note")
    if has_directions(note):
        raise ValidationError(
            {"note": _("This has an invisible character in it that turns the direction of the text.")}
        )
    if item.blank_id is None:
        return _checked_question(item.campaign, sent, note)
    if sent.skip_reason:
        if sent.skip_reason not in Judgement.SkipReason.values:
            raise ValidationError({"skip_reason": _("Please choose one of the reasons.")})
        if sent.skip_reason == Judgement.SkipReason.OTHER and not note:
            raise ValidationError({"note": _("Please say in a few words why you skip this one.")})
        return _Value(skip_reason=sent.skip_reason, note=note)
    wanted = item.campaign.replacements
    texts = [*sent.replacements, *[""] * wanted][:wanted]
    blank = cast(Blank, item.blank)
    wrong = refusals(blank.sentence.text, blank.start, blank.end, texts)
    if wrong:
        raise ValidationError({f"replacements-{position}": reason for position, reason in wrong.items()})
    return _Value(texts=tuple(cleaned(text) for text in texts), note=note)


def _checked_question(campaign: Campaign, sent: Sent, note: str) -> _Value:
    """An answer about a pair: one of the dataset's labels, or a point of the scale (as its label)."""
    labels = campaign.dataset.labels
    if campaign.task != Campaign.Task.LIKERT:
        if sent.answer not in [*labels, UNNATURAL]:
            raise ValidationError({"answer": _("Please choose one of the answers.")})
        return _Value(answer=sent.answer, note=note)
    if sent.rating is not None and not LOWEST <= sent.rating <= HIGHEST:
        raise ValidationError({"rating": _("Please choose one of the answers.")})
    if sent.nonsense:
        return _Value(answer=UNNATURAL, note=note, rating=sent.rating, nonsense=True)
    if sent.rating is None:
        raise ValidationError({"rating": _("Please choose one of the answers.")})
    return _Value(answer=discretised(sent.rating, labels), note=note, rating=sent.rating)


def _take(
    leases: Sequence[Assignment], values: Mapping[int, _Value], tally: Tally, now: datetime, idle: float
) -> list[Judgement]:
    """First answers for assignments (with their locked items) of one campaign and participant."""
    campaign, participant = tally.campaign, tally.participant
    waited = min((now - lease.shown_at).total_seconds() for lease in leases)
    may_wait = any(not values[lease.pk].skip_reason for lease in leases)
    if may_wait and waited < campaign.minimum_seconds:
        raise TooSoon(math.ceil(campaign.minimum_seconds - waited))
    active, away = _seconds(min(leases, key=lambda lease: lease.expires_at), now, idle)
    taken = [
        Judgement(
            assignment=lease,
            item=lease.item,
            participant=participant,
            guideline=campaign.guideline,
            answer=values[lease.pk].answer,
            rating=values[lease.pk].rating,
            nonsense=values[lease.pk].nonsense,
            skip_reason=values[lease.pk].skip_reason,
            note=values[lease.pk].note,
            counted=not tally.sees_labels
            and not lease.is_own
            and _counts(lease, lease.item, values[lease.pk], now),
            could_see_labels=tally.sees_labels,
            predictions_shown=campaign.show_predictions,
            read_in=read_in(campaign.guideline.body),
            seconds=active / len(leases),
            idle_seconds=away / len(leases),
            submitted_at=now,
        )
        for lease in leases
    ]
    _count_for(tally, leases)
    for judgement in taken:
        _store(judgement, values[judgement.assignment_id], tally, is_last=judgement is taken[-1])
        _store_replacements(judgement, judgement.item, values[judgement.assignment_id])
        if judgement.counted and campaign.maximum is not None:
            item_settle(item=judgement.item, campaign=campaign)
    _tell_webhooks(campaign, taken, now)
    for judgement in taken:
        if values[judgement.assignment_id].texts:
            model_reply_request(judgement=judgement, campaign=campaign)
        gates.tell(judgement)
    return taken


def _store(judgement: Judgement, value: _Value, tally: Tally, *, is_last: bool) -> None:
    """A new judgement with its first revision and its place in the trail, and what changes with it: its
    assignment, its item, and (with the last of a page) its sender's tally. One query on PostgreSQL.

    Only where answers decide how many are wanted, the item is left for :func:`item_settle`, which looks at
    all of them.
    """
    campaign, lease, item = tally.campaign, judgement.assignment, judgement.item
    lease.state = Assignment.State.SUBMITTED
    changed: list[Change] = [(lease, ("state",))]
    if judgement.counted and campaign.maximum is None:
        item.counted += 1
        item.is_complete = item.counted >= item.wanted
        changed.append((item, ("counted", "is_complete")))
    if is_last:
        changed.append((tally, ("answered", "tests", "last")))
    event = audit.event_of(
        "judgement.submitted",
        study=campaign.study_id,
        participant=judgement.participant_id,
        subject=Judgement,
        counted=judgement.counted,
    )
    revision = _revision_of(judgement, value, judgement.submitted_at)
    insert_with(judgement, new=[(revision, "judgement_id"), (event, "object_id")], changed=changed)


def _count_for(tally: Tally, leases: Sequence[Assignment]) -> None:
    """As many answers more for the participant; the last of them is the one that they may change."""
    tests = sum(1 for lease in leases if lease.item.is_test)
    tally.tests += tests
    tally.answered += len(leases) - tests
    tally.last = leases[-1]
    tally.leases -= sum(1 for lease in leases if lease.state == Assignment.State.LEASED)


def _seconds(held: Assignment, now: datetime, idle: float) -> tuple[float, float]:
    """The seconds of work from the showing to the sending, and the others: those that the page says, and
    those after the lease, which somebody at work keeps. A tab left open is not work."""
    whole = max(0.0, (now - held.shown_at).total_seconds())
    held_for = max(0.0, (held.expires_at - held.shown_at).total_seconds())
    active = min(max(0.0, whole - max(0.0, idle)), held_for)
    return active, whole - active


def _counts(held: Assignment, item: Item, value: _Value, now: datetime) -> bool:
    """Whether the answer counts: always on a live lease (its place was kept, unless the target was
    lowered since), and late where neither an answer nor somebody's lease has taken the place. Never a
    skip where the campaign says that skips don't count."""
    if item.is_test or item.campaign.state == Campaign.State.CLOSED or held.participant.blocked_at:
        return False
    if value.is_skip and not item.campaign.skips_count:
        return False
    if held.state == Assignment.State.LEASED and held.expires_at > now:
        return item.counted < item.wanted
    return selectors.has_room(item, now, beside=held)


def _counts_again(judgement: Judgement, item: Item, now: datetime) -> bool:
    """Whether an answer counts that was a skip before: where there is room, but never what was taken out
    of the count, of somebody blocked, or on an own pair."""
    participant = judgement.participant
    if participant.blocked_at or judgement.could_see_labels or own_among([item], participant):
        return False
    return not gates.is_excluded(judgement) and selectors.has_room(item, now)


def _revise(judgement: Judgement, item: Item, value: _Value) -> None:
    before = _value_of(judgement)
    if value == before:
        return
    campaign = item.campaign
    if campaign.state == Campaign.State.CLOSED:
        raise ValidationError(_("This is closed, so the answer stays as it was sent."))
    if campaign.show_predictions and value.texts:
        try_use(judgement=judgement, campaign=campaign)
    now = database_now()
    judgement.answer = value.answer
    judgement.rating = value.rating
    judgement.nonsense = value.nonsense
    judgement.skip_reason = value.skip_reason
    judgement.note = value.note
    judgement.guideline = campaign.guideline
    judgement.predictions_shown = campaign.show_predictions
    judgement.revision += 1
    judgement.revised_at = now
    if not (campaign.skips_count or item.is_test) and value.is_skip != before.is_skip:
        judgement.counted = not value.is_skip and _counts_again(judgement, item, now)
    judgement.save()
    left = [replacement.pair for replacement in judgement.replacements.select_related("pair")]
    judgement.replacements.all().delete()
    _store_replacements(judgement, item, value)
    for pair in left:
        _let_go(pair)
    _revision_of(judgement, value, now).save()
    if campaign.maximum is not None or not campaign.skips_count:
        item_settle(item=item, campaign=campaign)
    audit.record(
        "judgement.revised",
        study=campaign.study,
        participant=judgement.participant,
        subject=judgement,
        revision=judgement.revision,
    )
    _tell_webhooks(campaign, [judgement], now)
    if value.texts:
        model_reply_request(judgement=judgement, campaign=campaign)
    gates.tell(judgement)


def _tell_webhooks(campaign: Campaign, judgements: Sequence[Judgement], now: datetime) -> None:
    """Numbers alone; answers to test questions, which nobody may tell from the others, are left out."""
    events_record(
        EventType.JUDGEMENT_SUBMITTED,
        study=campaign.study,
        at=now,
        data=(
            {
                "campaign": campaign.pk,
                "item": judgement.item_id,
                "judgement": judgement.pk,
                "annotator": judgement.participant.pseudonym,
                "revision": judgement.revision,
                "counted": judgement.counted,
            }
            for judgement in judgements
            if not judgement.item.is_test
        ),
    )


def _value_of(judgement: Judgement) -> _Value:
    return _Value(
        judgement.answer,
        tuple(replacement.text for replacement in judgement.replacements.all()),
        judgement.skip_reason,
        judgement.note,
        judgement.rating,
        judgement.nonsense,
    )


def _store_replacements(judgement: Judgement, item: Item, value: _Value) -> None:
    """The texts, each with its hypothesis and the pair that it makes or joins.

    In the order of the hypotheses, so that two writers of the same ones never wait for each other.
    """
    blank = item.blank
    if blank is None:
        return
    premise = blank.sentence.text
    positions: dict[int, int] = {}
    made = [
        (hypothesis_of(premise, blank.start, blank.end, text), position, text)
        for position, text in enumerate(value.texts)
    ]
    for hypothesis, position, text in sorted(made):
        pair = _pair_of(item.campaign.dataset, blank, hypothesis)
        positions[pair.pk] = position
        Replacement.objects.create(
            judgement=judgement, position=position, text=text, hypothesis=hypothesis, pair=pair
        )
    if judged := selectors.judged_among(positions, judgement.participant):
        message = _("You have judged this sentence already, so please write another one.")
        wrong = {f"replacements-{positions[pair]}": message for pair in judged}
        raise PageErrors({judgement.assignment_id: ValidationError(wrong)})


def _pair_of(dataset: Dataset, blank: Blank, hypothesis: str) -> Pair:
    """The pair of the blank's sentence and a hypothesis, locked: nobody else may let it go meanwhile."""
    while True:
        pair = pair_get_or_create(
            dataset=dataset,
            premises=[(blank.sentence.text, blank.sentence)],
            hypothesis=hypothesis,
            origin=Pair.Origin.CROWD,
            direction=blank.direction,
            blank=blank,
        )
        if held := lock(Pair.objects.filter(pk=pair.pk)).first():
            return held


def _revision_of(judgement: Judgement, value: _Value, now: datetime) -> JudgementRevision:
    return JudgementRevision(
        judgement=judgement,
        number=judgement.revision,
        value=value.as_json(),
        guideline=judgement.guideline,
        at=now,
    )


def _let_go(pair: Pair) -> None:
    """Take a pair out of its dataset that no replacement makes any more.

    One that others judge already must stay, and with it the answer that made it.
    """
    pair = lock(Pair.objects.filter(pk=pair.pk)).get()
    if pair.origin != Pair.Origin.CROWD or pair.replacements.exists():
        return
    if pair.items.exists() or Pair.objects.filter(swapped_from=pair).exists():
        raise ValidationError(
            _("Others are judging “%(text)s” already, so this answer can't be changed any more.")
            % {"text": pair.hypothesis}
        )
    audit.record("pair.withdrawn", study=pair.dataset.study, subject=pair)
    pair.delete()
