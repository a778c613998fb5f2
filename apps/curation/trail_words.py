"""The trail in words: decisions on pairs, flags, bulk edits."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "pair.adjudicated": _("pair decided"),
        "pair.corrected": _("direction or tags corrected"),
        "pair.correction_undone": _("correction taken back"),
        "pair.swappable": _("pair marked for swapping"),
        "pairs.edited": _("pairs edited in bulk"),
        "pairs.edit_undone": _("bulk edit undone"),
    },
    within={"pairs": ("pairs",)},
    details={
        "tag": _("tag"),
        "tags": _("tags"),
        "direction": _("direction"),
        "direction_was": _("direction before"),
        "tags_was": _("tags before"),
    },
)
