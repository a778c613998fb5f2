"""What is sent for an assignment, checked, and in which words it is refused; and what a judgement says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.answer_texts import said_by
from apps.campaigns.likert import HIGHEST, LOWEST, discretised
from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.replacements import cleaned, has_directions, refusals
from apps.corpora.models import Blank
from apps.datasets.labels import UNNATURAL
from apps.frame.texts import text_checked

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
class Value:
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


def refuse_stale(judgement: Judgement, campaign: Campaign, sent: Sent, value: Value) -> None:
    """An answer never replaces one that its writer did not see; the same answer again replaces nothing."""
    if sent.opened not in (None, judgement.revision) and value != value_of(judgement):
        raise AnsweredElsewhere(said_by(judgement, campaign))


def checked(item: Item, sent: Sent) -> Value:
    """What was sent for an item, cleaned; ValidationError by field where it can't be taken."""
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
        return Value(skip_reason=sent.skip_reason, note=note)
    wanted = item.campaign.replacements
    texts = [*sent.replacements, *[""] * wanted][:wanted]
    blank = cast(Blank, item.blank)
    wrong = refusals(blank.sentence.text, blank.start, blank.end, texts)
    if wrong:
        raise ValidationError({f"replacements-{position}": reason for position, reason in wrong.items()})
    return Value(texts=tuple(cleaned(text) for text in texts), note=note)


def _checked_question(campaign: Campaign, sent: Sent, note: str) -> Value:
    """An answer about a pair: one of the dataset's labels, or a point of the scale (as its label)."""
    labels = campaign.dataset.labels
    if campaign.task != Campaign.Task.LIKERT:
        if sent.answer not in [*labels, UNNATURAL]:
            raise ValidationError({"answer": _("Please choose one of the answers.")})
        return Value(answer=sent.answer, note=note)
    if sent.rating is not None and not LOWEST <= sent.rating <= HIGHEST:
        raise ValidationError({"rating": _("Please choose one of the answers.")})
    if sent.nonsense:
        return Value(answer=UNNATURAL, note=note, rating=sent.rating, nonsense=True)
    if sent.rating is None:
        raise ValidationError({"rating": _("Please choose one of the answers.")})
    return Value(answer=discretised(sent.rating, labels), note=note, rating=sent.rating)


def value_of(judgement: Judgement) -> Value:
    """What a judgement says at present. One query where its phrases were not read with it."""
    return Value(
        judgement.answer,
        tuple(replacement.text for replacement in judgement.replacements.all()),
        judgement.skip_reason,
        judgement.note,
        judgement.rating,
        judgement.nonsense,
    )
