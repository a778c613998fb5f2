"""What an annotator's page shows: one card, or a sheet of several, with what is in the fields and what
was refused."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import prefetch_related_objects
from django.http import QueryDict
from django.urls import reverse

from apps.campaigns.card_sql import Place, pairs_texts
from apps.campaigns.models import Assignment, Judgement
from apps.campaigns.services import PageErrors, Sent
from apps.frame.clock import database_now
from apps.frame.edit_forms import OPENED


@dataclass
class Box:
    """One replacement's input."""

    name: str
    number: int
    text: str = ""
    error: str = ""


@dataclass
class Card:
    """An assignment with its question (``premises`` and ``hypothesis``; a blank has none), and with what its
    annotator sent, or tried to send. ``suffix`` tells the fields of the
    cards of one sheet apart."""

    assignment: Assignment
    sent: Judgement | None
    premises: Sequence[str] = ()
    hypothesis: str = ""
    suffix: str = ""
    boxes: list[Box] = field(default_factory=list)
    answer: str = ""
    rating: str = ""
    nonsense: bool = False
    skip_reason: str = ""
    note: str = ""
    errors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def opened(self) -> int:
        """The revision that the card shows, to be sent back with an answer; 0 where none was sent yet."""
        return self.sent.revision if self.sent else 0

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
    def refused_answer(self) -> str:
        """Why the answer to a question was refused."""
        return " ".join([*self.errors.get("answer", []), *self.errors.get("rating", [])])

    def take(self, data: QueryDict) -> None:
        """Fill the fields from what was posted."""
        self.answer = data.get(f"answer{self.suffix}", "")
        self.rating = data.get(f"rating{self.suffix}", "")
        self.nonsense = f"nonsense{self.suffix}" in data
        self.skip_reason = data.get("skip_reason", "")
        self.note = data.get("note", "")
        for box in self.boxes:
            box.text = data.get(box.name, "")

    def refuse(self, error: ValidationError) -> None:
        """Lay a service's refusal at its fields."""
        if hasattr(error, "error_dict"):
            self.errors = {str(name): texts for name, texts in error.message_dict.items()}
        else:
            self.errors = {NON_FIELD_ERRORS: error.messages}
        for box in self.boxes:
            box.error = " ".join(self.errors.get(box.name, []))


@dataclass
class Sheet:
    """What stands on one page and is sent together: a card, or a page of questions."""

    cards: list[Card]
    now: datetime
    page: uuid.UUID | None = None
    refusal: str = ""

    @property
    def card(self) -> Card:
        """The first, and where it is no page of questions the only one."""
        return self.cards[0]

    @property
    def key(self) -> str:
        return str(self.page or self.card.assignment.pk)

    @property
    def address(self) -> str:
        return address_of(self.card.assignment, self.card.assignment.item.campaign_id)

    @property
    def sent(self) -> Judgement | None:
        """The last answer sent, once all of them are."""
        sent = [card.sent for card in self.cards if card.sent]
        return sent[-1] if len(sent) == len(self.cards) else None

    @property
    def waiting(self) -> list[Assignment]:
        """The assignments whose lease ran out and that were not sent."""
        return [
            card.assignment
            for card in self.cards
            if not card.sent
            and not (
                card.assignment.state == Assignment.State.LEASED and card.assignment.expires_at > self.now
            )
        ]

    @property
    def seconds_left(self) -> int:
        """Until the first lease runs out."""
        ends = [card.assignment.expires_at for card in self.cards if not card.sent]
        return max(0, int((min(ends) - self.now).total_seconds())) if ends else 0

    @property
    def minutes_left(self) -> int:
        """The same, rounded."""
        return round(self.seconds_left / 60)

    @property
    def missing(self) -> list[int]:
        """The places on the page, from 1, of the questions whose answers were refused."""
        return [place for place, card in enumerate(self.cards, start=1) if card.refused_answer]

    @property
    def has_errors(self) -> bool:
        return bool(self.refusal) or any(card.errors for card in self.cards)

    def take(self, data: QueryDict) -> None:
        """Fill the fields of all cards from what was posted."""
        for card in self.cards:
            card.take(data)

    def refuse(self, error: ValidationError) -> None:
        """Lay a refusal at its cards; one that is about all of them stands above."""
        if isinstance(error, PageErrors):
            for card in self.cards:
                if card.assignment.pk in error.by_assignment:
                    card.refuse(error.by_assignment[card.assignment.pk])
            if self.page is None:
                self.refusal = self.card.refusal
        else:
            self.refusal = " ".join(error.messages)


