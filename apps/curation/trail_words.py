"""The trail in words: bulk edits."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "pairs.edited": _("pairs edited in bulk"),
        "pairs.edit_undone": _("bulk edit undone"),
    },
    within={"pairs": ("pairs",)},
    details={
        "tag": _("tag"),
    },
)
