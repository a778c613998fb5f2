"""What an answer says, in the words of the card that it was given on."""

from __future__ import annotations

from apps.campaigns import likert
from apps.campaigns.answers import answers_of
from apps.campaigns.models import Campaign, Judgement


def said_by(judgement: Judgement, campaign: Campaign) -> str:
    """The button, the point of the scale, the reason of a skip, or the phrases. One query for phrases."""
    if judgement.skip_reason:
        return str(judgement.get_skip_reason_display())
    if judgement.nonsense:
        return str(likert.BOX.title)
    if judgement.rating is not None:
        return next(str(point.title) for point in likert.POINTS if point.value == str(judgement.rating))
    if judgement.answer:
        titles = {answer.value: str(answer.title) for answer in answers_of(campaign.dataset)}
        return titles.get(judgement.answer, judgement.answer)
    return " / ".join(replacement.text for replacement in judgement.replacements.all())
