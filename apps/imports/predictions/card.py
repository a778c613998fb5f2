"""The card of files of predictions on the page of models."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.inference.kinds import Elsewhere, Group

CARD = Elsewhere(
    group=Group.FILES,
    title=_("Predictions from a file"),
    what=_("Of a model that was run elsewhere."),
    address="predictions:new",
)
