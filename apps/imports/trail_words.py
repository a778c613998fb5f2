"""The trail in words: imports."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "pair_draft.chosen": _("file of pairs: format chosen"),
        "pair_draft.created": _("file of pairs uploaded"),
        "pair_draft.taken_back": _("unfinished import taken back"),
        "pair_draft.discarded": _("file of pairs thrown away"),
        "pairs.imported": _("pairs imported"),
    },
    within={"pairs": ("pair_draft", "pairs")},
    details={
        "format": _("format"),
    },
)
