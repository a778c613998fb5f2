"""What waits for somebody in a campaign and is kept by other rooms: cards on the overview of its quality.

A room registers when Django starts (in an ``AppConfig.ready``) a template and what its card says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from apps.campaigns.models import Campaign

#: The numbers on a campaign's card; None where it has none. What is kept (apps/tallies) may stand
#: among them as it was ``found``.
Tell = Callable[[Campaign], dict[str, Any] | None]


class Card(NamedTuple):
    template: str
    counts: dict[str, Any]


_cards: dict[str, Tell] = {}


def add_card(template: str, tell: Tell) -> None:
    """``template`` is shown with ``counts``, what ``tell`` says of the campaign."""
    _cards[template] = tell


def waiting_cards(campaign: Campaign) -> list[Card]:
    told = ((template, tell(campaign)) for template, tell in _cards.items())
    return [Card(template, counts) for template, counts in told if counts is not None]
