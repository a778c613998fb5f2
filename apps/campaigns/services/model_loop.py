"""The model in the loop: what a model says about what an annotator wrote, and trying again.

The prediction is a background job (its kind is registered in workers/background.py), since the web
process loads no model; the annotator's page asks for it until it is there.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from apps.campaigns.models import Campaign, Judgement, ModelReply
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Direction
from apps.jobs.services import job_start
from apps.jobs.wording import wording

REPLY_KIND = "campaigns.model_reply"


@transaction.atomic
def model_reply_request(*, judgement: Judgement, campaign: Campaign) -> ModelReply | None:
    """Ask the campaign's model about the judgement's present revision; None where it has none to show."""
    if not campaign.show_predictions or campaign.model is None:
        return None
    reply, is_new = ModelReply.objects.get_or_create(
        judgement=judgement, revision=judgement.revision, defaults={"model": campaign.model}
    )
    if is_new:
        reply.job = job_start(
            study=campaign.study,
            kind=REPLY_KIND,
            title=wording(gettext_noop("The model in the loop")),
            actor=None,
            reply=reply.pk,
        )
        reply.save(update_fields=["job"])
    return reply


def expected_label(direction: str) -> str:
    """What a replacement that is more specific should make of the pair, by the polarity of its place (MED,
    section 3.1.3): entailed at a downward place, and not at any other."""
    return ENTAILMENT if direction == Direction.DOWNWARD else NON_ENTAILMENT


def model_reply_store(*, reply: int, fingerprint: str, predictions: list[dict[str, Any]]) -> None:
    """Write down what the model said. Idempotent; an answer revised meanwhile keeps its own reply."""
    ModelReply.objects.filter(pk=reply, replied_at=None).update(
        fingerprint=fingerprint, predictions=predictions, replied_at=timezone.now()
    )


def try_use(*, judgement: Judgement, campaign: Campaign) -> None:
    """Use up one of the tries that come after the model's reply, on a judgement about to be revised.

    A change of an answer that the model has not replied to yet is no try. ValidationError where no try
    is left.
    """
    seen = judgement.model_replies.filter(revision=judgement.revision, replied_at__isnull=False)
    if not seen.exists():
        return
    if judgement.tries >= campaign.tries:
        raise ValidationError(
            ngettext(
                "You have used your %(n)d try; the answer stays as it was sent.",
                "You have used your %(n)d tries; the answer stays as it was sent.",
                campaign.tries,
            )
            % {"n": campaign.tries}
            if campaign.tries
            else _("The model has replied; the answer stays as it was sent.")
        )
    judgement.tries += 1
