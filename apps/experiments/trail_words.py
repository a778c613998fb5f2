"""The trail in words: experiments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "experiment.started": _("experiment started"),
        "experiment.predicted": _("predictions brought into an experiment"),
    },
    within={"experiments": ("experiment",)},
)
