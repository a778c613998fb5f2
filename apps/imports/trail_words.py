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
        "prediction_draft.chosen": _("file of predictions: reading settled"),
        "prediction_draft.created": _("file of predictions uploaded"),
        "prediction_draft.taken_back": _("unfinished import of predictions taken back"),
        "prediction_draft.discarded": _("file of predictions thrown away"),
        "predictions.imported": _("predictions imported"),
    },
    within={"pairs": ("pair_draft", "pairs"), "models": ("prediction_draft", "predictions")},
    details={
        "format": _("format"),
    },
)
