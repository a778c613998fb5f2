"""Models among the rooms of a study."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.inference.models import Model
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.rooms import Contents, Room


def _models(study: Study) -> Contents:
    count = within(Model, study).count()
    return Contents(count, ngettext("model", "models", count), _("Models that predict the same pairs."))


MODELS = Room(
    name="models",
    title=gettext_lazy("Models"),
    place=50,
    address="models:list",
    contents=_models,
    first=gettext_lazy("Register a model and run it over the pairs."),
    rows=lambda study: within(Model, study),
)
