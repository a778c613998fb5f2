"""What the panels' pages read: how a visit stands, what is owed, what is in a payout."""

from apps.panels.selectors.pay import (
    Account,
    Line,
    Priced,
    Totals,
    accounts_of,
    lines_of,
    money,
    owed_prices,
    owed_sets,
    payouts_of,
    sets_sent,
    total_of,
    unpaid_of,
)
from apps.panels.selectors.visits import (
    Sets,
    Standing,
    consent_of,
    has_panel,
    progress_of,
    sets_of,
    standing_of,
    takes_work,
    visits_of,
)

__all__ = [
    "Account", "Line", "Priced", "Sets", "Standing", "Totals", "accounts_of", "consent_of", "has_panel",
    "lines_of", "money", "owed_prices", "owed_sets", "payouts_of", "progress_of", "sets_of",
    "sets_sent", "standing_of", "takes_work", "total_of", "unpaid_of", "visits_of",
]  # fmt: skip
