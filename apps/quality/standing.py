"""What a condition of a campaign is worth: three words, the same on pages, on cards and in the docs.

*Enforced*: the program lets nobody work who does not meet it, as far as it is told. *Declared by the panel*:
the panel through which people come says that it filters by it; nothing is checked here. *Merely recorded*:
somebody wrote it down, and nobody is held to it.
"""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_lazy

from apps.campaigns.gates import is_open_to_others
from apps.quality.models import Quality, TestQuestion


class Standing(StrEnum):
    ENFORCED = "enforced"
    DECLARED = "declared by the panel"
    RECORDED = "merely recorded"

    @property
    def label(self) -> str:
        return str(_NAMES[self])


_NAMES = {
    Standing.ENFORCED: gettext_lazy("enforced"),
    Standing.DECLARED: gettext_lazy("declared by the panel"),
    Standing.RECORDED: gettext_lazy("merely recorded"),
}
NUMBERS_NAMES = {
    Quality.NumbersFrom.PANEL.value: gettext_lazy(
        "the panel filters by them: declared by the panel; without a panel, merely recorded"
    ),
    Quality.NumbersFrom.DECLARED.value: gettext_lazy(
        "everybody is asked for them, unless the panel has told: enforced"
    ),
}


def of_numbers(quality: Quality) -> Standing:
    """Of approved tasks and approval rate. No query, or one."""
    if quality.numbers_from == Quality.NumbersFrom.DECLARED:
        return Standing.ENFORCED
    has_panel = bool(quality.campaign_id) and is_open_to_others(quality.campaign)
    return Standing.DECLARED if has_panel else Standing.RECORDED


def of_tests(quality: Quality, wanted: int = 1) -> Standing:
    """Of a quiz of ``wanted`` questions, or of test questions among the others: where a campaign has fewer,
    nobody can be asked them. A campaign that is still to be made will have them. One query."""
    if not quality.campaign_id:
        return Standing.ENFORCED
    there = quality.campaign.test_questions.filter(state=TestQuestion.State.ACTIVE).count()
    return Standing.ENFORCED if there >= wanted else Standing.RECORDED
