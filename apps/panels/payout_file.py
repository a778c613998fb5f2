"""The file for the paymaster: a payout as CSV, one line for each person."""

from __future__ import annotations

import csv
import io

from apps.panels import selectors
from apps.panels.models import Payout

COLUMNS = (
    "panel",
    "person",
    "session",
    "pseudonym",
    "sets",
    "for sets",
    "bonus",
    "reasons",
    "amount",
    "currency",
)
# What a spreadsheet takes for a formula, and what it drops before looking for one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def neutral(cell: str) -> str:
    """The cell as text to a spreadsheet: an apostrophe in front of what would begin a formula.

    >>> neutral("=1+1"), neutral("5f3e"), neutral("-2")
    ("'=1+1", '5f3e', "'-2")
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def file_name(payout: Payout) -> str:
    return f"payout-{payout.panel.campaign.study.slug}-{payout.panel.campaign_id}-{payout.number}.csv"


def csv_of(payout: Payout) -> str:
    """The payout's lines by pseudonym; the same text whenever it is asked for. An erased person, whom
    nobody can find any more, has no identifier."""
    panel = payout.panel
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for line in selectors.lines_of(payout):
        words = [panel.platform, line.participant.external_id, line.session, line.participant.pseudonym]
        reasons = "; ".join(line.reasons)
        writer.writerow(
            [
                *map(neutral, words),
                line.sets,
                _amount(line.sets_cents),
                _amount(line.bonus_cents),
                neutral(reasons),
                _amount(line.cents),
                panel.campaign.currency,
            ]
        )
    return text.getvalue()


def _amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
