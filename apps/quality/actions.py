"""What is done to somebody's standing in a campaign, and undoing it. Every action is a row and an event.

Nobody's pay depends on any of it: an answer that counts no more is kept and paid like a late one.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.campaigns import selectors
from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services.completion import item_settle
from apps.campaigns.services.leasing import leases_release
from apps.campaigns.services.locks import lock
from apps.frame.clock import database_now
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.quality import quizzes, signals
from apps.quality.models import QualityAction, Rule
from apps.quality.settings import quality_ensure, quality_of
from apps.quality.signals import Reading
from apps.studies import audit
from apps.studies.models import Participant

KEEP, REQUEUE = "keep", "requeue"
REQUEUE_KIND = "campaigns.requeue"


def is_requeued(judgement: Judgement) -> bool:
    """Whether a requeue that stands took the answer out of the count. One query."""
    standing = QualityAction.objects.filter(
        participant=judgement.participant_id, kind=QualityAction.Kind.REQUEUE, undone_at=None
    )
    return any(judgement.pk in taken for taken in standing.values_list("judgements", flat=True))


def action_take(
    *,
    campaign: Campaign,
    participant: Participant,
    kind: str,
    actor: User | None = None,
    rule: Rule | None = None,
    reading: Reading | None = None,
    note: str = "",
) -> QualityAction | None:
    """Warn, pause, send to review, requeue, let in without the quiz or let try it again; by a rule or by
    hand.

    None where the same rule has paused the person already. A requeue is carried out by a job, since
    whoever submits holds the lock of one item and must not wait for others. Who is let in without the quiz,
    or tries it again, is let back from what trust rules made of its answers. ValidationError where a quiz
    can't be begun again.
    """
    quality_ensure(campaign)
    if kind == QualityAction.Kind.RETRY_QUIZ:
        _refuse_retry(campaign, participant)
    values: dict[str, Any] = {"note": note.strip()}
    if rule:
        values |= {"rule": rule, "signal": rule.signal, "threshold": rule.threshold}
    if reading:
        values |= {"value": reading.value, "answers": reading.answers}
    try:
        with transaction.atomic():
            action = QualityAction.objects.create(
                campaign=campaign,
                participant=participant,
                kind=kind,
                created_by=actor,
                created_at=database_now(),
                **values,
            )
            audit.record(
                f"quality.{kind}",
                study=campaign.study,
                actor=actor,
                participant=participant,
                subject=action,
                signal=action.signal,
                value=action.value,
            )
            _follow(action, actor)
            return action
    except IntegrityError:
        return None  # two answers at once passed the threshold; one pause is enough


def _follow(action: QualityAction, actor: User | None) -> None:
    """What an action brings with it, in its transaction or after its commit."""
    campaign, participant = action.campaign, action.participant
    if action.kind in (QualityAction.Kind.WAIVE_QUIZ, QualityAction.Kind.RETRY_QUIZ):
        _trust_pauses_end(campaign, participant, actor)
    if action.kind == QualityAction.Kind.PAUSE:
        transaction.on_commit(partial(_release, campaign.pk, participant.pk))
    if action.kind == QualityAction.Kind.REQUEUE:
        job_start(
            study=campaign.study,
            kind=REQUEUE_KIND,
            title=wording(gettext_noop("Answers of %(name)s, asked again"), name=participant.pseudonym),
            actor=actor,
            action=action.pk,
        )


@transaction.atomic
def quiz_begin_again(*, campaign: Campaign, participant: Participant) -> bool:
    """Begin the quiz again, by whoever failed it and has a try left. A second click changes nothing.
    Returns whether they are in a quiz now, or past one."""
    held = lock(Participant.objects.filter(pk=participant.pk)).get()
    quality = quality_of(campaign)
    quiz = quizzes.quiz_of(quality, held)
    if not quiz.is_failed:
        return True
    if not quizzes.may_retry(quality, held, quiz):
        return False
    action_take(campaign=campaign, participant=held, kind=QualityAction.Kind.RETRY_QUIZ)
    return True


def _refuse_retry(campaign: Campaign, participant: Participant) -> None:
    quality = quality_of(campaign)
    if not quality.quiz_size or not quizzes.quiz_of(quality, participant).is_failed:
        raise ValidationError(_("Only a quiz that was not passed can be begun again."))
    if not quizzes.has_another_quiz(quality, participant):
        text = _("There are too few test questions that they have not answered. Write more, or let them in.")
        raise ValidationError(text)


def _trust_pauses_end(campaign: Campaign, participant: Participant, actor: User | None) -> None:
    pauses = QualityAction.objects.filter(
        campaign=campaign,
        participant=participant,
        kind=QualityAction.Kind.PAUSE,
        signal=Rule.Signal.TRUST,
        undone_at=None,
    )
    for pause in list(pauses):
        action_undo(action=pause, actor=actor)


def _release(campaign: int, participant: int) -> None:
    """Give a paused person's places back. After the commit: under the lock of one item no other row of
    the same person may be waited for."""
    Assignment.objects.filter(
        item__campaign=campaign, participant=participant, state=Assignment.State.LEASED
    ).update(state=Assignment.State.RELEASED)


@transaction.atomic
def work_requeue(*, action: QualityAction) -> int:
    """Carry a requeue out: the person's counted answers count no more, their items are open again.

    The answers stay, and stay paid. Running it twice changes nothing. Returns how many.
    """
    action = QualityAction.objects.select_for_update(no_key=True).get(pk=action.pk)
    if action.undone_at:
        return 0
    mine = Judgement.objects.filter(
        item__campaign=action.campaign_id,
        participant=action.participant_id,
        counted=True,
        submitted_at__lte=action.created_at,
    )
    items = lock(Item.objects.filter(pk__in=mine.values("item"))).order_by("pk")
    locked = list(items)
    campaign = Campaign.objects.get(pk=action.campaign_id)
    taken = list(mine.filter(item__in=locked).values_list("pk", flat=True))
    Judgement.objects.filter(pk__in=taken).update(counted=False)
    for item in locked:
        item_settle(item=item, campaign=campaign)
    action.judgements = sorted({*action.judgements, *taken})
    action.save(update_fields=["judgements"])
    audit.record(
        "quality.requeued",
        study=action.campaign.study,
        participant=action.participant,
        subject=action,
        count=len(taken),
    )
    return len(taken)


@transaction.atomic
def action_undo(*, action: QualityAction, actor: User | None, why: str = QualityAction.Undone.BY_HAND) -> int:
    """Take an action back, once. For a requeue, the answers count again where there is room, and only
    there: no item gets more than it wants. Returns how many count again."""
    action = QualityAction.objects.select_for_update(no_key=True).get(pk=action.pk)
    if action.undone_at:
        return 0
    action.undone_at, action.undone_by, action.undone_why = database_now(), actor, why
    action.save(update_fields=["undone_at", "undone_by", "undone_why"])
    counted = 0
    if action.kind == QualityAction.Kind.REQUEUE:
        counted = _count_again(action)
    audit.record(
        f"quality.{action.kind}.undone",
        study=action.campaign.study,
        actor=actor,
        participant=action.participant,
        subject=action,
        why=why,
        counted=counted,
    )
    return counted


def _count_again(action: QualityAction) -> int:
    mine = Judgement.objects.filter(pk__in=action.judgements, counted=False)
    if action.participant.blocked_at:
        return 0
    items = list(lock(Item.objects.filter(pk__in=mine.values("item"))).order_by("pk"))
    campaign = Campaign.objects.get(pk=action.campaign_id)
    counted = 0
    for item in items:
        if selectors.has_room(item, database_now()):
            counted += mine.filter(item=item).update(counted=True)
            item_settle(item=item, campaign=campaign)
    return counted


@transaction.atomic
def pauses_end(*, campaign: Campaign, participant: Participant, actor: User) -> int:
    """Let somebody back in, whatever paused them. Returns how many pauses were undone."""
    pauses = QualityAction.objects.filter(
        campaign=campaign, participant=participant, kind=QualityAction.Kind.PAUSE, undone_at=None
    )
    found = list(pauses)
    for action in found:
        action_undo(action=action, actor=actor)
    return len(found)


def trust_reconsider(*, campaign: Campaign, actor: User | None) -> list[int]:
    """After test questions changed: undo what the trust rules did and would not do today.

    Returns the actions' numbers. What a person undid by hand is left alone.
    """
    undone = []
    standing = QualityAction.objects.filter(
        campaign=campaign, signal=Rule.Signal.TRUST, undone_at=None
    ).exclude(kind=QualityAction.Kind.WARN)
    for action in standing.select_related("rule", "participant").order_by("pk"):
        if not _still_stands(action):
            action_undo(action=action, actor=actor, why=QualityAction.Undone.FORGIVEN)
            undone.append(action.pk)
    return undone


def _still_stands(action: QualityAction) -> bool:
    rule = action.rule
    if rule is None:  # deleted since: nothing says that it would not
        return True
    since = signals.window_start(rule, action.participant, beside=action)
    reading = signals.read(rule, action.participant, since=since)
    return reading is not None and reading.value < (action.threshold or 0)


# ---- Blocking ----------------------------------------------------------------------------------


@transaction.atomic
def participant_block(*, participant: Participant, actor: User, past: str) -> int:
    """Give somebody no more work in the whole study. Their live work goes back, once.

    ``past`` is the admin's choice on what they sent before: ``keep`` it, or ``requeue`` it (it counts no
    more and others are asked). Returns how many answers count no more.
    """
    if past not in (KEEP, REQUEUE):
        raise ValidationError({"past": _("Choose what happens to the answers sent so far.")})
    held = lock(Participant.objects.filter(pk=participant.pk)).get()
    if held.blocked_at:
        return 0
    held.blocked_at = database_now()
    held.save(update_fields=["blocked_at"])
    leases_release(participant=held)
    audit.record(
        "participant.blocked",
        study=held.study,
        actor=actor,
        participant=held,
        subject=held,
        past=past,
    )
    return sum(_requeue_now(campaign, held, actor) for campaign in _worked_in(held)) if past == REQUEUE else 0


@transaction.atomic
def participant_unblock(*, participant: Participant, actor: User) -> None:
    """Let a blocked person work again. Answers that were asked again stay so until that is undone."""
    held = lock(Participant.objects.filter(pk=participant.pk)).get()
    if held.blocked_at is None:
        return
    held.blocked_at = None
    held.save(update_fields=["blocked_at"])
    audit.record("participant.unblocked", study=held.study, actor=actor, participant=held, subject=held)


def _worked_in(participant: Participant) -> list[Campaign]:
    given = Judgement.objects.filter(participant=participant, counted=True)
    found = Campaign.objects.filter(pk__in=given.values("item__campaign"))
    return list(found.select_related("study").order_by("pk"))


def _requeue_now(campaign: Campaign, participant: Participant, actor: User) -> int:
    action = QualityAction.objects.create(
        campaign=campaign,
        participant=participant,
        kind=QualityAction.Kind.REQUEUE,
        note="blocked",
        created_by=actor,
        created_at=database_now(),
    )
    return work_requeue(action=action)
