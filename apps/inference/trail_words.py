"""The trail in words: models and runs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.inference.models import LearningCurve, Model, Training, TrainingSet
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "model.registered": _("model registered"),
        "model.confirmed": _("order of labels confirmed"),
        "run.started": _("model run started"),
        "run.continued": _("model run gone on with"),
        "run.budget": _("budget of a run set"),
        "trainingset.made": _("training set made"),
        "training.started": _("training started"),
        "curve.started": _("learning curve started"),
    },
    groups=(Group("models", _("models"), 80),),
    within={"models": ("model", "run", "trainingset", "training", "curve")},
    kinds={
        "model": _("model"),
        "trainingset": _("training set"),
        "training": _("training"),
        "learningcurve": _("learning curve"),
    },
    named={
        "model": Model,
        "trainingset": TrainingSet,
        "training": Training,
        "learningcurve": LearningCurve,
    },
)
