"""Changing an answer that was taken in: a new revision of the same judgement."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.campaigns import gates, selectors
from apps.campaigns.card_sql import own_among
from apps.campaigns.events import judgements_tell
from apps.campaigns.models import Campaign, Item, Judgement, JudgementRevision
from apps.campaigns.services.completion import item_settle
from apps.campaigns.services.model_loop import model_reply_request, try_use
from apps.campaigns.services.values import Value, value_of
from apps.campaigns.services.written_pairs import pair_let_go, replacements_store
from apps.frame.clock import database_now
from apps.studies import audit


def revise(judgement: Judgement, item: Item, value: Value) -> None:
    """Put another value in the place of a judgement's, on its locked item; the same value changes nothing.
    ValidationError where it can't be changed any more."""
    before = value_of(judgement)
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
    replacements_store(judgement, item, value)
    for pair in left:
        pair_let_go(pair)
    revision_of(judgement, value, now).save()
    if campaign.maximum is not None or not campaign.skips_count:
        item_settle(item=item, campaign=campaign)
    audit.record(
        "judgement.revised",
        study=campaign.study,
        participant=judgement.participant,
        subject=judgement,
        revision=judgement.revision,
    )
    judgements_tell(campaign, [judgement], now)
    if value.texts:
        model_reply_request(judgement=judgement, campaign=campaign)
    gates.tell(judgement)


def _counts_again(judgement: Judgement, item: Item, now: datetime) -> bool:
    """Whether an answer counts that was a skip before: where there is room, but never what was taken out
    of the count, of somebody blocked, or on an own pair."""
    participant = judgement.participant
    if participant.blocked_at or judgement.could_see_labels or own_among([item], participant):
        return False
    return not gates.is_excluded(judgement) and selectors.has_room(item, now)


def revision_of(judgement: Judgement, value: Value, now: datetime) -> JudgementRevision:
    """The row (not stored yet) of the judgement's present revision."""
    return JudgementRevision(
        judgement=judgement,
        number=judgement.revision,
        value=value.as_json(),
        guideline=judgement.guideline,
        at=now,
    )