def address_of(assignment: Assignment, campaign: int) -> str:
    """Where an assignment of a campaign stands: on its page of questions, or on a card of its own."""
    if assignment.page:
        return reverse("work:page", args=[campaign, assignment.page])
    return reverse("work:card", args=[campaign, assignment.pk])


def sheet_of_leases(leases: Sequence[Assignment], now: datetime) -> Sheet:
    """The empty sheet of leases just handed out, or still held. One query; two where there are blanks."""
    if leases[0].item.blank_id is not None:
        prefetch_related_objects([lease.item for lease in leases], "blank__sentence")
    return _sheet(leases, {}, now)


def sent_of(places: Sequence[Place], data: QueryDict) -> dict[int, Sent]:
    """What was posted from the sheet of these assignments, by their numbers, as the service takes it."""
    return {place.pk: _sent_in(data, _suffix_of(place)) for place in places}


def _sent_in(data: QueryDict, suffix: str) -> Sent:
    skips = "skip" in data
    rating, opened = data.get(f"rating{suffix}", ""), data.get(f"{OPENED}{suffix}", "")
    texts = [name for name in data if name.startswith("replacements-")]
    return Sent(
        answer=data.get(f"answer{suffix}", ""),
        rating=int(rating) if rating.isdecimal() else None,
        nonsense=f"nonsense{suffix}" in data,
        replacements=[] if skips else [data.get(f"replacements-{place}", "") for place in range(len(texts))],
        skip_reason=(data.get("skip_reason", "") or "unknown") if skips else "",
        note=data.get("note", "") if skips else "",
        opened=int(opened) if opened.isdecimal() else None,
        idle=_seconds_in(data.get("idle", "")),
    )


def _seconds_in(text: str) -> float:
    """What a page's clock has sent; 0 for anything else."""
    return float(text) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII) else 0.0


def _suffix_of(assignment: Assignment | Place) -> str:
    """What tells the fields of an assignment apart on a page of several."""
    return f"-{assignment.pk}" if assignment.page else ""


def sheet_of(assignments: Sequence[Assignment]) -> Sheet:
    """The sheet of assignments (with item and campaign at hand), filled with what was sent. Two queries."""
    sent = {
        judgement.assignment_id: judgement
        for judgement in Judgement.objects.filter(assignment__in=assignments).prefetch_related("replacements")
    }
    return _sheet(assignments, sent, database_now())


def _sheet(assignments: Sequence[Assignment], sent: Mapping[int, Judgement], now: datetime) -> Sheet:
    pairs = pairs_texts([pair for assignment in assignments if (pair := assignment.item.pair_id)])
    cards = [_card_of(assignment, sent.get(assignment.pk), pairs) for assignment in assignments]
    return Sheet(cards, now, assignments[0].page)


def _card_of(
    assignment: Assignment, sent: Judgement | None, pairs: Mapping[int, tuple[list[str], str]]
) -> Card:
    premises, hypothesis = pairs.get(assignment.item.pair_id or 0, ([], ""))
    card = Card(assignment, sent, premises, hypothesis, _suffix_of(assignment))
    if assignment.item.blank_id is not None:
        count = assignment.item.campaign.replacements
        card.boxes = [Box(f"replacements-{position}", position + 1) for position in range(count)]
    if sent:
        card.answer, card.skip_reason, card.note = sent.answer, sent.skip_reason, sent.note
        card.rating, card.nonsense = str(sent.rating or ""), sent.nonsense
        for box, replacement in zip(card.boxes, sent.replacements.all(), strict=False):
            box.text = replacement.text
    return card
