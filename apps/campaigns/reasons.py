"""Why there is no work for somebody at the moment, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True)
class NothingNow:
    """Why there is no work at the moment.

    ``reason`` is one of draft, not-yet, paused, closed, over, blocked, not-qualified, cap, all-done,
    yours-done, own, others. ``minutes`` (others only) until a lease runs out; ``at`` (not-yet only) when the
    campaign opens; ``detail`` is a sentence more, said by whatever refuses (not-qualified).
    """

    reason: str
    minutes: int | None = None
    at: datetime | None = None
    detail: str = ""

    @property
    def text(self) -> str:
        if self.reason == "others":
            minutes = self.minutes or 1
            return ngettext(
                "Others are working on what is left. Please try again in %(n)d minute.",
                "Others are working on what is left. Please try again in %(n)d minutes.",
                minutes,
            ) % {"n": minutes}
        if self.reason == "not-yet" and self.at:
            return _("This opens on %(at)s (UTC).") % {"at": date_format(self.at, "DATETIME_FORMAT")}
        text = {
            "draft": _("This has not been opened yet."),
            "not-yet": _("This has not been opened yet."),
            "paused": _("This is paused for the moment. What you sent is stored."),
            "closed": _("This is closed: no more answers are needed. Thank you."),
            "over": _("The time for this is over: no more answers are needed. Thank you."),
            "blocked": _("You can't take new work here at present. What you sent is stored."),
            "not-qualified": _("This work is not for you at present."),
            "cap": _("You have done as much of this as one person may. Thank you."),
            "all-done": _("All of it is done, with all the answers that are needed. Thank you."),
            "yours-done": _("You have done everything here that you can do. Thank you."),
            "own": _(
                "What is left here are sentences that you wrote yourself; others judge them. Thank you."
            ),
        }[self.reason]
        return f"{text} {self.detail}".strip()

    @property
    def is_final(self) -> bool:
        """Whether the campaign is none of theirs, whatever they do."""
        return False

    @property
    def may_change(self) -> bool:
        """Whether asking again later can help."""
        return self.reason in ("others", "paused", "not-yet")
