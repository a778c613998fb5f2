"""The trail in words: models and runs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.inference.models import Model
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "model.registered": _("model registered"),
        "model.confirmed": _("order of labels confirmed"),
        "run.started": _("model run started"),
        "run.continued": _("model run gone on with"),
        "run.budget": _("budget of a run set"),
    },
    groups=(Group("models", _("models"), 80),),
    within={"models": ("model", "run")},
    kinds={"model": _("model")},
    named={"model": Model},
)
