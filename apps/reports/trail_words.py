"""The trail in words: reports."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "report.started": _("report started"),
    },
    within={"pairs": ("report",)},
)
