"""The dashboard among the rooms of a study."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.inference.models import Run
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.rooms import Contents, Room


def _runs(study: Study) -> Contents:
    count = within(Run, study).count()
    unit = ngettext("model run", "model runs", count)
    return Contents(count, unit, _("People, calculus and models side by side."))


DASHBOARD = Room(
    name="dashboard",
    title=gettext_lazy("Dashboard"),
    place=60,
    address="dashboard:home",
    contents=_runs,
    first=gettext_lazy("Fills up with judgements, calculus labels and runs."),
    rows=lambda study: within(Run, study),
    spared_by="models",
)
