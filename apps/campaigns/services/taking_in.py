"""Taking answers in: one judgement for an assignment, whatever is clicked twice or sent late."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns import selectors
from apps.campaigns.models import Assignment, Campaign, Item, Judgement, JudgementRevision, Replacement
from apps.campaigns.replacements import cleaned, hypothesis_of, refusals
from apps.campaigns.services.handing_out import lock
from apps.corpora.models import Blank
from apps.datasets.digests import text_checked
from apps.datasets.models import UNNATURAL, Dataset, Pair
from apps.datasets.services import pair_get_or_create
from apps.studies import audit
from apps.studies.clock import database_now

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


@dataclass(frozen=True)
class _Value:
    """What was sent, checked: an answer, or replacement texts, or a skip."""

    answer: str = ""
    texts: tuple[str, ...] = ()
    skip_reason: str = ""
    note: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "answer": self.answer,
            "replacements": list(self.texts),
            "skip_reason": self.skip_reason,
            "note": self.note,
        }


@transaction.atomic
def judgement_submit(
    *,
    assignment: Assignment,
    answer: str = "",
    replacements: Sequence[str] = (),
    skip_reason: str = "",
    note: str = "",
) -> Judgement:
    """Take an assignment's answer in. The same thing sent again changes nothing and gives the same
    judgement; something else sent for an answered assignment is a revision of it.

    A late answer is kept; it counts where the item still wants one. ValidationError with the fields
    ``replacements-0`` …, ``answer``, ``skip_reason``, ``note``; :class:`TooSoon` before the minimum
    time (a skip may come at once).
    """
    item = (
        lock(Item.objects.filter(pk=assignment.item_id))
        .select_related("campaign__study", "campaign__dataset", "blank__sentence")
        .get()
    )
    held = lock(Assignment.objects.filter(pk=assignment.pk)).select_related("participant").get()
    value = _checked(item, _Value(answer, tuple(replacements), skip_reason, note.strip()))
    given = Judgement.objects.filter(assignment=held).first()
    if given:
        return _revise(given, item, value)
    return _take(held, item, value)


def _checked(item: Item, value: _Value) -> _Value:
    if len(value.note) > _LONGEST_NOTE:
        raise ValidationError(
            {"note": _("Please keep the note below %(n)d characters.") % {"n": _LONGEST_NOTE}}
        )
    if value.note:
        text_checked(value.note, "note")
    if item.blank is None:
        if value.answer not in [*item.campaign.dataset.labels, UNNATURAL]:
            raise ValidationError({"answer": _("Please choose one of the answers.")})
        return _Value(answer=value.answer, note=value.note)
    if value.skip_reason:
        if value.skip_reason not in Judgement.SkipReason.values:
            raise ValidationError({"skip_reason": _("Please choose one of the reasons.")})
        if value.skip_reason == Judgement.SkipReason.OTHER and not value.note:
            raise ValidationError({"note": _("Please say in a few words why you skip this one.")})
        return _Value(skip_reason=value.skip_reason, note=value.note)
    wanted = item.campaign.replacements
    texts = [*value.texts, *[""] * wanted][:wanted]
    blank = item.blank
    wrong = refusals(blank.sentence.text, blank.start, blank.end, texts)
    if wrong:
        raise ValidationError({f"replacements-{position}": reason for position, reason in wrong.items()})
    return _Value(texts=tuple(cleaned(text) for text in texts), note=value.note)


def _take(held: Assignment, item: Item, value: _Value) -> Judgement:
    campaign, now = item.campaign, database_now()
    waited = (now - held.shown_at).total_seconds()
    if waited < campaign.minimum_seconds and not value.skip_reason:
        raise TooSoon(math.ceil(campaign.minimum_seconds - waited))
    counted = _counts(held, item, now)
    judgement = Judgement.objects.create(
        assignment=held,
        item=item,
        participant=held.participant,
        guideline=selectors.guideline_of(campaign),
        answer=value.answer,
        skip_reason=value.skip_reason,
        note=value.note,
        counted=counted,
        seconds=_active_seconds(held, now),
        submitted_at=now,
    )
    _store_replacements(judgement, item, value)
    _store_revision(judgement, value, now)
    held.state = Assignment.State.SUBMITTED
    held.save(update_fields=["state"])
    if counted:
        item.counted += 1
        item.is_complete = item.counted >= campaign.target
        item.save(update_fields=["counted", "is_complete"])
    audit.record(
        "judgement.submitted",
        study=campaign.study,
        participant=held.participant,
        subject=judgement,
        counted=counted,
    )
    return judgement


def _active_seconds(held: Assignment, now: datetime) -> float:
    """From the showing to the sending, but no longer than the lease: a tab left open is not work."""
    return max(0.0, (min(now, held.expires_at) - held.shown_at).total_seconds())


def _counts(held: Assignment, item: Item, now: datetime) -> bool:
    """Whether the answer counts: always on a live lease (its place was kept, unless the target was
    lowered since), and late where neither an answer nor somebody's lease has taken the place."""
    if item.campaign.state == Campaign.State.CLOSED or held.participant.blocked_at:
        return False
    if held.state == Assignment.State.LEASED and held.expires_at > now:
        return item.counted < item.campaign.target
    return selectors.has_room(item, now, beside=held)


def _revise(judgement: Judgement, item: Item, value: _Value) -> Judgement:
    if value == _value_of(judgement):
        return judgement
    if item.campaign.state == Campaign.State.CLOSED:
        raise ValidationError(_("This is closed, so the answer stays as it was sent."))
    now = database_now()
    judgement.answer = value.answer
    judgement.skip_reason = value.skip_reason
    judgement.note = value.note
    judgement.guideline = selectors.guideline_of(item.campaign)
    judgement.revision += 1
    judgement.revised_at = now
    judgement.save()
    left = [replacement.pair for replacement in judgement.replacements.select_related("pair")]
    judgement.replacements.all().delete()
    _store_replacements(judgement, item, value)
    for pair in left:
        _let_go(pair)
    _store_revision(judgement, value, now)
    audit.record(
        "judgement.revised",
        study=item.campaign.study,
        participant=judgement.participant,
        subject=judgement,
        revision=judgement.revision,
    )
    return judgement


def _value_of(judgement: Judgement) -> _Value:
    texts = tuple(replacement.text for replacement in judgement.replacements.all())
    return _Value(judgement.answer, texts, judgement.skip_reason, judgement.note)


def _store_replacements(judgement: Judgement, item: Item, value: _Value) -> None:
    """The texts, each with its hypothesis and the pair that it makes or joins.

    In the order of the hypotheses, so that two writers of the same ones never wait for each other.
    """
    blank = item.blank
    if blank is None:
        return
    premise = blank.sentence.text
    made = [
        (hypothesis_of(premise, blank.start, blank.end, text), position, text)
        for position, text in enumerate(value.texts)
    ]
    for hypothesis, position, text in sorted(made):
        Replacement.objects.create(
            judgement=judgement,
            position=position,
            text=text,
            hypothesis=hypothesis,
            pair=_pair_of(item.campaign.dataset, blank, hypothesis),
        )


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


def _store_revision(judgement: Judgement, value: _Value, now: datetime) -> None:
    JudgementRevision.objects.create(
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
