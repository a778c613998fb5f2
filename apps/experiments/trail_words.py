"""The trail in words: experiments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.experiments.models import Experiment
from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "experiment.started": _("experiment started"),
        "experiment.predicted": _("answers from elsewhere brought into an experiment"),
    },
    within={"models": ("experiment",)},
    kinds={"experiment": _("experiment")},
    named={"experiment": Experiment},
)
