"""The trail in words: outside norms."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.dashboard.models import Norm
from apps.studies.vocabulary import Words

WORDS = Words(
    actions={"norm.added": _("outside norm added"), "norm.removed": _("outside norm removed")},
    within={"pairs": ("norm",)},
    kinds={"norm": _("outside norm")},
    named={"norm": Norm},
)
