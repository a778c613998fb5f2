"""The trail in words: outside norms, reports."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.dashboard.models import Norm, StudyReport
from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "norm.added": _("outside norm added"),
        "norm.removed": _("outside norm removed"),
        "studyreport.started": _("report of the study begun"),
    },
    within={"pairs": ("norm", "studyreport")},
    kinds={"norm": _("outside norm"), "studyreport": _("report of the study")},
    named={"norm": Norm, "studyreport": StudyReport},
)
