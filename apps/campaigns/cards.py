"""One card as its page shows it: what is asked, what is in the fields, and what was refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import QueryDict

from apps.campaigns.models import Assignment, Judgement
from apps.campaigns.replacements import cleaned, hypothesis_of
from apps.studies.clock import database_now


@dataclass
class Box:
    """One replacement's input. ``hypothesis`` is the whole sentence with it, "" while it is empty."""

    name: str
    number: int
    text: str = ""
    error: str = ""
    hypothesis: str = ""


@dataclass
class Card:
    """An assignment with what its annotator sent, or tried to send."""

    assignment: Assignment
    sent: Judgement | None
    now: datetime
    boxes: list[Box] = field(default_factory=list)
    answer: str = ""
    skip_reason: str = ""
    note: str = ""
    errors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def before(self) -> str:
        return self.assignment.item.blank.before if self.assignment.item.blank else ""

    @property
    def after(self) -> str:
        return self.assignment.item.blank.after if self.assignment.item.blank else ""

    @property
    def refusal(self) -> str:
        """What was refused, where it belongs to no field."""
        return " ".join(self.errors.get(NON_FIELD_ERRORS, []))

    @property
    def has_run_out(self) -> bool:
        live = self.assignment.state == Assignment.State.LEASED
        return not (live and self.assignment.expires_at > self.now)

    @property
    def minutes_left(self) -> int:
        """Until the lease runs out, rounded."""
        return max(0, round((self.assignment.expires_at - self.now).total_seconds() / 60))

    def take(self, data: QueryDict) -> dict[str, Any]:
        """Fill the fields from what was posted; returns what the service takes."""
        skips = "skip" in data
        self.answer = data.get("answer", "")
        self.skip_reason = data.get("skip_reason", "")
        self.note = data.get("note", "")
        for box in self.boxes:
            box.text = data.get(box.name, "")
            box.hypothesis = self._hypothesis(box.text)
        return {
            "answer": self.answer,
            "replacements": [] if skips else [box.text for box in self.boxes],
            "skip_reason": self.skip_reason or "unknown" if skips else "",
            "note": self.note if skips else "",
        }

    def refuse(self, error: ValidationError) -> None:
        """Lay a service's refusal at its fields."""
        if hasattr(error, "error_dict"):
            self.errors = {str(name): texts for name, texts in error.message_dict.items()}
        else:
            self.errors = {NON_FIELD_ERRORS: error.messages}
        for box in self.boxes:
            box.error = " ".join(self.errors.get(box.name, []))

    def _hypothesis(self, text: str) -> str:
        blank = self.assignment.item.blank
        if blank is None or not text.strip():
            return ""
        return hypothesis_of(blank.sentence.text, blank.start, blank.end, cleaned(text))


def card_of(assignment: Assignment) -> Card:
    """The card of an assignment (with item and campaign at hand), filled with what was sent."""
    sent = Judgement.objects.filter(assignment=assignment).prefetch_related("replacements").first()
    card = Card(assignment, sent, database_now())
    if assignment.item.blank is not None:
        count = assignment.item.campaign.replacements
        card.boxes = [Box(f"replacements-{position}", position + 1) for position in range(count)]
    if sent:
        card.answer, card.skip_reason, card.note = sent.answer, sent.skip_reason, sent.note
        for box, replacement in zip(card.boxes, sent.replacements.all(), strict=False):
            box.text, box.hypothesis = replacement.text, replacement.hypothesis
    return card
